"""Where logins are kept: the keychain of the system, an encrypted file, or this process alone.

:func:`choose_store` decides once per user and keeps to it. No store ever asks anybody
anything. What the environment holds comes before every store: :func:`environment_answers`.
"""

from rove_core.auth.credentials.choice import StoreChoice, remembered_choice
from rove_core.auth.credentials.choose import choose_store
from rove_core.auth.credentials.codec import decode, encode
from rove_core.auth.credentials.encrypted_file import EncryptedFileStore
from rove_core.auth.credentials.environment import environment_answers, field_variable
from rove_core.auth.credentials.keychain import KeychainStore
from rove_core.auth.credentials.memory import MemoryStore
from rove_core.auth.credentials.probe import load_keychain, probe_keychain
from rove_core.auth.credentials.store import CredentialStore

__all__ = [
    "CredentialStore",
    "EncryptedFileStore",
    "KeychainStore",
    "MemoryStore",
    "StoreChoice",
    "choose_store",
    "decode",
    "encode",
    "environment_answers",
    "field_variable",
    "load_keychain",
    "probe_keychain",
    "remembered_choice",
]
