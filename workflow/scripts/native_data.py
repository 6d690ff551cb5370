"""Draw attention teachers and their data: all kinds, tau, r* and seeds in one file."""

from itertools import product

import numpy as np

from attnrank import tables
from attnrank.entropic.native import data, schemas


def main(out, kinds, taus, r_star, seeds, shape, stream):
    cases = list(product(kinds, taus, r_star, range(seeds)))
    tasks = [
        data.make_task(kind, tau, seed, rank, **shape, stream=stream)
        for kind, tau, rank, seed in cases
    ]
    columns = dict(zip(("kind", "tau", "r_star", "seed"), zip(*cases, strict=True), strict=True))
    arrays = ("kernel", "value", "inputs", "targets")
    columns |= {name: np.stack([getattr(task, name) for task in tasks]) for name in arrays}
    tables.write(
        out,
        columns,
        schemas.TASKS,
        settings={"shape": shape, "stream": stream},
        seeds=range(seeds),
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            out=snakemake.output[0],
            kinds=snakemake.params.kinds,
            taus=snakemake.params.taus,
            r_star=snakemake.params.r_star,
            seeds=snakemake.params.seeds,
            shape=snakemake.params.shape,
            stream=snakemake.params.stream,
        )
