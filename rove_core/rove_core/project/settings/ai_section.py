"""The section ``[ai]`` of the settings."""

from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from attrs import field, frozen
from attrs.validators import matches_re

from rove_core.project.settings.bounds import between
from rove_core.project.settings.plugin_section import SAFE
from rove_core.safety.secret import Secret

#: The engine that works on this machine alone.
EXTRACTIVE: Final = "extractive"
#: The engine that is meant by whoever names a model, its address or its key, and no engine.
MODEL_ENGINE: Final = "openai"


def _url(_: object, __: object, value: str) -> None:
    if value and not (urlsplit(value).scheme in {"http", "https"} and urlsplit(value).hostname):
        raise ValueError("expected a URL that begins with https:// or http://")


@frozen(kw_only=True, eq=False)
class AiSettings:
    """Settings of the engine and the search depth.

    A model's name can decide which company reads the text, so it is as private as the address.

    Attributes:
        engine: ``extractive`` works on this machine alone; ``openai`` sends text to a model.
            Packages bring others. Naming a model, its address or its key means ``openai``.
        api_base: The OpenAI-compatible endpoint.
        api_key: The key for it; better kept in ROVE_AI_API_KEY than in a file.
        model: The model that is asked.
        max_hops: How many references deep a search follows.
        timeout: How long an answer of the model may take, with all waits and retries.
        max_calls: How many requests to the model one build may send.
        max_tokens: How many tokens one build may send to the model and get back.
    """

    engine: str = field(default=EXTRACTIVE, validator=matches_re(r"[a-z][a-z0-9-]*"))
    api_base: str = field(default="", validator=_url)
    api_key: Secret | None = None
    model: str = "gpt-4o-mini"
    max_hops: int = field(default=3, validator=between(0, 10), metadata=SAFE)
    timeout: timedelta = field(
        default=timedelta(seconds=60),
        validator=between(timedelta(seconds=1), timedelta(hours=1)),
    )
    max_calls: int = field(default=40, validator=between(1, 1_000))
    max_tokens: int = field(default=100_000, validator=between(1_000, 10_000_000))
