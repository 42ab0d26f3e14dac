"""Attach files to tasks once, identified by name and content."""

from attrs import frozen

from rove_asana.api import AsanaApi, object_of
from rove_asana.items import AsanaItems
from rove_asana.replies import AttachmentReply
from rove_asana.task_reader import ATTACHMENT, TaskReader
from rove_core import Http, ItemRef, NewAttachment, RoveError
from rove_core.http import multipart_body


@frozen
class AsanaUploads:
    """Attaches files to tasks.

    Attributes:
        http: The account's requests; files are on another host.
        api: Requests to the vendor.
        tasks: Reads tasks.
        items: Creates references to items.
    """

    http: Http
    api: AsanaApi
    tasks: TaskReader
    items: AsanaItems

    async def attach(self, ref: ItemRef, attachment: NewAttachment) -> ItemRef:
        """Attach a file unless the same file is there, since Asana stores no key for it."""
        task = await self.tasks.task(ref)
        for each in await self.tasks.attachments(task.gid):
            if each.name == attachment.name and await self._has(each, attachment.content):
                return self.items.part("file", task.gid, each.gid)
        content = multipart_body(
            attachment.content,
            field="file",
            name=attachment.name,
            media_type=attachment.media_type,
            further={"parent": task.gid},
        )
        made = object_of(await self.api.upload("attachments", content, ATTACHMENT), AttachmentReply)
        return self.items.part("file", task.gid, made.gid)

    async def _has(self, file: AttachmentReply, content: bytes) -> bool:
        """Return whether a file holds just this; if it cannot be read, its size has to do."""
        if file.size != len(content) or not file.download_url:
            return file.size == len(content)
        try:
            headers = {"accept": "*/*"}
            reply = await self.http.get(file.download_url, headers=headers, elsewhere=True)
        except RoveError:
            return True
        return reply.body == content
