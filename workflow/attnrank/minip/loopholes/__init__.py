"""Chapter B6: what evades the bound, features of either sign and several heads."""
