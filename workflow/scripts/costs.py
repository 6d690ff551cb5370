"""Sum what the run cost, rule by rule."""

from attnrank import costs, tables


def main(benchmarks, parquet):
    tables.write(parquet, costs.summarise(benchmarks), costs.SCHEMA, settings={}, seeds=[])


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        rules = snakemake.params.rules
        main(
            benchmarks={rule: snakemake.input[rule] for rule in rules},
            parquet=snakemake.output.parquet,
        )
