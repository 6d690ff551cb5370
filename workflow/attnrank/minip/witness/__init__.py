"""Chapters B1 and B2: the witness suite, its certificate, and training on it."""
