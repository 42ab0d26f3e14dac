"""The two markers of the contract: what Rove specifies and what a plugin implements."""

import pluggy

hookspec = pluggy.HookspecMarker("rove")
hookimpl = pluggy.HookimplMarker("rove")
