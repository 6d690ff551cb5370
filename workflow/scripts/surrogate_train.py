"""Train the students of one rank on every task: all r* and seeds in one process."""

from attnrank import tables
from attnrank.entropic.surrogate import schemas, train


def main(data, out, rank, training):
    tasks = tables.read(data, schemas.TASKS)
    students = train.train_students(
        tasks.arrays["inputs"],
        tasks.arrays["targets"],
        rank=rank,
        r_star=tasks.frame["r_star"].tolist(),
        seeds=tasks.frame["seed"].tolist(),
        **training,
    )
    tables.write(
        out,
        {
            "r_star": tasks.frame["r_star"],
            "seed": tasks.frame["seed"],
            "rank": [rank] * len(tasks.frame),
            "loss": students.loss,
            "diverged": students.diverged,
            "operator": students.operator,
            "value": students.value,
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
