"""Chapter B3: one and two tokens need one feature, three need more."""
