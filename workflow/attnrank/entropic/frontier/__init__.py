"""Chapter A4: predicting r* from data alone, without training."""
