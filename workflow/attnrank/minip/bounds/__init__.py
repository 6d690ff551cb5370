"""Chapter B5: the certified bound against token width and context length."""
