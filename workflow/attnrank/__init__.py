"""How much rank does attention need? The library behind the pipeline: no Snakemake in it."""
