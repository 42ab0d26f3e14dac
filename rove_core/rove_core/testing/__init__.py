"""What the author of a plugin tests with: the compliance suite, doubles, a clock that obeys."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.testing.login import AnsweringLogin as AnsweringLogin
    from rove_core.testing.scene import Scene as Scene
    from rove_core.testing.scene import Vendor as Vendor
    from rove_core.testing.suite import SourceTests as SourceTests
else:
    _HOME = {
        "FAULTS": "faults",
        "AnsweringLogin": "login",
        "FaultProxy": "faults",
        "Scene": "scene",
        "SourceTests": "suite",
        "Vendor": "scene",
        "VirtualClock": "clock",
    }

    def __getattr__(name):
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)

    def __dir__():
        return sorted(__all__)


__all__ = [
    "FAULTS",
    "AnsweringLogin",
    "FaultProxy",
    "Scene",
    "SourceTests",
    "Vendor",
    "VirtualClock",
]
