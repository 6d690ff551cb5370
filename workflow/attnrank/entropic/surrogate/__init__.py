"""Chapter A1: the linear surrogate Y = A* X V* + E, where the bound is exact."""
