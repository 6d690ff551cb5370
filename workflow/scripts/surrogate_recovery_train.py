"""Run gradient descent at full rank from one initial scale: all r* and seeds in one process."""

from attnrank import tables
from attnrank.entropic.surrogate import schemas, train


def main(data, out, regime, init_scale, learn_value, training):
    tasks = tables.read(data, schemas.TASKS)
    students = train.train_recovery(
        tasks.arrays["inputs"],
        tasks.arrays["targets"],
        r_star=tasks.frame["r_star"].tolist(),
        seeds=tasks.frame["seed"].tolist(),
        init_scale=init_scale,
        value=None if learn_value else tasks.arrays["value"],
        **training,
    )
    count = len(tasks.frame)
    tables.write(
        out,
        {
            "regime": [regime] * count,
            "init_scale": [init_scale] * count,
            "r_star": tasks.frame["r_star"],
            "seed": tasks.frame["seed"],
            "loss": students.loss,
            "diverged": students.diverged,
            "operator": students.operator,
            "value": students.value,
        },
        schemas.RECOVERED,
        settings={**tasks.settings, "learn_value": learn_value, "training": training},
        seeds=tasks.seeds,
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            data=snakemake.input.data,
            out=snakemake.output[0],
            regime=snakemake.wildcards.regime,
            init_scale=float(snakemake.wildcards.init_scale),
            learn_value=snakemake.params.learn_value,
            training=snakemake.params.training,
        )
