"""A method of Slack's Web API."""

from collections.abc import Callable

from attrs import evolve, frozen

from rove_sim.parameters import Parameters, text
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Response


@frozen
class MethodDescription:
    """One method, to be called by GET or by POST.

    Attributes:
        name: Like ``conversations.replies``.
        takes: Its arguments, in the query, in a form or, where it takes that, in JSON.
        needs: The scope without which it refuses whatever is asked.
        json: Whether it takes JSON.
        bots: Whether a bot's token may call it.
        open: Whether it may be called without a token.
    """

    name: str
    answer: Callable[[RoutedRequest], Response]
    takes: Parameters
    needs: str = ""
    json: bool = False
    bots: bool = True
    open: bool = False

    def route(self) -> VendorRoute:
        """Return how it is reached."""
        body = evolve(self.takes, readers={**self.takes.readers, "token": text})
        path = f"/api/{self.name}"
        return VendorRoute(
            method="GET|POST", path=path, answer=self.answer, body=body, open=self.open
        )
