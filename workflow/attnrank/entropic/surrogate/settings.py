"""The settings of the linear surrogate."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from attnrank.entropic.settings import Task
from attnrank.settings import Count, NonNegative, Positive, Ranks, Section, above, distinct


class Training(Section):
    """Adam with a cosine schedule on A = U W^T and V."""

    init_scale: Positive = Field(description="scale of the initial factors; entries ~ scale^2 / n")
    learning_rate: Positive = Field(description="Adam's first learning rate")
    steps: Count = Field(description="optimiser steps, full batch")


class ClosedForm(Section):
    """Reduced-rank regression, alternating between A and V."""

    sweeps: Count = Field(description="alternations at most")
    tolerance: Positive = Field(description="stop when the loss falls by less, relatively")


class Regime(Section):
    """One recovery regime: plain gradient descent at full rank."""

    tokens: int = Field(ge=2, description="n, tokens in an input")
    width: int = Field(ge=1, description="d, numbers in a token")
    samples: int = Field(ge=1, description="N, inputs in the training set")
    labelled: Count = Field(description="of which each token has a target in so many; at most N")
    noise: NonNegative = Field(description="standard deviation of the label noise")
    learn_value: bool = Field(description="learn V, or give the student V*")
    learning_rate: Positive = Field(description="step size on the mean squared error per entry")
    steps: Count = Field(description="gradient steps, full batch")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.labelled > self.samples:
            raise ValueError(
                f"labelled = {self.labelled}: must be at most samples = {self.samples}"
            )
        if self.labelled < self.samples and self.learn_value:
            raise ValueError("learn_value = True: must be false where labelled is below samples")
        return self


class LeastNuclear(Section):
    """The interpolant of least nuclear norm, by Douglas-Rachford splitting."""

    sweeps: Count = Field(description="iterations at most")
    tolerance: Positive = Field(description="stop when it moves by less, relatively")


class Recovery(Section):
    """Which rank gradient descent finds when the rank is free."""

    init_scales: Annotated[list[Positive], Field(min_length=1), AfterValidator(distinct)] = Field(
        description="scales of the initial factors, one job for each"
    )
    over_determined: Regime = Field(description="more equations than unknowns: identifiability")
    under_determined: Regime = Field(description="fewer equations than unknowns: implicit bias")
    least_nuclear: LeastNuclear = Field(description="the limit that the bias is compared with")

    @model_validator(mode="after")
    def _interpolable(self) -> Self:
        if self.under_determined.noise > 0 or self.under_determined.learn_value:
            raise ValueError(
                "under_determined: noise must be 0 and learn_value false, or nothing interpolates"
            )
        return self


class Settings(Section):
    """Linear surrogate (paper A, chapter A1)."""

    ranks: Ranks = Field(description="r, ranks of the students, each at most n; one job for each")
    task: Task = Field(description="the teacher and its data")
    training: Training = Field(description="how students are trained")
    closed_form: ClosedForm = Field(description="the optimum that training is compared with")
    recovery: Recovery = Field(description="gradient descent at full rank")

    @model_validator(mode="after")
    def _within(self) -> Self:
        above("ranks", self.ranks, self.task.tokens, "task.tokens")
        for name in ("over_determined", "under_determined"):
            tokens = getattr(self.recovery, name).tokens
            above("task.r_star", self.task.r_star, tokens, f"recovery.{name}.tokens")
        return self
