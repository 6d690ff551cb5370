"""Paper A, "The Entropic Bound for Transformers": one room per chapter."""
