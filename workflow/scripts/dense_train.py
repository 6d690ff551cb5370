"""Train and test dense softmax heads on tokens of one width: all seeds in one process."""

from attnrank import tables
from attnrank.minip.dense import schemas, train


def main(out, width, seeds, training):
    heads = train.train(width, range(seeds), **training)
    tables.write(
        out,
        {
            "width": [width] * seeds,
            "seed": heads.seeds,
            "error": heads.error,
            "accuracy": heads.accuracy,
            "inputs": [heads.inputs] * seeds,
            "exhaustive": [width <= training["exhaustive_up_to"]] * seeds,
            "beta": heads.beta,
            "deviation": heads.deviation,
            "diverged": heads.diverged,
        },
        schemas.RUNS,
        settings=training,
        seeds=range(seeds),
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            out=snakemake.output[0],
            width=int(snakemake.wildcards.width),
            seeds=snakemake.params.seeds,
            training=snakemake.params.training,
        )
