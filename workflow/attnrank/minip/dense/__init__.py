"""Chapter B3: dense softmax attention, exact at a constant temperature."""
