"""An OAuth app that the user registered: its id, its secret and its vendor's addresses."""

from typing import Final

import attrs
from attrs import frozen

from rove_core.login import LoginField
from rove_core.safety.secret import Secret
from rove_core.sources import CommonSettings

CLIENT_ID: Final = LoginField(name="client_id", title="Client id of your app")
CLIENT_SECRET: Final = LoginField(name="client_secret", title="Its client secret", secret=True)

#: Where an app sends the browser, unless it is registered with another port.
REDIRECT_PORT: Final = 17683
#: The path that goes with it.
REDIRECT_PATH: Final = "/callback"


@frozen(kw_only=True)
class OAuthSettings(CommonSettings):
    """Settings of a source that offers OAuth; a kind's settings class inherits them.

    Attributes:
        client_id: The app's client id, not a secret; asked for when empty.
        redirect_port: The port of ``http://localhost:PORT/callback`` that the app registered.
    """

    client_id: str = ""
    redirect_port: int = attrs.field(
        default=REDIRECT_PORT, validator=(attrs.validators.ge(1), attrs.validators.le(65535))
    )


@frozen(kw_only=True)
class OAuthApp:
    """An OAuth app and its vendor's addresses.

    Attributes:
        client_id: The client id.
        secret: The client secret; PKCE is used without one, and where a resource is named.
        token: The token endpoint.
        authorize: The authorization page, for a browser login.
        device: The device authorization endpoint, for a device login.
        port: The local port that the vendor redirects to.
        json: Whether the token endpoint takes JSON instead of a form.
        holder: The key of the object that holds the tokens, when it is not the reply itself.
        resource: What the token is for (RFC 8707); the vendor is told with each request.
        issuer: What the vendor calls itself; the origin of its page when empty.
    """

    client_id: str
    secret: Secret | None = None
    token: str
    authorize: str = ""
    device: str = ""
    port: int = 0
    json: bool = False
    holder: str = ""
    resource: str = ""
    issuer: str = ""
