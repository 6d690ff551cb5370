"""The settings of the attention-native rank."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from attnrank.settings import Count, NonNegative, Positive, Ranks, Section, above, distinct

Values = Annotated[list[Positive], Field(min_length=1), AfterValidator(distinct)]


class Task(Section):
    """Teachers of linear and of softmax attention, and their data."""

    tokens: int = Field(ge=2, description="n, tokens in an input")
    width: int = Field(ge=1, description="d, numbers in a token; K* and V* are d x d")
    samples: Count = Field(description="N, inputs in the training set")
    held_out: Count = Field(description="inputs that the excess risk is measured on")
    noise: NonNegative = Field(description="standard deviation of the label noise")
    tau: Positive = Field(
        description="Frobenius norm of K*: standard deviation of the scores, an inverse temperature"
    )
    r_star: Ranks = Field(description="r*, ranks of the teacher's kernel K*, each at most d")
    seeds: Count = Field(description="seeds 0, 1, ... of teacher, data and initialisation")

    @model_validator(mode="after")
    def _within(self) -> Self:
        above("r_star", self.r_star, self.width, "width")
        return self


class Training(Section):
    """Adam with a warm-up and a cosine schedule on K = W_Q W_K' and V."""

    init_scale: Positive = Field(description="scale of the factors; entries ~ scale / sqrt(d)")
    learning_rate: Positive = Field(description="Adam's greatest learning rate")
    steps: Count = Field(description="optimiser steps, full batch")
    warmup: Count = Field(description="of which the learning rate rises")


class Compression(Section):
    """What softmax does to the excess risk, against temperature."""

    taus: Values = Field(description="Frobenius norms of K* besides task.tau")
    r_star: Count = Field(description="r*, one of task.r_star")
    ranks: Ranks = Field(description="r, ranks of the students, among them d; one job for each")


class Descent(Section):
    """Gradient descent on one kind of attention."""

    learning_rate: Positive = Field(description="step size on the mean squared error per entry")
    steps: Count = Field(description="gradient steps, full batch")


class Implicit(Section):
    """Which rank gradient descent finds when the data leave it free: V* given, no noise."""

    tokens: int = Field(ge=2, description="n, tokens in an input")
    width: int = Field(ge=1, description="d, numbers in a token")
    samples: Count = Field(description="N, inputs; N n min(n, d) equations for d^2 unknowns")
    held_out: Count = Field(description="inputs that the excess risk is measured on")
    tau: Positive = Field(description="Frobenius norm of K*")
    r_star: Ranks = Field(description="r*, ranks of the teacher's kernel K*, each at most d")
    init_scales: Values = Field(description="scales of the initial factors, one job for each")
    clip: Positive = Field(description="greatest norm of a student's gradient")
    linear: Descent = Field(description="how students of linear attention descend")
    softmax: Descent = Field(description="how students of softmax attention descend")

    @model_validator(mode="after")
    def _under_determined(self) -> Self:
        above("r_star", self.r_star, self.width, "width")
        equations = self.samples * self.tokens * min(self.tokens, self.width)
        if equations >= self.width**2:
            raise ValueError(
                f"samples = {self.samples}: {equations} equations must be fewer than the "
                f"{self.width**2} unknowns of K"
            )
        return self


class Settings(Section):
    """Attention-native rank (paper A, chapter A3)."""

    ranks: Ranks = Field(description="r, ranks of the students, among them d; one job for each")
    task: Task = Field(description="teachers and their data")
    training: Training = Field(description="how students are trained")
    compression: Compression = Field(description="softmax against temperature")
    implicit: Implicit = Field(description="gradient descent at full rank on too few data")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        width = self.task.width
        for name, ranks in (("ranks", self.ranks), ("compression.ranks", self.compression.ranks)):
            above(name, ranks, width, "task.width")
            if width not in ranks:
                raise ValueError(
                    f"{name} = {ranks}: must have task.width = {width} among them, "
                    "at which ranks are estimated"
                )
        if missing := set(self.compression.ranks) - set(self.ranks):
            raise ValueError(
                f"compression.ranks = {sorted(missing)}: must be among ranks = {self.ranks}, "
                "whose linear students they are compared with"
            )
        if self.compression.r_star not in self.task.r_star:
            raise ValueError(
                f"compression.r_star = {self.compression.r_star}: must be one of "
                f"task.r_star = {self.task.r_star}"
            )
        if self.task.tau in self.compression.taus:
            raise ValueError(
                f"compression.taus = {self.compression.taus}: must not have task.tau = "
                f"{self.task.tau} among them, which is trained already"
            )
        return self
