"""Train heads of every rank and width on the inputs of one length: all seeds in one process."""

from itertools import product

import pandas as pd

from attnrank import tables
from attnrank.minip.lengths import schemas, train


def main(out, length, widths, ranks, seeds, training):
    parts = []
    for width, rank in product(widths, ranks):
        heads = train.train(width, length, rank, range(seeds), **training)
        runs = {
            "width": width,
            "length": length,
            "rank": rank,
            "seed": heads.seeds,
            "error": heads.best_error,
            "accuracy": heads.accuracy,
            "step": heads.best_step,
            "final_error": heads.final_error,
            "diverged": heads.diverged,
        }
        parts.append(pd.DataFrame(runs))
    tables.write(
        out,
        pd.concat(parts, ignore_index=True),
        schemas.RUNS,
        settings={"widths": widths, "ranks": ranks, "training": training},
        seeds=range(seeds),
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            out=snakemake.output[0],
            length=int(snakemake.wildcards.length),
            widths=snakemake.params.widths,
            ranks=snakemake.params.ranks,
            seeds=snakemake.params.seeds,
            training=snakemake.params.training,
        )
