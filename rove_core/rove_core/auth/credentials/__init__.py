"""Credential stores: the choice of one, the encrypted file, and memory.

:func:`choose_store` decides once per user and keeps to it. No store ever asks anybody
anything. What the environment holds comes before every store: :func:`environment_answers`.
The store in the operating system's keychain is in :mod:`rove_core.auth.keychain`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.auth.credentials.choice import StoreChoice as StoreChoice
    from rove_core.auth.credentials.choice import remembered_choice as remembered_choice
    from rove_core.auth.credentials.choose import choose_store as choose_store
    from rove_core.auth.credentials.codec import decode as decode
    from rove_core.auth.credentials.codec import encode as encode
    from rove_core.auth.credentials.encrypted_file import EncryptedFileStore as EncryptedFileStore
    from rove_core.auth.credentials.environment import environment_answers as environment_answers
    from rove_core.auth.credentials.environment import field_variable as field_variable
    from rove_core.auth.credentials.memory import MemoryStore as MemoryStore
    from rove_core.auth.credentials.store import CredentialStore as CredentialStore
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "choice": ("StoreChoice", "remembered_choice"),
            "choose": ("choose_store",),
            "codec": ("decode", "encode"),
            "encrypted_file": ("EncryptedFileStore",),
            "environment": ("environment_answers", "field_variable"),
            "memory": ("MemoryStore",),
            "store": ("CredentialStore",),
        },
    )

__all__ = [
    "CredentialStore",
    "EncryptedFileStore",
    "MemoryStore",
    "StoreChoice",
    "choose_store",
    "decode",
    "encode",
    "environment_answers",
    "field_variable",
    "remembered_choice",
]
