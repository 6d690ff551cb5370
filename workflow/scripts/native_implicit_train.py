"""Run gradient descent on too few data from one initial scale: all kinds, r* and seeds at once."""

import numpy as np
import pandas as pd

from attnrank import tables
from attnrank.entropic.native import schemas, train


def main(data, out, init_scale, clip, descents):
    tasks = tables.read(data, schemas.TASKS)
    parts, kernels, values = [], [], []
    for kind, rows in tasks.frame.groupby("kind", sort=True):
        students = train.train_implicit(
            kind,
            *(tasks.arrays[name][rows.index] for name in ("inputs", "targets", "value")),
            r_star=rows["r_star"].tolist(),
            seeds=rows["seed"].tolist(),
            init_scale=init_scale,
            clip=clip,
            **descents[kind],
        )
        parts.append(
            rows.assign(init_scale=init_scale, loss=students.loss, diverged=students.diverged)
        )
        kernels.append(students.kernel)
        values.append(students.value)
    tables.write(
        out,
        {
            **pd.concat(parts, ignore_index=True),
            "kernel": np.concatenate(kernels),
            "value": np.concatenate(values),
        },
        schemas.RECOVERED,
        settings={**tasks.settings, "clip": clip, "descents": descents},
        seeds=tasks.seeds,
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            data=snakemake.input.data,
            out=snakemake.output[0],
            init_scale=float(snakemake.wildcards.init_scale),
            clip=snakemake.params.clip,
            descents=snakemake.params.descents,
        )
