"""Draw the ladder's tasks: signed and row-stochastic operators, all r* and seeds in one file."""

import numpy as np

from attnrank import tables
from attnrank.entropic.fixed_operator import make_task
from attnrank.entropic.ladder import schemas


def main(out, task, logit_scale):
    scales = {"signed": None, "stochastic": logit_scale}
    cases = [
        (teacher, r_star, seed)
        for teacher in schemas.TEACHERS
        for r_star in task["r_star"]
        for seed in range(task["seeds"])
    ]
    shape = {key: task[key] for key in ("tokens", "width", "samples", "noise")}
    drawn = [
        make_task(seed, r_star, **shape, stream="ladder", logit_scale=scales[teacher])
        for teacher, r_star, seed in cases
    ]
    teachers, r_star, seeds = zip(*cases, strict=True)
    tables.write(
        out,
        {
            "teacher": teachers,
            "r_star": r_star,
            "seed": seeds,
            **{
                name: np.stack([getattr(one, name) for one in drawn])
                for name in ("operator", "value", "inputs", "targets")
            },
        },
        schemas.TASKS,
        settings={"task": task, "logit_scale": logit_scale},
        seeds=range(task["seeds"]),
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            out=snakemake.output[0],
            task=snakemake.params.task,
            logit_scale=snakemake.params.logit_scale,
        )
