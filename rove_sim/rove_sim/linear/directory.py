"""People, organization, teams, states and projects."""

from datetime import datetime
from typing import Final

from rove_sim import ids
from rove_sim.company_linear import LinearCycle, LinearProject
from rove_sim.company_people import Person, stranger
from rove_sim.graphql import Node
from rove_sim.linear.times import written
from rove_sim.linear.workspace import Workspace

_STATES: Final = {
    "triage": "triage",
    "backlog": "backlog",
    "todo": "unstarted",
    "done": "completed",
    "canceled": "canceled",
    "cancelled": "canceled",
    "duplicate": "duplicate",
}


def entity(id_: str, created: datetime, updated: datetime | None = None) -> dict[str, str | None]:
    """Return what all that has an id has beside."""
    times = {"createdAt": written(created), "updatedAt": written(updated or created)}
    return {"id": id_, **times, "archivedAt": None}


def organization(workspace: Workspace) -> Node:
    """Return the workspace itself."""
    name = workspace.company.name
    own = entity(ids.uuid(f"linear/organization/{name}"), workspace.founded)
    return {**own, "name": name, "urlKey": workspace.company.slug}


def user(workspace: Workspace, person: Person) -> Node:
    """Return a member."""
    return {
        **entity(person.linear, workspace.founded),
        "name": person.name,
        "displayName": person.key,
        "email": person.email,
        "active": person.active,
        "isMe": person == workspace.company.owner,
        "url": f"{workspace.home}/profiles/{person.key}",
        "timezone": person.time_zone,
        "organization": lambda _: organization(workspace),
    }


def actors(
    workspace: Workspace, who: str, member: str, outsider: str = ""
) -> dict[str, Node | None]:
    """Return the actor fields: a member, a bot or an outsider; the others are null.

    Args:
        workspace: Where.
        who: A person's key, or the name of somebody who is not of the company.
        member: What the field for a member is called.
        outsider: What the field for somebody outside is called, when there is one.
    """
    person = workspace.member(who)
    found: dict[str, Node | None] = {member: None, "botActor": None}
    if outsider:
        found[outsider] = None
    if (person or stranger(who)).bot:
        found["botActor"] = _bot(person or stranger(who))
    elif person:
        found[member] = user(workspace, person)
    elif who and outsider:
        found[outsider] = _outsider(workspace, who)
    return found


def member(workspace: Workspace, who: str) -> Node | None:
    """Return a member by key."""
    person = workspace.member(who)
    return user(workspace, person) if person else None


def team(workspace: Workspace, key: str) -> Node:
    """Return a team."""
    own = entity(team_id(key), workspace.founded)
    return {
        **own,
        "key": key,
        "name": key,
        "displayName": key,
        "visibility": "private" if key in workspace.company.private_teams else "public",
        "cyclesEnabled": bool(workspace.cycles(key)),
        "issueEstimationType": "fibonacci",
        "states": workspace.several(
            lambda: [state(workspace, name, key) for name in workspace.states(key)]
        ),
        "cycles": workspace.several(
            lambda: [cycle(workspace, each) for each in workspace.cycles(key)]
        ),
    }


def state(workspace: Workspace, name: str, key: str) -> Node:
    """Return a state of a team's issues."""
    return {
        **entity(state_id(name, key), workspace.founded),
        "name": name,
        "type": _STATES.get(name.lower(), "started"),
        "color": "#5e6ad2",
        "position": lambda _: float([*workspace.states(key), name].index(name)),
        "team": lambda _: team(workspace, key),
    }


def state_id(name: str, key: str) -> str:
    """Return the UUID of a state of a team."""
    return ids.uuid(f"linear/state/{key}/{name}")


def team_id(key: str) -> str:
    """Return the UUID of a team."""
    return ids.uuid(f"linear/team/{key}")


def label_id(name: str) -> str:
    """Return the UUID of a label."""
    return ids.uuid(f"linear/label/{name}")


def cycle_id(cycle: LinearCycle) -> str:
    """Return the UUID of a cycle."""
    return ids.uuid(f"linear/cycle/{cycle.team}/{cycle.number}")


def label(workspace: Workspace, name: str) -> Node:
    """Return a label."""
    own = entity(label_id(name), workspace.founded)
    return {**own, "name": name, "color": "#5e6ad2", "isGroup": False, "team": None}


def project_id(project: LinearProject) -> str:
    """Return the UUID of a project."""
    return ids.uuid(f"linear/project/{project.name}")


def project_node(workspace: Workspace, project: LinearProject) -> Node:
    """Return a project without its parts."""
    id_ = project_id(project)
    slug = f"{id_[:12].replace('-', '')}"
    changed = max([workspace.founded, *(each.at for each in project.updates)])
    return {
        **entity(id_, workspace.founded, changed),
        "name": project.name,
        "description": project.description,
        "content": project.content or None,
        "metadata": {},
        "slugId": slug,
        "url": f"{workspace.home}/project/{slug}",
        "state": project.state,
        "status": {
            "id": ids.uuid(f"linear/status/{project.state}"),
            "name": project.state.capitalize(),
            "type": project.state,
        },
        "lead": member(workspace, project.lead),
        "targetDate": project.target.isoformat() if project.target else None,
    }


def cycle(workspace: Workspace, entry: LinearCycle) -> Node:
    """Return a cycle."""
    now = workspace.now()
    return {
        **entity(cycle_id(entry), workspace.founded),
        "number": float(entry.number),
        "name": entry.name or None,
        "description": None,
        "isActive": entry.starts <= now < entry.ends,
        "isFuture": now < entry.starts,
        "isPast": entry.ends <= now,
        "startsAt": written(entry.starts),
        "endsAt": written(entry.ends),
        "team": lambda _: team(workspace, entry.team),
    }


def _bot(person: Person) -> Node:
    return {
        "id": person.linear,
        "name": person.name,
        "type": "integration",
        "userDisplayName": None,
    }


def _outsider(workspace: Workspace, name: str) -> Node:
    own = entity(ids.uuid(f"linear/external/{name}"), workspace.founded)
    return {**own, "name": name, "displayName": name, "email": None}
