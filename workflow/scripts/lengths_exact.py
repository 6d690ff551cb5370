"""Answer every input with the rank-1 construction, and find what no rank-1 head can beat."""

from itertools import product

from attnrank import tables
from attnrank.minip.lengths import construct, optimum, schemas


def main(construction, best, settings):
    cells = list(product(settings["construction"]["lengths"], settings["construction"]["widths"]))
    tables.write(
        construction,
        {
            "width": [width for _, width in cells],
            "length": [length for length, _ in cells],
            "inputs": [2 ** (width * length) for length, width in cells],
            "error": [construct.construction_error(width, length) for length, width in cells],
        },
        schemas.CONSTRUCTION,
        settings=settings["construction"],
        seeds=[],
    )
    cells = list(product(settings["optimum"]["lengths"], settings["optimum"]["widths"]))
    found = [
        optimum.optimum(width, length, settings["optimum"]["tolerance"]) for length, width in cells
    ]
    tables.write(
        best,
        {
            "width": [width for _, width in cells],
            "length": [length for length, _ in cells],
            "inputs": [each.inputs for each in found],
            "lower": [each.lower for each in found],
            "error": [each.error for each in found],
            "ratio": [each.q.max() / each.q.min() for each in found],
        },
        schemas.OPTIMUM,
        settings=settings["optimum"],
        seeds=[],
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            construction=snakemake.output.construction,
            best=snakemake.output.optimum,
            settings=snakemake.params.settings,
        )
