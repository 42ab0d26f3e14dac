"""Settings of an account of Acme."""

from attrs import frozen


@frozen(kw_only=True)
class AcmeSettings:
    """The settings of an account of Acme.

    Attributes:
        file: The tracker's export as JSON: an absolute path, one below ``~``, or one in the project.
    """

    file: str = "acme.json"
