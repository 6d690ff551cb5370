"""Chapter B7: how many bits heads must send, whatever their number, rank and layers."""
