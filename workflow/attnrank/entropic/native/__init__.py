"""Attention-native rank: teachers and students of the same attention, linear and softmax."""
