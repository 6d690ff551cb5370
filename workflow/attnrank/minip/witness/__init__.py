"""The witness suite: 1,272 inputs of three tokens on which fewer than 8 features must fail."""
