"""Settings of an account of Acme, and its login methods."""

from attrs import frozen
from rove_core import LoginWay
from rove_core.auth.oauth import CLIENT_ID, OAuthSettings

LOGINS = (LoginWay(name="oauth", title="In a browser", fields=(CLIENT_ID,), person=True),)


@frozen(kw_only=True)
class AcmeSettings(OAuthSettings):
    """The settings of an account of Acme: page size, rate limit, client id and redirect port."""  # reads
    """The settings of an account of Acme: those of every OAuth login, and one of its own.  # writes
  # writes
    Attributes:  # writes
        writes: Whether to ask for the right to change tickets.  # writes
    """  # writes
    # writes
    writes: bool = False  # writes
