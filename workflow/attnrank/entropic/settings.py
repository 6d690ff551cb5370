"""Settings that several chapters of paper A share."""

from typing import Self

from pydantic import Field, model_validator

from attnrank.settings import Count, NonNegative, Ranks, Section, above


class Task(Section):
    """The teacher and its data."""

    tokens: int = Field(ge=2, description="n, tokens in an input; A* is n x n")
    width: int = Field(ge=1, description="d, numbers in a token; V* is d x d")
    samples: int = Field(ge=1, description="N, inputs in the training set")
    noise: NonNegative = Field(description="standard deviation of the label noise")
    r_star: Ranks = Field(description="r*, ranks of the teacher's operator A*, each at most n")
    seeds: Count = Field(description="seeds 0, 1, ... of teacher, data and initialisation")

    @model_validator(mode="after")
    def _within(self) -> Self:
        above("r_star", self.r_star, self.tokens, "tokens")
        return self
