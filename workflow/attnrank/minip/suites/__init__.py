"""Certificates of any suite: a Parquet of sequences in, a verified bound on the rank out."""
