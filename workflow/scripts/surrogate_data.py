"""Draw the teachers of the linear surrogate and their data: all r* and seeds in one file."""

import numpy as np

from attnrank import tables
from attnrank.entropic.fixed_operator import make_task
from attnrank.entropic.surrogate import schemas


def main(out, task, r_star, seeds, stream):
    cases = [(rank, seed) for rank in r_star for seed in range(seeds)]
    keys = ("tokens", "width", "samples", "noise", "labelled")
    shape = {key: task[key] for key in keys if key in task}
    tasks = [make_task(seed, rank, **shape, stream=stream) for rank, seed in cases]
    tables.write(
        out,
        {
            "r_star": [rank for rank, _ in cases],
            "seed": [seed for _, seed in cases],
            "operator": np.stack([task.operator for task in tasks]),
            "value": np.stack([task.value for task in tasks]),
            "inputs": np.stack([task.inputs for task in tasks]),
            "targets": np.stack([task.targets for task in tasks]),
        },
        schemas.TASKS,
        settings=task,
        seeds=range(seeds),
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            out=snakemake.output[0],
            task=snakemake.params.task,
            r_star=snakemake.params.r_star,
            seeds=snakemake.params.seeds,
            stream=snakemake.params.stream,
        )
