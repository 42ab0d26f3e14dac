"""Azure DevOps' field names."""

from typing import Final

ID: Final = "System.Id"
TITLE: Final = "System.Title"
DESCRIPTION: Final = "System.Description"
STATE: Final = "System.State"
TYPE: Final = "System.WorkItemType"
PROJECT: Final = "System.TeamProject"
AREA: Final = "System.AreaPath"
ITERATION: Final = "System.IterationPath"
TAGS: Final = "System.Tags"
PARENT: Final = "System.Parent"
ASSIGNEE: Final = "System.AssignedTo"
AUTHOR: Final = "System.CreatedBy"
CREATED: Final = "System.CreatedDate"
CHANGED: Final = "System.ChangedDate"
COMMENTS: Final = "System.CommentCount"
DELETED: Final = "System.IsDeleted"
PRIORITY: Final = "Microsoft.VSTS.Common.Priority"
SEVERITY: Final = "Microsoft.VSTS.Common.Severity"
CRITERIA: Final = "Microsoft.VSTS.Common.AcceptanceCriteria"
RESOLUTION: Final = "Microsoft.VSTS.Common.Resolution"
STEPS: Final = "Microsoft.VSTS.TCM.ReproSteps"
SYSTEM: Final = "Microsoft.VSTS.TCM.SystemInfo"
#: The fields in which the processes keep a due date and a size; a type has at most one of each.
DUES: Final = ("Microsoft.VSTS.Scheduling.DueDate", "Microsoft.VSTS.Scheduling.TargetDate")
SIZES: Final = {
    "Microsoft.VSTS.Scheduling.StoryPoints": "points",
    "Microsoft.VSTS.Scheduling.Effort": "points",
    "Microsoft.VSTS.Scheduling.Size": "points",
    "Microsoft.VSTS.Scheduling.OriginalEstimate": "hours",
}
#: Fields in which people write long texts, by what people call them; the first needs no name.
TEXTS: Final = {
    DESCRIPTION: "",
    STEPS: "Repro Steps",
    SYSTEM: "System Info",
    CRITERIA: "Acceptance Criteria",
    RESOLUTION: "Resolution",
}
#: How the fields of an organization's own begin.
OWN: Final = "Custom."
