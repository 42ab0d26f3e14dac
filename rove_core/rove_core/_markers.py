"""The pluggy markers: hooks that Rove specifies, and hooks that a plugin implements."""

import pluggy

hookspec = pluggy.HookspecMarker("rove")
hookimpl = pluggy.HookimplMarker("rove")
