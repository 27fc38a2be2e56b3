"""What the draft's check and checklists share: findings in a tree, marked, copied and collected."""
