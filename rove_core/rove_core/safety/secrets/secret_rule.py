"""A rule that recognises one kind of secret."""

from collections.abc import Callable
from typing import Final, TypeAlias

from attrs import field, frozen

from rove_core.safety.secrets.checks import is_random

Check: TypeAlias = Callable[[str], bool]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@frozen(eq=False, repr=False)
class SecretRule:
    """A rule that recognises one kind of secret.

    Attributes:
        kind: What it is called where it stood.
        signs: Texts of which one is in every such secret; only where one is, anything is compared.
        pattern: The secret from its first character on; where it has a group, that is the secret.
        check: What the secret must pass too, so that no example or word is taken for one.
        inside: A sign may stand anywhere in the secret, not only at its beginning.
        unless: A pattern of what proves the opposite, before the secret in the same word.
    """

    kind: str
    signs: tuple[str, ...] = field(converter=_words)
    pattern: str
    check: Check = is_random
    inside: bool = field(default=False, kw_only=True)
    unless: str = field(default="", kw_only=True)


#: The pattern of a UUID in lower case.
UUID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

#: A signed address with a date before 2025: none is valid for longer than some days.
EXPIRED: Final = r"X-Amz-Date=20(?:1\d|2[0-4])|Expires=1[0-6]\d{8}(?!\d)"
