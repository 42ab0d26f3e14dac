"""Test tools for plugin authors: the compliance suite, test doubles and a virtual clock."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.testing.clock import VirtualClock as VirtualClock
    from rove_core.testing.expected_item import ExpectedItem as ExpectedItem
    from rove_core.testing.faults import FAULTS as FAULTS
    from rove_core.testing.faults import FaultProxy as FaultProxy
    from rove_core.testing.faults import SeenRequest as SeenRequest
    from rove_core.testing.faults import ServerReply as ServerReply
    from rove_core.testing.login import AnsweringLogin as AnsweringLogin
    from rove_core.testing.scene import Scene as Scene
    from rove_core.testing.scene import Vendor as Vendor
    from rove_core.testing.source_under_test import LOOKALIKES as LOOKALIKES
    from rove_core.testing.suite import SourceTests as SourceTests
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "clock": ("VirtualClock",),
            "expected_item": ("ExpectedItem",),
            "source_under_test": ("LOOKALIKES",),
            "faults": ("FAULTS", "FaultProxy", "SeenRequest", "ServerReply"),
            "login": ("AnsweringLogin",),
            "scene": ("Scene", "Vendor"),
            "suite": ("SourceTests",),
        },
    )


__all__ = [
    "FAULTS",
    "LOOKALIKES",
    "AnsweringLogin",
    "ExpectedItem",
    "FaultProxy",
    "Scene",
    "SeenRequest",
    "ServerReply",
    "SourceTests",
    "Vendor",
    "VirtualClock",
]
