"""How many tokens a text takes: never fewer than a model counts."""

import pytest

from rove_core.build.write.token_count import tokens

#: What the tokenizer o200k_base says of each.
COUNTED = {
    "Decided to use python-jose for JWT handling. Sarah asked on January 15 whether the login\n"
    "of an enterprise customer can use an API key. Nobody objected; see TB-123.": 40,
    "https://myworkspace.slack.com/archives/C024BE91L/p1734264000000100?thread_ts=1734.000100": 30,
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08": 43,
    "def tokens(text: str) -> int:\n    return len(text.split())\n": 15,
    "Wir haben beschlossen, die Zugriffstoken nach einer Stunde ablaufen zu lassen.": 16,
    "Мы решили использовать асинхронные запросы.": 11,
    "認証フローの要件について話し合いました。": 13,
    "aGVsbG8gd29ybGQsIHRoaXMgaXMgYmFzZTY0": 23,
    "| Source | Items Found | Last Updated |\n|--------|-------------|--------------|": 16,
    "🎉🔐 done": 5,
}


@pytest.mark.parametrize(("text", "counted"), COUNTED.items())
def test_never_fewer_than_a_model_counts(text: str, counted: int) -> None:
    """An estimate is at least what a tokenizer says, and at most four times that."""
    assert counted <= tokens(text) <= 4 * counted


def test_parts_cost_no_less_than_the_whole() -> None:
    """What is added up line by line is never less than what the lines take together."""
    lines = [f"{text}\n" for text in COUNTED]

    assert sum(map(tokens, lines)) >= tokens("".join(lines))
