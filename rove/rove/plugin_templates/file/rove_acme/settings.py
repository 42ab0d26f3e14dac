"""What an account of Acme may set."""

from attrs import frozen


@frozen(kw_only=True)
class AcmeSettings:
    """The settings of an Acme account.

    Attributes:
        file: The tracker's export as JSON.
    """

    file: str = "acme.json"
