"""Upload files to Linear's storage, and attach them under an idempotent id."""

from typing import Final

from attrs import frozen

from rove_core import JSON, Http, ItemRef, MalformedReply, NewAttachment, WrongCall
from rove_linear import mutations
from rove_linear.api import LinearApi
from rove_linear.facts import present
from rove_linear.issue_pages import IssuePages
from rove_linear.items import LinearItems
from rove_linear.keys import id_of
from rove_linear.replies import AttachmentNode, IssueNode
from rove_linear.work_replies import ChangeReply, UploadFile

#: What Linear's own programs send with a file.
_CACHED: Final = {"cache-control": "public, max-age=31536000"}


@frozen
class LinearUploads:
    """Attaches files to issues.

    Attributes:
        http: The account's requests; the place for uploads is another host.
        api: Requests to the vendor.
        issues: Reads issues.
        items: Creates references to items.
    """

    http: Http
    api: LinearApi
    issues: IssuePages
    items: LinearItems

    async def attach(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Attach a file under an id derived from its key, unless it exists."""
        issue, there = await self._find_attached(ref, attachment.key)
        if there:
            return self.items.file(there, issue.identifier)
        file = await self._upload(attachment)
        inputs: JSON = {
            "id": id_of("attachment", issue.id, attachment.key),
            "issueId": issue.id,
            "title": attachment.name,
            "url": file.assetUrl,
        }
        try:
            reply = await self.api.change(mutations.ATTACH, {"input": inputs})
        except WrongCall:
            # Another machine may have been faster.
            issue, there = await self._find_attached(ref, attachment.key)
            if there is None:
                raise
            return self.items.file(there, issue.identifier)
        made = reply.read(ChangeReply).data.attachmentCreate
        if made is None:
            raise MalformedReply(f"{reply.where} answers, but names no attachment")
        return self.items.file(made.attachment, issue.identifier)

    async def _find_attached(
        self, ref: ItemRef, key: str
    ) -> tuple[IssueNode, AttachmentNode | None]:
        """Return an issue, and its attachment with this key."""
        pages = await self.issues.some(ref.id, "attachments")
        id_ = id_of("attachment", pages[0].id, key)
        attached = [each for page in pages for each in present(page.attachments.nodes)]
        return pages[0], next((each for each in attached if each.id == id_), None)

    async def _upload(self, attachment: NewAttachment) -> UploadFile:
        variables: dict[str, JSON] = {
            "contentType": attachment.media_type,
            "filename": attachment.name,
            "size": len(attachment.content),
        }
        reply = await self.api.change(mutations.UPLOAD, variables)
        place = reply.read(ChangeReply).data.fileUpload
        if place is None:
            raise MalformedReply(f"{reply.where} answers, but names no place for a file")
        file = place.uploadFile
        await self.http.put(
            file.uploadUrl,
            content=(attachment.media_type, attachment.content),
            headers={**_CACHED, **{each.key: each.value for each in file.headers}},
            repeatable=True,
            elsewhere=True,
        )
        return file
