"""What an account of Linear may set, and how one logs in."""

from typing import Final

from attrs import frozen

from rove_core import CommonSettings, LoginField, LoginWay

API_KEY: Final = LoginField(
    name="token",
    title="Personal API key (lin_api_...)",
    secret=True,
    help="New API key, with the permission Read; it is shown once.",
    environment=("LINEAR_API_KEY",),
)
KEY: Final = LoginWay(
    name="token",
    title="Personal API key",
    fields=(API_KEY,),
    url="https://linear.app/settings/account/security",
)


@frozen(kw_only=True)
class LinearSettings(CommonSettings):
    """The settings of a Linear account: those that every vendor has.

    Linear allows a key 2,500 requests an hour; 40 a minute stay below.
    """

    rate_limit: int = 40
