"""Compute the table behind a figure: exactly what the figure shows."""

from attnrank import rooms, tables
from attnrank.settings import Statistics


def main(figure, paths, out, statistics):
    """Write the figure's table; ``paths`` are its sources, in the order of the registration."""
    room = rooms.figures()[figure]
    schemas = rooms.module(room, "schemas")
    wanted = schemas.FIGURES[figure]
    read = {
        name: tables.read(path, schemas.SOURCES[name].schema)
        for name, path in zip(wanted.sources, paths, strict=True)
    }
    summarise = rooms.module(room, "table").TABLES[figure]
    interval = Statistics(**statistics).interval(figure)
    first = read[wanted.sources[0]]
    tables.write(
        out,
        summarise({name: table.frame for name, table in read.items()}, interval),
        wanted.table,
        settings={**first.settings, "statistics": statistics},
        seeds=first.seeds,
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            figure=snakemake.wildcards.figure,
            paths=snakemake.input.sources,
            out=snakemake.output[0],
            statistics=snakemake.params.statistics,
        )
