"""Comment syntax of languages."""

from rove_code.parsing.languages import language_named


def comment(language: str, text: str) -> str:
    """Return a text as a one-line comment; unchanged in languages without comments."""
    spec = language_named(language)
    line = " ".join(text.split())
    if not spec.opens:
        return line
    if not spec.closes:
        return f"{spec.opens.rstrip()} {line}"
    return f"{spec.opens} {line.replace(spec.closes, '')} {spec.closes}"
