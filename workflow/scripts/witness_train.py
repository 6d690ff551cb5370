"""Train heads of one feature map and rank on the suite: all seeds in one process."""

from attnrank import tables
from attnrank.minip.witness import inputs, schemas, train


def main(suite, out, feature_map, rank, seeds, training):
    table = tables.read(suite, schemas.SUITE)
    given = inputs.arrays(table.frame)
    heads = train.train(
        given.tokens,
        given.sequences,
        given.targets,
        feature_map=feature_map,
        rank=rank,
        seeds=range(seeds),
        **training,
    )
    tables.write(
        out,
        {
            "feature_map": [feature_map] * seeds,
            "rank": [rank] * seeds,
            "seed": heads.seeds,
            "error": heads.best_error,
            "accuracy": heads.accuracy,
            "step": heads.best_step,
            "final_error": heads.final_error,
            "diverged": heads.diverged,
        },
        schemas.RUNS,
        settings={"suite": table.settings, "training": training},
        seeds=range(seeds),
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            suite=snakemake.input.suite,
            out=snakemake.output[0],
            feature_map=snakemake.wildcards.feature_map,
            rank=int(snakemake.wildcards.rank),
            seeds=snakemake.params.seeds,
            training=snakemake.params.training,
        )
