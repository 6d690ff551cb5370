"""Chapter B4: how the rank that generalises grows with the scale of the problem."""
