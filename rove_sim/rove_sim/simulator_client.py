"""Call a simulator without a network, for its own tests."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from attrs import field, frozen

from rove_core import JSON
from rove_sim.server import Handler, Request, Response


@frozen
class SimulatorClient:
    """A client of one simulator.

    Attributes:
        handler: The simulator.
        headers: What it sends each time, like its login.
    """

    handler: Handler
    headers: Mapping[str, str] = field(factory=dict)

    def get(self, path: str, **query: JSON) -> "SimulatorReply":
        """Ask with a query."""
        parameters = {name: _parameter_text(value) for name, value in query.items()}
        return self._send(Request("GET", path, parameters, self._sent(""), b""))

    def form(self, path: str, **form: JSON) -> "SimulatorReply":
        """Ask with a form."""
        body = urlencode({name: _parameter_text(value) for name, value in form.items()}).encode()
        media = "application/x-www-form-urlencoded"
        return self._send(Request("POST", path, {}, self._sent(media), body))

    def post(self, path: str, **body: JSON) -> "SimulatorReply":
        """Ask with a JSON object."""
        sent = json.dumps(body).encode()
        return self._send(Request("POST", path, {}, self._sent("application/json"), sent))

    def _send(self, request: Request) -> "SimulatorReply":
        return SimulatorReply(self.handler(request))

    def _sent(self, media: str) -> Mapping[str, str]:
        named = {name.lower(): value for name, value in self.headers.items()}
        return {**named, "content-type": media} if media else named


@frozen
class SimulatorReply:
    """A simulator's reply, read like a client does."""

    response: Response

    @property
    def status(self) -> int:
        """The status."""
        return self.response.status

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""
        return self.response.headers

    @property
    def json(self) -> Any:  # noqa: ANN401  # what JSON holds is what the test is about
        """The body."""
        return json.loads(self.response.body())


def _parameter_text(value: JSON) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
