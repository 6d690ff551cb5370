"""The one error a user sees: a message without a traceback."""


class AttnrankError(Exception):
    """What is wrong, where, what is allowed and what to do, in one message."""
