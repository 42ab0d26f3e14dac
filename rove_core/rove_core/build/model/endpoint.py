"""The model's endpoint, and the key bound to it."""

from collections.abc import Mapping
from typing import Final, Protocol

from attrs import frozen

from rove_core.errors import WrongSetting
from rove_core.http.addresses import Address, parse_address
from rove_core.login import Credential
from rove_core.project.settings import Origin
from rove_core.safety.secret import Secret

OPENAI: Final = "https://api.openai.com/v1"
_FILES: Final = frozenset({"project", "user"})


class EndpointSettings(Protocol):
    """A section of the settings that names an endpoint."""

    @property
    def api_base(self) -> str:
        """The endpoint's address; empty for OpenAI's."""

    @property
    def api_key(self) -> Secret | None:
        """The key for it."""

    @property
    def model(self) -> str:
        """The model's name."""


class Origins(Protocol):
    """Knows the origins of settings, as :class:`~rove_core.project.settings.Settings` does."""

    def origin(self, key: str) -> Origin:
        """Return where a setting's value comes from."""


@frozen(kw_only=True)
class Endpoint:
    """An OpenAI-compatible endpoint.

    Attributes:
        base_url: Its base URL; ``/chat/completions`` is below it.
        model: The name of the model.
        key: The key for it; None if none is needed, as with a local model.
        is_openais_own: Whether no setting names it, so that the ``openai`` package's own
            variables decide, and the headers they ask for are sent.
        withheld: Where a key was found that belongs to another endpoint; empty if there is none.
    """

    base_url: str
    model: str
    key: Secret | None = None
    is_openais_own: bool = False
    withheld: str = ""

    @property
    def address(self) -> Address:
        """The parsed base URL."""
        return parse_address(self.base_url)

    @property
    def lacks_key(self) -> bool:
        """Whether it requires a key and none is set."""
        return self.key is None and self.address.host == parse_address(OPENAI).host

    async def credential(self) -> Credential | None:
        """Return the credential, bound to the endpoint's host; None if none is needed."""
        if self.key is None:
            return None
        header = Secret(f"Bearer {self.key.reveal()}")
        return Credential(headers={"Authorization": header}, hosts=(self.address.host,))


def endpoint_of(
    settings: Origins, wanted: EndpointSettings, environ: Mapping[str, str], *, section: str = "ai"
) -> Endpoint:
    """Return the endpoint that the settings name, else the one of the ``openai`` package.

    A key in a file belongs to the endpoint that the same file names. A key in an environment
    variable belongs to any endpoint: whoever sets it for a command sees both.

    Args:
        settings: The settings of the project, which know where each value comes from.
        wanted: The section of them that names the endpoint.
        environ: The environment variables.
        section: The section's name.

    Raises:
        WrongSetting: The URL is invalid.
    """
    if not wanted.api_base:
        return _openais_own(wanted, environ)
    base_url = _check_url(f"{section}.api_base", wanted.api_base)
    if wanted.api_key and _is_elsewhere(settings, section):
        place = settings.origin(f"{section}.api_key").place
        return Endpoint(base_url=base_url, model=wanted.model, withheld=place)
    return Endpoint(base_url=base_url, model=wanted.model, key=wanted.api_key or None)


def _openais_own(settings: EndpointSettings, environ: Mapping[str, str]) -> Endpoint:
    if settings.api_key:
        # Nothing says that this key is for an endpoint other than OpenAI's.
        return Endpoint(base_url=OPENAI, model=settings.model, key=settings.api_key)
    key = environ.get("OPENAI_API_KEY", "").strip()
    return Endpoint(
        base_url=_check_url("OPENAI_BASE_URL", environ.get("OPENAI_BASE_URL") or OPENAI),
        model=settings.model,
        key=Secret(key) if key else None,
        is_openais_own=True,
    )


def _is_elsewhere(settings: Origins, section: str) -> bool:
    """Return whether the key and the endpoint come from different settings layers."""
    key = settings.origin(f"{section}.api_key").level
    return key in _FILES and key != settings.origin(f"{section}.api_base").level


def _check_url(name: str, url: str) -> str:
    try:
        parse_address(url)
    except ValueError as error:
        hint = f"Fix {name}: use an address like {OPENAI}, without a login in it."
        raise WrongSetting(f"{name}: {error}", hint=hint) from error
    return url.rstrip("/")
