"""What stands around attention in a Transformer block: positions, LayerNorm, feed-forward layer.

Tensors have the ensemble as their first axis: E models, N samples, n tokens, d numbers in a token.
"""

from collections.abc import Mapping

import torch
from torch import Tensor


def project(inputs: Tensor, weight: Tensor) -> Tensor:
    """Return x W for every token x: (E, N, n, d) and (E, d, k) give (E, N, n, k)."""
    models, samples, tokens, width = inputs.shape
    # One product per model; a broadcast one would copy the weight for every sample.
    flat = inputs.reshape(models, samples * tokens, width) @ weight
    return flat.reshape(models, samples, tokens, weight.shape[-1])


def with_positions(inputs: Tensor) -> Tensor:
    """Append to each token its position, one-hot: (E, N, n, d) gives (E, N, n, d + n)."""
    tokens = inputs.shape[-2]
    positions = torch.eye(tokens, dtype=inputs.dtype)
    return torch.cat([inputs, positions.expand(*inputs.shape[:-1], tokens)], dim=-1)


def layer_norm(inputs: Tensor) -> Tensor:
    """Return each token at mean 0 and variance 1 (epsilon 1e-5).

    Scale and shift are left to the linear map that follows, which has a bias where a shift could
    matter: the same set of functions, with fewer parameters.
    """
    return torch.nn.functional.layer_norm(inputs, inputs.shape[-1:])


def after_attention(inputs: Tensor, attended: Tensor, weights: Mapping[str, Tensor]) -> Tensor:
    """Return the output of a pre-norm Transformer block, given that of its attention.

    H = X + attention(LayerNorm(X)), then H + W_2' relu(W_1' LayerNorm(H) + b_1) + b_2 (Xiong et al.
    2020, "On layer normalization in the Transformer architecture"), read out linearly.

    Args:
        inputs: X, (E, N, n, d).
        attended: output of the attention, (E, N, n, d).
        weights: ``up`` (E, d, h), ``up_bias`` (E, 1, h), ``down`` (E, h, d), ``down_bias``
            (E, 1, d), ``readout`` (E, d, d), ``readout_bias`` (E, 1, d).
    """
    hidden = inputs + attended
    up = project(layer_norm(hidden), weights["up"]) + weights["up_bias"][:, None]
    hidden = hidden + project(torch.relu(up), weights["down"]) + weights["down_bias"][:, None]
    return project(hidden, weights["readout"]) + weights["readout_bias"][:, None]
