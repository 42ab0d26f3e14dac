"""All settings, declared once: name, type, default, meaning, and who may set them."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

import attrs
from attrs import field, frozen
from attrs.validators import deep_iterable, matches_re

from rove_core.auth.account_names import is_account_name
from rove_core.safety.secret import Secret
from rove_core.tasks.intervals import Pace

Bound = TypeVar("Bound", int, timedelta)
OwnSettings = TypeVar("OwnSettings", bound=attrs.AttrsInstance)
Validator = Callable[[object, "attrs.Attribute[Bound]", Bound], None]

#: The engine that works on this machine alone.
EXTRACTIVE: Final = "extractive"
#: The engine that is meant by whoever names a model, its address or its key, and no engine.
MODEL_ENGINE: Final = "openai"
#: A project's file may set it even if nobody vouched for the file: at worst, documents are worse.
SAFE: Final = {"safe": True}


def _between(least: Bound, most: Bound) -> Validator[Bound]:
    def validate(_: object, attribute: "attrs.Attribute[Bound]", value: Bound) -> None:
        if not least <= value <= most:
            raise ValueError(f"{attribute.name} must be between {least} and {most}")

    return validate


def _names(_: object, __: object, value: str | tuple[str, ...]) -> None:
    for name in (value,) if isinstance(value, str) else value:
        if name and not is_account_name(name):
            raise ValueError(f"{name!r} is not an account name, like jira or jira:work")


def _url(_: object, __: object, value: str) -> None:
    if value and not (urlsplit(value).scheme in {"http", "https"} and urlsplit(value).hostname):
        raise ValueError("expected a URL that begins with https:// or http://")


def _lower(name: str) -> str:
    return name.lower()


def _all_lower(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_lower, names))


@frozen(kw_only=True)
class SourcesSettings:
    """Accounts that a project uses.

    Attributes:
        default_ticket_source: The account, or the kind of source, that tickets are looked up in.
        use: The accounts this project may search; no other is ever asked.
    """

    default_ticket_source: str = field(
        default="", converter=_lower, validator=_names, metadata=SAFE
    )
    use: tuple[str, ...] = field(default=(), converter=_all_lower, validator=_names)


@frozen(kw_only=True)
class SchedulerSettings:
    """Settings of the refresh schedule.

    Attributes:
        refresh_interval: How old a document may be before it is refreshed.
        retry_attempts: How often a failed task is tried again.
        retry_delay: How long to wait before that.
        staleness_threshold: How long nothing may happen before a document is left alone.
    """

    refresh_interval: timedelta = field(
        default=Pace().refresh_interval,
        validator=_between(timedelta(minutes=1), timedelta(days=365)),
        metadata=SAFE,
    )
    retry_attempts: int = field(default=3, validator=_between(0, 100), metadata=SAFE)
    retry_delay: timedelta = field(
        default=timedelta(minutes=30),
        validator=_between(timedelta(seconds=1), timedelta(days=7)),
        metadata=SAFE,
    )
    staleness_threshold: timedelta = field(
        default=Pace().staleness_threshold,
        validator=_between(timedelta(hours=1), timedelta(days=3650)),
        metadata=SAFE,
    )

    @property
    def pace(self) -> Pace:
        """Refresh interval of documents."""
        return Pace(self.refresh_interval, self.staleness_threshold)


@frozen(kw_only=True)
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
    max_hops: int = field(default=3, validator=_between(0, 10), metadata=SAFE)
    timeout: timedelta = field(
        default=timedelta(seconds=60),
        validator=_between(timedelta(seconds=1), timedelta(hours=1)),
    )
    max_calls: int = field(default=40, validator=_between(1, 1_000))
    max_tokens: int = field(default=100_000, validator=_between(1_000, 10_000_000))


#: Hosts with nothing but pages that a project's own people wrote or reviewed. A host that also
#: publishes what strangers send in is none: a mailing list's archive, errata, shared code.
DOCUMENTATION_HOSTS: Final = (
    "docs.djangoproject.com",
    "docs.github.com",
    "docs.python.org",
    "kubernetes.io",
    "peps.python.org",
)
_LINK_HOST: Final = r"[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::[0-9]{1,5})?"


@frozen(kw_only=True)
class ContextSettings:
    """Settings of documents.

    Attributes:
        max_tokens: How much Rove writes into one document at most.
        shape: What a document begins with: ``decisions``, the change, the people and what is
            open; or ``seed``, the ticket's own words.
        commit: Whether git may track the documents.
        link_hosts: Hosts that addresses in quotes may lead to, besides those of the accounts:
            an address of any other host is written so that nothing follows it.
    """

    max_tokens: int = field(default=8000, validator=_between(500, 1_000_000), metadata=SAFE)
    shape: Literal["decisions", "seed"] = field(default="decisions", metadata=SAFE)
    commit: bool = False
    link_hosts: tuple[str, ...] = field(
        default=DOCUMENTATION_HOSTS, validator=deep_iterable(matches_re(_LINK_HOST))
    )


@frozen(kw_only=True)
class CredentialSettings:
    """Settings of the credential store.

    Attributes:
        backend: The system's keychain, an encrypted file, or what works here.
        location: Whether that file is this user's, or lies in the project.
    """

    backend: Literal["auto", "keychain", "encrypted_file"] = "auto"
    location: Literal["user", "project"] = "user"


#: The class of each of the core's own sections of a settings file.
SECTIONS: Final[dict[str, type[attrs.AttrsInstance]]] = {
    "sources": SourcesSettings,
    "scheduler": SchedulerSettings,
    "ai": AiSettings,
    "context": ContextSettings,
    "credentials": CredentialSettings,
}


@frozen(kw_only=True)
class SettingsSection(Generic[OwnSettings]):
    """A section of the settings files that a package provides: ``[memory]``.

    Attributes:
        name: The section's name, in lower case: ``memory``.
        settings: An attrs class whose fields all have defaults. Each field is a key, explained in
            the docstring under ``Attributes``; one with ``metadata=SAFE`` may be set by a file
            that nobody vouched for. A validator's ValueError refuses a value.
        decides: What its unsafe keys decide, as the end of a sentence, for whoever is asked to
            trust a file: "who is sent the code".
    """

    name: str
    settings: type[OwnSettings]
    decides: str = ""


AnySettingsSection: TypeAlias = SettingsSection[Any]
