"""Work items of trackers: read, change, create and comment on them."""

from rove_core.work.changes import NewAttachment as NewAttachment
from rove_core.work.changes import NewComment as NewComment
from rove_core.work.changes import NewWorkItem as NewWorkItem
from rove_core.work.changes import WorkItemChange as WorkItemChange
from rove_core.work.items import Assignee as Assignee
from rove_core.work.items import Iteration as Iteration
from rove_core.work.items import StatusOption as StatusOption
from rove_core.work.items import WorkField as WorkField
from rove_core.work.items import WorkItem as WorkItem
from rove_core.work.items import WorkItemType as WorkItemType
