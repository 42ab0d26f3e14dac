"""Secrets in configuration, commands, headers and addresses are found."""

from benchmarks.structured import RECALL, recall
from benchmarks.structured_forms import TEMPLATES


def test_secrets_with_a_structure() -> None:
    """Nearly all of four hundred places in which tools keep a secret are known."""
    shares = recall(TEMPLATES, each=3)

    assert sum(shares.values()) / len(shares) >= RECALL
