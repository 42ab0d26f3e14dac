"""Logging in to Azure DevOps with a personal access token."""

from base64 import b64encode

from rove_azure.settings import ACCESS_TOKEN, AzureSettings
from rove_core import Account, Credential, Login, authorization


async def enter(account: Account[AzureSettings], login: Login) -> Credential:
    """Ask for a token, which Azure takes as a password without a name."""
    token = await login.ask_secret(ACCESS_TOKEN)
    given = b64encode(f":{token.reveal().strip()}".encode()).decode()
    return authorization(account, f"Basic {given}")
