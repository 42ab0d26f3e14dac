"""Words of user interfaces, in five languages."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Final, Literal, TypeAlias, get_args

Language: TypeAlias = Literal["en", "it", "es", "fr", "de"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


def interface_words(language: Language) -> Mapping[str, str]:
    """Return the words of the interface in a language, by key."""
    text = files(__name__).joinpath(f"{language}.json").read_text("utf-8")
    words: Mapping[str, str] = json.loads(text)
    return words
