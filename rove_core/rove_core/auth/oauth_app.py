"""An OAuth app of a person's own: what is asked about it, and where its vendor answers."""

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
class AppSettings(CommonSettings):
    """The settings of a source to which one may log in with an app of one's own.

    Attributes:
        client_id: The client id of the app, which is no secret; asked for when empty.
        redirect_port: The port of ``http://localhost:PORT/callback``, as the app has it.
    """

    client_id: str = ""
    redirect_port: int = attrs.field(
        default=REDIRECT_PORT, validator=(attrs.validators.ge(1), attrs.validators.le(65535))
    )


@frozen(kw_only=True)
class App:
    """An app, and the addresses at which its vendor lets people in through it.

    Attributes:
        client_id: What the vendor calls it.
        secret: Its secret; without one it proves with PKCE that it is the same all along.
        token: Where a code, or what renews a login, is exchanged.
        authorize: The page on which the person agrees.
        device: Where a code is to be had that the person types.
        port: The port of this machine to which the vendor sends the browser.
        json: Whether the vendor wants JSON where others take a form.
        holder: The object in a reply that holds a person's tokens, where it is not the reply.
    """

    client_id: str
    secret: Secret | None = None
    token: str
    authorize: str = ""
    device: str = ""
    port: int = 0
    json: bool = False
    holder: str = ""
