"""Chapter B5b: the bound for positional maps, any values and read-outs, and a causal query."""
