"""Train and measure the students of one rank: every rung, control, r* and seed in one process."""

import pandas as pd

from attnrank import tables
from attnrank.entropic.ladder import schemas, train


def main(data, out, rank, test_inputs, training):
    tasks = tables.read(data, schemas.TASKS)
    parts = []
    for student, teacher in schemas.TRAINED:
        chosen = (tasks.frame["teacher"] == teacher).to_numpy()
        frame = tasks.frame[chosen]
        measured = train.train_students(
            student,
            *(tasks.arrays[name][chosen] for name in ("operator", "value", "inputs", "targets")),
            rank=rank,
            r_star=frame["r_star"].tolist(),
            seeds=frame["seed"].tolist(),
            test_inputs=test_inputs,
            **training,
        )
        parts.append(
            frame.assign(
                student=student,
                rank=rank,
                excess=measured.excess,
                spread=measured.spread,
                loss=measured.loss,
                diverged=measured.diverged,
            )
        )
    tables.write(
        out,
        pd.concat(parts, ignore_index=True),
        schemas.MEASURED,
        settings={**tasks.settings, "test_inputs": test_inputs, "training": training},
        seeds=tasks.seeds,
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            data=snakemake.input.data,
            out=snakemake.output[0],
            rank=int(snakemake.wildcards.rank),
            test_inputs=snakemake.params.test_inputs,
            training=snakemake.params.training,
        )
