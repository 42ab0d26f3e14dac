"""The section ``[context]`` of the settings."""

from typing import Final, Literal

from attrs import field, frozen
from attrs.validators import deep_iterable, matches_re

from rove_core.project.settings.bounds import between
from rove_core.project.settings.plugin_section import SAFE

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

    max_tokens: int = field(default=8000, validator=between(500, 1_000_000), metadata=SAFE)
    shape: Literal["decisions", "seed"] = field(default="decisions", metadata=SAFE)
    commit: bool = False
    link_hosts: tuple[str, ...] = field(
        default=DOCUMENTATION_HOSTS, validator=deep_iterable(matches_re(_LINK_HOST))
    )
