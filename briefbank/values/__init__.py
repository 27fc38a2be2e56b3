"""What the bank reports of itself, its documents and its work: values for the window and the command line to show.
Knows only the records.
"""
