"""Chapter A2: from the linear surrogate to a Transformer block, one change at a time."""
