"""Excess risk of attention students, and the values it is compared with, in float64."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from attnrank.entropic import attention
from attnrank.entropic.native.data import held_out_inputs, outputs
from attnrank.spectra import Array
from attnrank.tables import Table

TASK = ["kind", "tau", "r_star", "seed"]


def excess_risk(
    kind: attention.Kind, inputs: Array, clean: Array, kernel: Array, value: Array
) -> Array:
    """Return each student's mean squared error against the clean targets of held-out inputs.

    Args:
        kind: linear or softmax.
        inputs: held-out X of one task, (N, n, d).
        clean: the teacher's outputs on them, (N, n, d).
        kernel: K of E students of that task, (E, d, d).
        value: their V, (E, d, d).

    Returns:
        Per entry, (E,); NaN for a diverged student.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        given = np.broadcast_to(inputs, (len(kernel), *inputs.shape))
        error = attention.outputs(kind, given, kernel, value) - clean
        risk = (error**2).mean(axis=(1, 2, 3))
    return np.where(np.isfinite(risk), risk, np.nan)


def tail_energy(kernel: Array, rank: int) -> float:
    """Return the share of |K*|_F^2 beyond the leading ``rank`` singular values; K* is (d, d).

    What truncation to that rank takes from the kernel. For the surrogate the like of it is a bound;
    here it is a yardstick only: the mixing depends on the inputs, V may compensate, and the softmax
    is not linear in K.
    """
    energy = np.linalg.svd(kernel, compute_uv=False) ** 2
    # Rounding leaves 1e-32 where nothing is left.
    return round(float(energy[rank:].sum() / energy.sum()), 12)


def uniform_excess(kind: attention.Kind, inputs: Array, clean: Array) -> float:
    """Return the excess risk of K = 0 with the best V for these inputs.

    Softmax attention is then uniform: every token gets the mean token times V, whatever the rank
    of K*. Linear attention gives 0.

    Args:
        kind: linear or softmax.
        inputs: X, (N, n, d).
        clean: the teacher's outputs, (N, n, d).
    """
    mean = inputs.mean(axis=1) * (kind == "softmax")
    value = np.linalg.lstsq(mean, clean.mean(axis=1))[0]
    return float(((clean - (mean @ value)[:, None]) ** 2).mean())


def excess_risks(tasks: Table, students: Table) -> Array:
    """Return every student's excess risk on the held-out inputs of its task, (E,).

    Args:
        tasks: of `schemas.TASKS`.
        students: each of one of the tasks, with the columns `TASK` and the arrays kernel and value.
    """
    risk = np.full(len(students.frame), np.nan)
    groups = students.frame.groupby(TASK).indices
    kernel, value = students.arrays["kernel"], students.arrays["value"]
    for task in tasks.frame.itertuples():
        rows = groups[(task.kind, task.tau, task.r_star, task.seed)]
        risk[rows] = excess_risk(task.kind, *_held_out(tasks, task), kernel[rows], value[rows])
    return risk


def references(tasks: Table, ranks: Sequence[int]) -> pd.DataFrame:
    """Return `tail_energy` and `uniform_excess` of every task and rank, as tail and uniform.

    Args:
        tasks: of `schemas.TASKS`.
        ranks: ranks of the students.
    """
    rows = []
    for task in tasks.frame.itertuples():
        uniform = uniform_excess(task.kind, *_held_out(tasks, task))
        for rank in ranks:
            tail = tail_energy(tasks.arrays["kernel"][task.Index], rank)
            rows.append((task.kind, task.tau, task.r_star, task.seed, rank, tail, uniform))
    return pd.DataFrame(rows, columns=[*TASK, "rank", "tail", "uniform"])


def _held_out(tasks: Table, task: Any) -> tuple[Array, Array]:
    """Return the held-out inputs of a row of the tasks, and the teacher's outputs on them."""
    shape = {name: tasks.settings["shape"][name] for name in ("tokens", "width", "held_out")}
    inputs = held_out_inputs(task.seed, task.r_star, **shape, stream=tasks.settings["stream"])
    true = (tasks.arrays[name][task.Index] for name in ("kernel", "value"))
    return inputs, outputs(task.kind, inputs, *true)


def least_norm(inputs: Array, targets: Array, value: Array) -> Array:
    """Return the K of least Frobenius norm that linear attention interpolates with, (E, d, d).

    Y V^-1 = X K G with G = X'X / n is linear in K; this is its pseudo-inverse solution, where
    gradient descent on K itself, unfactorised, ends from zero.

    Args:
        inputs: X, (E, N, n, d).
        targets: Y, free of noise, (E, N, n, d).
        value: V*, invertible, (E, d, d).
    """
    width = inputs.shape[-1]
    fits = []
    for x, y, v in zip(inputs, targets, value, strict=True):
        gram = attention.grams(x)
        # Normal equations sum_s (X'X) K (G G) = sum_s X' (Y V^-1) G, in vec(K) row by row.
        form = np.einsum("sab,sce->acbe", x.swapaxes(1, 2) @ x, gram @ gram, optimize=True)
        right = (x.swapaxes(1, 2) @ (y @ np.linalg.inv(v)) @ gram).sum(axis=0)
        inverse = np.linalg.pinv(form.reshape(width**2, width**2), rcond=1e-10, hermitian=True)
        fits.append((inverse @ right.reshape(-1)).reshape(width, width))
    return np.stack(fits)
