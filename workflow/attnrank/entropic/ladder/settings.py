"""The settings of the ladder."""

from typing import Self

from pydantic import Field, model_validator

from attnrank.entropic.settings import Task
from attnrank.settings import Count, Positive, Ranks, Section, above


class Training(Section):
    """Adam with warm-up and a cosine schedule, the same for every student."""

    init_scale: Positive = Field(
        description="scale of the initial query and key maps; entries are scale * N(0, 1) / "
        "sqrt(their rows)"
    )
    hidden: Count = Field(description="width of B3's feed-forward layer")
    learning_rate: Positive = Field(description="Adam's greatest learning rate")
    warmup: Count = Field(description="steps over which the learning rate rises")
    steps: Count = Field(description="optimiser steps")
    batch: Count = Field(description="inputs in a step; must divide task.samples")


class Settings(Section):
    """Ladder from the surrogate to a Transformer block (paper A, chapter A2)."""

    ranks: Ranks = Field(description="r, ranks of A or K, each at most n and d; one job for each")
    task: Task = Field(description="the fixed operator and its data")
    logit_scale: Positive = Field(
        description="root mean square of the rank-r* logits of the row-stochastic operator"
    )
    training: Training = Field(description="how students are trained")
    test_inputs: Count = Field(description="new inputs that students are measured on")
    distinct_inputs: Ranks = Field(
        description="how many inputs the best static kernel must serve, each at most task.samples"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        above("ranks", self.ranks, self.task.tokens, "task.tokens")
        above("ranks", self.ranks, self.task.width, "task.width")
        above("distinct_inputs", self.distinct_inputs, self.task.samples, "task.samples")
        if self.task.samples % self.training.batch:
            raise ValueError(
                f"training.batch = {self.training.batch}: must divide task.samples = "
                f"{self.task.samples}"
            )
        return self
