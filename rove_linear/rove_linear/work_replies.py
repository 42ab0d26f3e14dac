"""Replies to mutations and their queries, with Linear's names."""

# ruff: noqa: N815

from attrs import field, frozen

from rove_linear.replies import AttachmentNode, CommentNode, IssueNode, Labels


@frozen(kw_only=True)
class IssuePayload:
    """An issue that was changed or created."""

    issue: IssueNode


@frozen(kw_only=True)
class CommentPayload:
    """A comment that was changed or created."""

    comment: CommentNode


@frozen(kw_only=True)
class AttachmentPayload:
    """An attachment of an issue."""

    attachment: AttachmentNode


@frozen(kw_only=True)
class UploadHeader:
    """A header that an upload must have."""

    key: str
    value: str


@frozen(kw_only=True)
class UploadFile:
    """Upload and asset addresses of a file."""

    assetUrl: str
    uploadUrl: str
    headers: tuple[UploadHeader, ...] = ()


@frozen(kw_only=True)
class UploadPayload:
    """The upload target of a file."""

    uploadFile: UploadFile


@frozen(kw_only=True)
class ChangeData:
    """The data of a change, which is one of these."""

    issueUpdate: IssuePayload | None = None
    issueCreate: IssuePayload | None = None
    commentCreate: CommentPayload | None = None
    attachmentCreate: AttachmentPayload | None = None
    fileUpload: UploadPayload | None = None


@frozen(kw_only=True)
class ChangeReply:
    """The reply to a change."""

    data: ChangeData = field(factory=ChangeData)


@frozen(kw_only=True)
class CommentData:
    """The data of one comment."""

    comment: CommentNode


@frozen(kw_only=True)
class OneComment:
    """The reply to the question for one comment."""

    data: CommentData


@frozen(kw_only=True)
class LabelData:
    """The data of the question for labels."""

    issueLabels: Labels = field(factory=Labels)


@frozen(kw_only=True)
class LabelReply:
    """The reply to the question for labels."""

    data: LabelData = field(factory=LabelData)
