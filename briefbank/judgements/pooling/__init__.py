"""Gathering graded judgements: pools of candidates to be read blind, and what becomes of several readers' grades."""
