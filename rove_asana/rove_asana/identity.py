"""Identity of an account: its user, workspace and plan."""

from collections.abc import Sequence

from rove_asana.api import AsanaApi, segment
from rove_asana.references import HOST
from rove_asana.replies import CustomFieldReply, MeReply, NamedObject
from rove_core import Identity, ScopeMissing, WrongSetting


async def identity_of(api: AsanaApi, workspace_name: str) -> Identity:
    """Return the identity of the login.

    Args:
        api: Requests to the vendor.
        workspace_name: The name or the id of the workspace; empty for the only one.

    Raises:
        WrongSetting: There are several workspaces, and none was chosen.
    """
    me = await api.one("users/me", MeReply, "name,workspaces.name")
    workspace = _choose_workspace(me.workspaces, workspace_name)
    path = f"workspaces/{segment(workspace.gid)}"
    search = await api.search(f"{path}/tasks/search", text="rove", limit=1)
    limits = "" if search else " (free plan: searches read names, and tasks of recent projects)"
    return Identity(
        name=me.name,
        id=me.gid,
        reads=(f"{workspace.name}{limits}",),
        prefixes=await _prefixes(api, path) if search else (),
        hosts=(HOST,),
        workspace=workspace.gid,
    )


def _choose_workspace(workspaces: Sequence[NamedObject], name: str) -> NamedObject:
    fitting = [each for each in workspaces if name in ("", each.gid, each.name)]
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(each.name for each in workspaces)
    problem = f"Asana has no workspace {name} for you" if name else "You are in several workspaces"
    raise WrongSetting(
        f"{problem}; there are: {names}",
        hint='Choose one: rove --add-source asana --set workspace="NAME"',
    )


async def _prefixes(api: AsanaApi, path: str) -> tuple[str, ...]:
    """Return the prefixes of custom id fields."""
    fields = api.list(f"{path}/custom_fields", CustomFieldReply, "id_prefix")
    try:
        found = [each.id_prefix async for each in fields]
    except ScopeMissing:
        return ()
    return tuple(dict.fromkeys(filter(None, found)))
