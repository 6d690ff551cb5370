"""The settings of the finite-precision transcripts."""

from pydantic import Field

from attnrank.settings import Count, Positive, Ranks, Section


class Constructed(Section):
    """Heads constructed to send as few bits as they can."""

    queries: Ranks = Field(description="q, queries and channels")
    sizes: Ranks = Field(description="s, block sizes; each answer is one of s + 1")


class Training(Section):
    """Heads whose messages are learned, Adam on the mean squared error."""

    queries: Ranks = Field(description="q, queries and channels")
    sizes: Ranks = Field(description="s, block sizes")
    seeds: Count = Field(description="seeds 0, 1, ... of the initialisation")
    learning_rate: Positive = Field(description="Adam's greatest learning rate")
    steps: Count = Field(description="optimiser steps, on all inputs")
    warmup: Count = Field(description="steps over which the learning rate rises")


class Settings(Section):
    """Finite-precision transcripts (paper B, chapter B7)."""

    constructed: Constructed = Field(description="constructed heads")
    training: Training = Field(description="trained heads")
