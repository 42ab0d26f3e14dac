"""The section ``[credentials]`` of the settings."""

from typing import Literal

from attrs import frozen


@frozen(kw_only=True)
class CredentialSettings:
    """Settings of the credential store.

    Attributes:
        backend: The system's keychain, an encrypted file, or what works here.
        location: Whether that file is this user's, or lies in the project.
    """

    backend: Literal["auto", "keychain", "encrypted_file"] = "auto"
    location: Literal["user", "project"] = "user"
