"""OAuth 2.0 for authors of sources: browser and device logins, and their renewal.

``browser_login`` sends the person to the vendor's page and exchanges the code that comes back
(PKCE when the app has no secret). ``device_login`` shows a code to type. ``renew_login`` exchanges
a login that expires for the next one, and keeps a refresh token that the vendor did not replace.
All three read the vendor's reply, and raise ``LoginRefused`` when it refuses, also where a vendor
reports an error with status 200.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.auth.oauth._app import CLIENT_ID as CLIENT_ID
    from rove_core.auth.oauth._app import CLIENT_SECRET as CLIENT_SECRET
    from rove_core.auth.oauth._app import OAuthApp as OAuthApp
    from rove_core.auth.oauth._app import OAuthSettings as OAuthSettings
    from rove_core.auth.oauth._flows import browser_login as browser_login
    from rove_core.auth.oauth._flows import device_login as device_login
    from rove_core.auth.oauth._flows import renew_login as renew_login
    from rove_core.auth.oauth._replies import OAuthToken as OAuthToken
    from rove_core.auth.oauth._replies import oauth_fault as oauth_fault
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "_app": ("CLIENT_ID", "CLIENT_SECRET", "OAuthApp", "OAuthSettings"),
            "_flows": ("browser_login", "device_login", "renew_login"),
            "_replies": ("OAuthToken", "oauth_fault"),
        },
    )

__all__ = [
    "CLIENT_ID",
    "CLIENT_SECRET",
    "OAuthApp",
    "OAuthSettings",
    "OAuthToken",
    "browser_login",
    "device_login",
    "oauth_fault",
    "renew_login",
]
