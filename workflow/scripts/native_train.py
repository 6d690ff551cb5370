"""Train the attention students of one rank: all kinds, tau, r* and seeds in one process."""

import numpy as np
import pandas as pd

from attnrank import tables
from attnrank.entropic.native import schemas, train


def main(data, out, rank, training):
    tasks = tables.read(data, schemas.TASKS)
    parts, kernels, values = [], [], []
    for kind, rows in tasks.frame.groupby("kind", sort=True):
        students = train.train_students(
            kind,
            tasks.arrays["inputs"][rows.index],
            tasks.arrays["targets"][rows.index],
            rank=rank,
            r_star=rows["r_star"].tolist(),
            seeds=rows["seed"].tolist(),
            **training,
        )
        parts.append(rows.assign(rank=rank, loss=students.loss, diverged=students.diverged))
        kernels.append(students.kernel)
        values.append(students.value)
    tables.write(
        out,
        {
            **pd.concat(parts, ignore_index=True),
            "kernel": np.concatenate(kernels),
            "value": np.concatenate(values),
        },
        schemas.STUDENTS,
        settings={**tasks.settings, "rank": rank, "training": training},
        seeds=tasks.seeds,
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            data=snakemake.input.data,
            out=snakemake.output[0],
            rank=int(snakemake.wildcards.rank),
            training=snakemake.params.training,
        )
