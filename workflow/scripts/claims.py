"""Judge every registered claim from the tables."""

from pathlib import Path

from attnrank import claims, tables
from attnrank.files import atomic
from attnrank.settings import Statistics


def main(registry, parquet, page, statistics, tier):
    registered = claims.load(registry)
    folder = Path(parquet).parent
    judged = claims.evaluate(registered, folder, Statistics(**statistics), tier)
    tables.write(
        parquet, judged, claims.SCHEMA, settings={"statistics": statistics, "tier": tier}, seeds=[]
    )
    with atomic(page) as temporary:
        temporary.write_text(claims.render(judged, registered), encoding="utf-8")


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            registry=snakemake.input.registry,
            parquet=snakemake.output.parquet,
            page=snakemake.output.page,
            statistics=snakemake.params.statistics,
            tier=snakemake.params.tier,
        )
