"""Settings of an account of Acme, and its login methods."""

from attrs import frozen
from rove_core import CommonSettings, LoginField, LoginWay

TOKEN = LoginField(
    name="token", title="Acme token", secret=True, help="In Acme: Profile, Tokens, New."
)
LOGINS = (LoginWay(name="token", title="Token", fields=(TOKEN,)),)


@frozen(kw_only=True)
class AcmeSettings(CommonSettings):
    """The settings of an account of Acme: page size and rate limit, as every vendor's."""
