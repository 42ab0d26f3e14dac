"""Has a hook that is not marked."""

# mypy: ignore-errors


def rove_sources():
    return []
