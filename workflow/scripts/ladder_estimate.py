"""Hold all students against the exact floors, and find the best static kernels in closed form."""

import numpy as np
import pandas as pd

from attnrank import tables
from attnrank.entropic import bounds
from attnrank.entropic.ladder import estimate, schemas


def main(data, trained, runs, kernels, distinct_inputs):
    tasks = tables.read(data, schemas.TASKS)
    parts = [tables.read(path, schemas.MEASURED) for path in trained]
    measured = pd.concat([part.frame for part in parts], ignore_index=True)
    ranks = sorted(measured["rank"].unique())
    tables.write(
        runs,
        measured.merge(_floors(tasks, ranks), on=["teacher", "r_star", "seed", "rank"]),
        schemas.RUNS,
        settings=parts[0].settings,
        seeds=tasks.seeds,
    )
    tables.write(
        kernels,
        _static_kernels(tasks, distinct_inputs),
        schemas.KERNELS,
        settings={**tasks.settings, "distinct_inputs": distinct_inputs},
        seeds=tasks.seeds,
    )


def _floors(tasks, ranks):
    """Return the bound at every rank and the two floors of every task."""
    operators, values = tasks.arrays["operator"], tasks.arrays["value"]
    fixed = tasks.frame.assign(
        # Zero but for rounding where the class holds A*.
        equivariance_floor=np.round(bounds.equivariance_floor(operators, values), 12),
        row_stochastic_floor=np.round(
            [bounds.row_stochastic_floor(*pair) for pair in zip(operators, values, strict=True)], 12
        ),
    )
    return pd.concat(
        [
            fixed.assign(
                rank=rank, bound=np.round(bounds.tail_energy_bound(operators, values, rank), 12)
            )
            for rank in ranks
        ]
    )


def _static_kernels(tasks, distinct_inputs):
    """Return the residual of the best static kernel on the first inputs of every signed task."""
    rows = []
    for index in np.flatnonzero(tasks.frame["teacher"] == "signed"):
        task = tasks.frame.iloc[index]
        operator, inputs = tasks.arrays["operator"][index], tasks.arrays["inputs"][index]
        limits = {
            "content": bounds.static_kernel_limit(operator, inputs.shape[2]),
            "content and position": 0.0,
        }
        rows += [
            {
                "seen": seen,
                "r_star": task["r_star"],
                "seed": task["seed"],
                "distinct_inputs": count,
                "residual": estimate.static_kernel_residual(
                    operator, inputs[:count], positions=seen != "content"
                ),
                "limit": float(limits[seen]),
            }
            for seen in schemas.SEEN
            for count in distinct_inputs
        ]
    return pd.DataFrame(rows)


if __name__ == "__main__":
    from step import job

    with job() as snakemake:
        main(
            data=snakemake.input.data,
            trained=snakemake.input.trained,
            runs=snakemake.output.runs,
            kernels=snakemake.output.kernels,
            distinct_inputs=snakemake.params.distinct_inputs,
        )
