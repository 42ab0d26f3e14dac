"""The keychain of the operating system: find a usable one, and keep logins in it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.auth.keychain.probe import load_keychain as load_keychain
    from rove_core.auth.keychain.probe import probe_keychain as probe_keychain
    from rove_core.auth.keychain.store import KeychainStore as KeychainStore
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "probe": ("load_keychain", "probe_keychain"),
            "store": ("KeychainStore",),
        },
    )

__all__ = ["KeychainStore", "load_keychain", "probe_keychain"]
