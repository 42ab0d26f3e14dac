"""Asana's objects as JSON: compact, full, or with requested fields."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, TypeAlias

from rove_core import JSON
from rove_sim.asana.rich_text import plain
from rove_sim.asana.workspace import (
    AsanaWorkspace,
    attachment_gid,
    field_gid,
    option_gid,
    person_gid,
    section_gid,
    story_gid,
    tag_gid,
)
from rove_sim.company_asana import AsanaField, AsanaProject, AsanaTask
from rove_sim.company_people import Person

_SITE: Final = "https://app.asana.com"
#: What an object of its own is shown by in another one, and in lists.
_COMPACT: Final = ("gid", "resource_type", "resource_subtype", "name")
#: What is only told when it is asked for by name.
_OPT_IN: Final = frozenset({"dependencies", "dependents", "html_notes", "html_text", "created_by"})

Record: TypeAlias = dict[str, JSON]


def select(record: Mapping[str, JSON], fields: Iterable[str]) -> Record:
    """Return an object with its id and the fields that a request names, also those of others."""
    selection: dict[str, list[str]] = {"gid": []}
    for name in fields:
        first, _, rest = name.partition(".")
        selection.setdefault(first, []).extend([rest] if rest else [])
    return {
        name: _inner(record[name], inner) for name, inner in selection.items() if name in record
    }


def compact(record: Mapping[str, JSON]) -> Record:
    """Return the compact form of an object, as in lists."""
    return {name: record[name] for name in _COMPACT if name in record}


def whole(record: Mapping[str, JSON]) -> Record:
    """Return an object with all that needs no asking for."""
    return {name: _inner(value, ()) for name, value in record.items() if name not in _OPT_IN}


def _inner(value: JSON, fields: Iterable[str]) -> JSON:
    if isinstance(value, list):
        return [_inner(each, fields) for each in value]
    if isinstance(value, dict) and "gid" in value:
        return select(value, fields) if (fields := [*fields]) else compact(value)
    if isinstance(value, dict) and fields:
        return {name: each for name, each in select(value, fields).items() if name != "gid"}
    return value


def written(at: datetime | None) -> JSON:
    """Return a time as Asana writes it."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z") if at else None


def workspace_record(workspace: AsanaWorkspace) -> Record:
    """Return the workspace."""
    name = workspace.company.name
    return {"gid": workspace.gid, "resource_type": "workspace", "name": name}


def user_record(workspace: AsanaWorkspace, person: Person) -> Record:
    """Return a person."""
    return {
        "gid": person_gid(person),
        "resource_type": "user",
        "name": person.name,
        "email": person.email,
        "workspaces": [workspace_record(workspace)],
    }


def project_record(workspace: AsanaWorkspace, project: AsanaProject) -> Record:
    """Return a project."""
    changed = [each.changed for each in workspace.within(project)]
    return {
        **_project(project),
        "archived": project.archived,
        "privacy_setting": "private" if project.private else "public_to_workspace",
        "modified_at": written(max(changed, default=None)),
        "workspace": workspace_record(workspace),
    }


def section_record(project: AsanaProject, name: str) -> Record:
    """Return a section."""
    gid = section_gid(project, name)
    return {"gid": gid, "resource_type": "section", "name": name}


def tag_record(name: str) -> Record:
    """Return a tag."""
    return {"gid": tag_gid(name), "resource_type": "tag", "name": name}


def field_record(one: AsanaField, value: str = "") -> Record:
    """Return a custom field, with the value that a task has in it."""
    options: list[JSON] = [_option(one, name) for name in one.options]
    record: Record = {
        "gid": field_gid(one),
        "resource_type": "custom_field",
        "resource_subtype": "text" if one.kind == "id" else one.kind,
        "type": "text" if one.kind == "id" else one.kind,
        "representation_type": "custom_id" if one.kind == "id" else one.kind,
        "name": one.name,
        "display_value": value or None,
        "id_prefix": one.prefix or None,
    }
    match one.kind:
        case "enum":
            chosen = _option(one, value) if value else None
            record |= {"enum_options": options, "enum_value": chosen}
        case "multi_enum":
            several: list[JSON] = [_option(one, each) for each in value.split(", ") if each]
            record |= {"enum_options": options, "multi_enum_values": several}
        case "number":
            record["number_value"] = float(value) if value else None
        case _:
            record["text_value"] = value or None
    return record


def _option(one: AsanaField, name: str) -> Record:
    gid = option_gid(one, name)
    return {"gid": gid, "resource_type": "enum_option", "name": name, "enabled": True}


def story_record(workspace: AsanaWorkspace, task: AsanaTask, number: int) -> Record:
    """Return a comment of a task, or a line of its history."""
    story = task.stories[number]
    is_comment = story.kind == "comment_added"
    record: Record = {
        "gid": story_gid(task, number),
        "resource_type": "story",
        "resource_subtype": story.kind,
        "type": "comment" if is_comment else "system",
        "created_at": written(story.at),
        "created_by": user_record(workspace, workspace.company.person(story.author)),
        "is_edited": story.edited is not None,
        "text": plain(story.text) if is_comment else story.text,
    }
    return {**record, "html_text": f"<body>{story.text}</body>"} if is_comment else record


def attachment_record(task: AsanaTask, number: int, origin: str) -> Record:
    """Return an attachment of a task; a file is downloaded from another place."""
    attachment, gid = task.attachments[number], attachment_gid(task, number)
    download = None if attachment.url else f"{origin}/assets/{gid}"
    page = attachment.url or f"{_SITE}/app/asana/-/get_asset?asset_id={gid}"
    return {
        "gid": gid,
        "resource_type": "attachment",
        "resource_subtype": "external" if attachment.url else "asana",
        "name": attachment.name,
        "created_at": written(attachment.at),
        "download_url": download,
        "permanent_url": page,
        "view_url": page,
        "size": attachment.size or None,
        "parent": _reference(task),
    }


def task_record(workspace: AsanaWorkspace, task: AsanaTask) -> Record:
    """Return a task with all that can be asked of it."""
    parent = workspace.tasks.get(task.parent)
    person = workspace.company.person
    waiting = [each for each in workspace.tasks.values() if task.gid in each.depends_on]
    return {
        **_reference(task),
        "approval_status": None,
        "assignee": user_record(workspace, person(task.assignee)) if task.assignee else None,
        "completed": task.completed is not None,
        "completed_at": written(task.completed),
        "created_at": written(task.created),
        "created_by": user_record(workspace, person(task.author)),
        "custom_fields": [field_record(*each) for each in field_values(workspace, task)],
        "dependencies": [_bare(gid) for gid in task.depends_on],
        "dependents": [_bare(each.gid) for each in waiting],
        "due_at": None,
        "due_on": task.due.isoformat() if task.due else None,
        "followers": [user_record(workspace, person(each)) for each in task.followers],
        "html_notes": f"<body>{task.notes}</body>",
        "memberships": [*_memberships(workspace, task)],
        "modified_at": written(task.changed),
        "notes": plain(task.notes),
        "num_subtasks": len(workspace.below(task)),
        "parent": _reference(parent) if parent else None,
        "permalink_url": f"{_SITE}/1/{workspace.gid}/task/{task.gid}",
        "start_on": None,
        "tags": [tag_record(each) for each in task.tags],
        "workspace": workspace_record(workspace),
    }


def field_values(workspace: AsanaWorkspace, task: AsanaTask) -> list[tuple[AsanaField, str]]:
    """Return the custom fields of a task's projects, each once and with its value."""
    values = {each.field: each.value for each in task.values}
    projects = filter(None, (workspace.named(each.project) for each in task.places))
    found = {each.name: each for project in projects for each in project.fields}
    return [(each, values.get(name, "")) for name, each in found.items()]


def _memberships(workspace: AsanaWorkspace, task: AsanaTask) -> Iterable[JSON]:
    for place in task.places:
        if project := workspace.named(place.project):
            section = workspace.section(task, project.name)
            yield {
                "project": _project(project),
                "section": section_record(project, section),
            }


def _reference(task: AsanaTask) -> Record:
    return {
        "gid": task.gid,
        "resource_type": "task",
        "resource_subtype": task.kind,
        "name": task.name,
    }


def _project(project: AsanaProject) -> Record:
    return {"gid": project.gid, "resource_type": "project", "name": project.name}


def _bare(gid: str) -> JSON:
    return {"gid": gid, "resource_type": "task"}
