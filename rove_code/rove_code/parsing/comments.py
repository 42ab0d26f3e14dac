"""Comment syntax of languages."""

from rove_code.parsing.languages import language_named


def comment(language: str, text: str) -> str:
    """Return a text as a one-line comment; unchanged in languages without comments."""
    known = language_named(language)
    line = " ".join(text.split())
    if not known.opens:
        return line
    if not known.closes:
        return f"{known.opens.rstrip()} {line}"
    return f"{known.opens} {line.replace(known.closes, '')} {known.closes}"
