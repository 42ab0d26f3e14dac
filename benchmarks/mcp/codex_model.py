"""A fake model for Codex: it calls what it was given, and finishes with the last result.

Codex asks for a server's tool by a name and a namespace, which other fake models leave out.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

from attrs import define, field, frozen

#: What its last words begin with.
READ: Final = "The last result:"
_RESULT: Final = "function_call_output"


@frozen
class ModelCall:
    """A call that the model asks for.

    Attributes:
        name: The tool.
        arguments: Its arguments.
        namespace: The server's tools, as Codex calls them; none for tools of its own.
    """

    name: str
    arguments: dict[str, str]
    namespace: str | None = None

    def item(self, number: int) -> dict[str, Any]:
        """Return it as an item of a reply."""
        own = {"namespace": self.namespace} if self.namespace else {}
        arguments = json.dumps(self.arguments)
        name = f"call-{number}"
        return {
            "type": "function_call",
            "id": name,
            "call_id": name,
            "name": self.name,
            "arguments": arguments,
            **own,
        }


@define(eq=False)
class CodexModel:
    """Answers Codex.

    Attributes:
        calls: What it calls, one after the other.
        results: What the calls gave, when they are over.
    """

    calls: Sequence[ModelCall]
    results: list[str] = field(factory=list, init=False)

    @contextmanager
    def served(self) -> Iterator[str]:
        """Serve it on loopback, and give its address."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            server.server_close()

    def reply(self, asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Return the events of a reply: the next call, or a last sentence."""
        outputs = [json.dumps(each["output"]) for each in asked["input"] if each["type"] == _RESULT]
        self.results[:] = outputs
        if len(outputs) < len(self.calls):
            item = self.calls[len(outputs)].item(len(outputs))
        else:
            content = [{"type": "output_text", "text": f"{READ} {outputs[-1][:200]}"}]
            item = {"type": "message", "id": "last", "role": "assistant", "content": content}
        yield {"type": "response.created", "response": {"id": "reply"}}
        yield {"type": "response.output_item.done", "item": item}
        yield {"type": "response.completed", "response": {"id": "reply", "output": [item]}}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                events = (
                    f"event: {each['type']}\ndata: {json.dumps(each)}\n\n"
                    for each in model.reply(request)
                )
                body = "".join(events).encode()
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        return Handler
