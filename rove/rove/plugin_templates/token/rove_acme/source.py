"""An account of Acme: people log in with a token."""

from rove_core import Credential, Login, authorization, hookimpl

from rove_acme.settings import TOKEN
from rove_acme.tracker import AcmeTracker  # reads
from rove_acme.work_items import AcmeWorkItems  # writes


class AcmeSource(AcmeTracker):  # reads
    """Reads one account of Acme with somebody's token."""  # reads
class AcmeSource(AcmeWorkItems):  # writes
    """Reads and changes one account of Acme with somebody's token."""  # writes

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for the token. The core stores it, and sends it to the account's host only."""
        token = await login.ask_secret(TOKEN)
        return authorization(self._account, f"Bearer {token.reveal()}")
