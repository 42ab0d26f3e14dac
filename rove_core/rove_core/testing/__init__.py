"""What the author of a plugin tests with: the compliance suite, doubles, a clock that obeys."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.testing.clock import VirtualClock as VirtualClock
    from rove_core.testing.faults import FAULTS as FAULTS
    from rove_core.testing.faults import FaultProxy as FaultProxy
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

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415  # nobody pays who does not ask

        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)

    def __dir__() -> list[str]:
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
