"""Measure the ranks that gradient descent found on too few data, beside the least-norm fit's."""

import numpy as np

from attnrank import spectra, tables
from attnrank.entropic.native import estimate, schemas


def main(tasks, students, out):
    drawn = tables.read(tasks, schemas.TASKS)
    trained = tables.read_all(students, schemas.RECOVERED)
    linear = (drawn.frame["kind"] == "linear").to_numpy()
    fit = estimate.least_norm(
        *(drawn.arrays[name][linear] for name in ("inputs", "targets", "value"))
    )
    least = drawn.frame.copy()
    for name in schemas.SHOWN:
        least[f"frobenius_{name}"] = np.nan
        least.loc[linear, f"frobenius_{name}"] = spectra.rank_estimates(fit)[name]
    runs = trained.frame.assign(
        excess=estimate.excess_risks(drawn, trained),
        **spectra.rank_estimates(trained.arrays["kernel"]),
    ).merge(least, on=estimate.TASK)
    tables.write(
        out,
        runs.drop(columns="tau"),
        schemas.IMPLICIT_RUNS,
        settings=trained.settings,
        seeds=drawn.seeds,
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(snakemake.input.tasks, snakemake.input.students, snakemake.output[0])
