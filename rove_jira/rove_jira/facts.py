"""What is known of a ticket besides its words: where it stands, whose it is, what it is part of."""

from rove_core import JSON
from rove_jira.custom import custom_fields
from rove_jira.reading import at, moment, text, texts
from rove_jira.related import related


def facts(issue: JSON) -> dict[str, JSON]:
    """Return the facts of a ticket by name; those it does not have are left out."""
    fields = at(issue, "fields")
    created = moment(fields, "created")
    found: dict[str, JSON] = {
        "created": created.isoformat() if created else "",
        "type": text(fields, "issuetype", "name"),
        "status": text(fields, "status", "name"),
        "status_category": text(fields, "status", "statusCategory", "name"),
        "resolution": text(fields, "resolution", "name"),
        "priority": text(fields, "priority", "name"),
        "assignee": text(fields, "assignee", "displayName"),
        "reporter": text(fields, "reporter", "displayName"),
        "due": text(fields, "duedate"),
        "labels": texts(fields, "labels"),
        "components": texts(fields, "components"),
        "fix_versions": texts(fields, "fixVersions"),
        "attachments": texts(fields, "attachment", name="filename"),
        "related": _related(issue),
        "fields": _chosen(issue),
    }
    return {name: value for name, value in found.items() if value}


def _related(issue: JSON) -> list[JSON]:
    return [
        {"how": other.how, "id": other.key, "title": other.title, "status": other.status}
        for other in dict.fromkeys(related(issue))
    ]


def _chosen(issue: JSON) -> list[JSON]:
    """Return what was chosen in the fields that the site has added."""
    return [
        {"name": field.name, "value": field.chosen}
        for field in custom_fields(issue)
        if not field.is_prose and field.chosen
    ]
