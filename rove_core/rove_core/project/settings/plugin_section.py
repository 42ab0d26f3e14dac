"""A settings section of a package, and who may set its keys."""

from typing import Any, Final, Generic, TypeAlias, TypeVar

import attrs
from attrs import frozen

OwnSettings = TypeVar("OwnSettings", bound=attrs.AttrsInstance)

#: A project's file may set it even if nobody vouched for the file: at worst, documents are worse.
SAFE: Final = {"safe": True}


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
