"""Paper B, "Three Tokens Force Exponential Feature Rank in Nonnegative Kernel Attention"."""
