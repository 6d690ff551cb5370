"""Measure excess risk and ranks of all students, beside the bound and the closed-form optimum."""

import numpy as np
import pandas as pd

from attnrank import tables
from attnrank.entropic import bounds
from attnrank.entropic.surrogate import estimate, schemas


def main(data, students, out, closed_form):
    tasks = tables.read(data, schemas.TASKS)
    parts = []
    for path in students:
        trained = tables.read(path, schemas.STUDENTS)
        rank = int(trained.frame["rank"].iloc[0])
        true = tasks.arrays["operator"], tasks.arrays["value"]
        learned = trained.arrays["operator"], trained.arrays["value"]
        optimum = estimate.closed_form(
            tasks.arrays["inputs"], tasks.arrays["targets"], rank, **closed_form
        )
        excess = estimate.excess_risk(*learned, *true)
        bound = np.round(bounds.tail_energy_bound(*true, rank), 12)
        estimate.check_bound(excess, bound, str(path))
        part = trained.frame.assign(
            excess=excess,
            bound=bound,
            closed_form=estimate.excess_risk(optimum.operator, optimum.value, *true),
            closed_form_converged=optimum.converged,
            **estimate.rank_estimates(trained.arrays["operator"]),
        )
        parts.append(part)
    tables.write(
        out,
        pd.concat(parts, ignore_index=True),
        schemas.RUNS,
        settings={**tasks.settings, "closed_form": closed_form},
        seeds=tasks.seeds,
    )


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            data=snakemake.input.data,
            students=snakemake.input.students,
            out=snakemake.output[0],
            closed_form=snakemake.params.closed_form,
        )
