"""Measure excess risk and ranks of all students, beside what the kernel's tail and K = 0 give."""

from attnrank import spectra, tables
from attnrank.entropic.native import estimate, schemas


def main(tasks, students, out):
    drawn = tables.read_all(tasks, schemas.TASKS)
    trained = tables.read_all(students, schemas.STUDENTS)
    runs = trained.frame.assign(
        excess=estimate.excess_risks(drawn, trained),
        **spectra.rank_estimates(trained.arrays["kernel"]),
    )
    runs = runs.merge(
        estimate.references(drawn, runs["rank"].unique()), on=[*estimate.TASK, "rank"]
    )
    floor = drawn.settings["shape"]["noise"] ** 2
    free = runs["rank"] >= runs["r_star"]
    runs["stuck"] = free & (runs["loss"] > 2 * floor) & ~runs["diverged"]
    tables.write(out, runs, schemas.RUNS, settings=trained.settings, seeds=drawn.seeds)


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(snakemake.input.tasks, snakemake.input.students, snakemake.output[0])
