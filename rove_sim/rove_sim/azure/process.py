"""The Agile process: work item types, their states and legal transitions."""

from collections.abc import Mapping
from typing import Final

from rove_core import JSON

#: States with what each means, in order.
STATES: Final[Mapping[str, Mapping[str, str]]] = {
    "User Story": {
        "New": "Proposed",
        "Active": "InProgress",
        "Resolved": "Resolved",
        "Closed": "Completed",
        "Removed": "Removed",
    },
    "Task": {
        "New": "Proposed",
        "Active": "InProgress",
        "Closed": "Completed",
        "Removed": "Removed",
    },
    "Bug": {
        "New": "Proposed",
        "Active": "InProgress",
        "Resolved": "Resolved",
        "Closed": "Completed",
    },
}
_MORE: Final = {"Epic": "User Story", "Feature": "User Story"}
#: What leads from a state to some others only.
_ONLY: Final = {"Removed": ("New",)}
#: The type that each category of work has by default.
DEFAULTS: Final = {
    "Microsoft.RequirementCategory": "User Story",
    "Microsoft.TaskCategory": "Task",
    "Microsoft.EpicCategory": "Epic",
}
POINTS: Final = "Microsoft.VSTS.Scheduling.StoryPoints"
DUE: Final = "Microsoft.VSTS.Scheduling.DueDate"
PRIORITY: Final = "Microsoft.VSTS.Common.Priority"
CRITERIA: Final = "Microsoft.VSTS.Common.AcceptanceCriteria"
_FIELDS: Final = {
    "System.Title": "Title",
    "System.Description": "Description",
    "System.State": "State",
    "System.AssignedTo": "Assigned To",
    "System.Tags": "Tags",
    "System.IterationPath": "Iteration Path",
    PRIORITY: "Priority",
    CRITERIA: "Acceptance Criteria",
    POINTS: "Story Points",
    DUE: "Due Date",
}


def states_of(kind: str) -> Mapping[str, str] | None:
    """Return the states of a type, each with its category; None for no type."""
    return STATES.get(_MORE.get(kind, kind))


def follows(kind: str, state: str) -> list[str]:
    """Return what may follow a state."""
    others = [each for each in states_of(kind) or () if each != state]
    return [each for each in others if each in _ONLY.get(state, others)]


def type_json(kind: str) -> JSON:
    """Return the JSON of a work item type."""
    states = states_of(kind) or {}
    return {
        "name": kind,
        "referenceName": f"Microsoft.VSTS.WorkItemTypes.{kind.replace(' ', '')}",
        "states": [
            {"name": name, "color": "b2b2b2", "category": of} for name, of in states.items()
        ],
        "transitions": {
            "": [{"to": next(iter(states)), "actions": None}],
            **{
                name: [{"to": to, "actions": None} for to in follows(kind, name)] for name in states
            },
        },
        "fieldInstances": [
            {"referenceName": ref, "name": name, "alwaysRequired": ref == "System.Title"}
            for ref, name in _FIELDS.items()
        ],
        "isDisabled": False,
    }
