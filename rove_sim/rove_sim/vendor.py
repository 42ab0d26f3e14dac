"""Shared by all simulated vendors: routes, refusals, a log, and failures on demand."""

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import attrs
from attrs import define, frozen

from rove_core import JSON
from rove_core.clock import SYSTEM, Clock
from rove_sim.company import Company
from rove_sim.conduct import Conduct
from rove_sim.limits import Limiter
from rove_sim.oauth import OAuth, Terms
from rove_sim.parameters import Value, Wrong
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute, find
from rove_sim.server import Request, Response


@frozen
class RecordedExchange:
    """A request and its reply.

    Attributes:
        request: As it came.
        response: As it was answered.
        route: What was asked; None when there is no such thing.
        values: The parameters, as far as they could be read.
        wrong: What was wrong with the request.
        taken: Whether it got as far as to be answered: let in, within the limits, and well put.
    """

    request: Request
    response: Response
    route: VendorRoute | None = None
    path: Mapping[str, str] = attrs.field(factory=dict)
    values: Mapping[str, Value] = attrs.field(factory=dict)
    wrong: tuple[str, ...] = ()
    taken: bool = False


@define
class _Failure:
    status: int
    times: int
    path: str


class SimulatedVendor(ABC):
    """A vendor in a box, for one company; calling it answers one request.

    Attributes:
        company: Whose it is at the start; what is added later is in the vendor's own state.
        conduct: How it behaves; replace it at any time.
        exchanges: All it was asked so far, and what it said.
        limiter: Counts requests on the clock.
        oauth: Lets people in through an app, for as long as its tokens are good.
        stuck: Requests whose path holds this text are answered as the one before was, so that
            a page leads to itself.
    """

    #: The kind of source it stands for.
    name: ClassVar[str]

    #: What stands between its host and all that can be asked.
    path: str = ""

    #: What it grants to who logs in through an app.
    terms: ClassVar[Terms]

    def __init__(
        self, company: Company, *, clock: Clock = SYSTEM, conduct: Conduct | None = None
    ) -> None:
        self.company = company
        self.clock = clock
        self.conduct = conduct or Conduct()
        self.exchanges: list[RecordedExchange] = []
        self.limiter = Limiter(clock)
        self.oauth = OAuth(
            vendor=self.name,
            terms=self.terms,
            clock=clock,
            conduct=lambda: self.conduct,
            client_id=f"app-of-{company.slug}",
            client_secret=f"secret-of-{company.slug}",
        )
        self.stuck = ""
        self._failures: list[_Failure] = []
        self._random = random.Random(f"{self.name} {self.conduct.seed}")  # noqa: S311  # the same in each run, not secret
        self._routes = self.routes()

    @abstractmethod
    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""

    @abstractmethod
    def admit(self, request: Request, route: VendorRoute) -> Response | None:
        """Return the refusal of a request without a good login; None when it is good."""

    @abstractmethod
    def unknown(self, request: Request, methods: Sequence[str]) -> Response:
        """Answer a path that is none, or one that takes only other methods."""

    @abstractmethod
    def malformed(self, route: VendorRoute, wrong: Sequence[Wrong]) -> Response:
        """Answer a request with wrong parameters."""

    @abstractmethod
    def failed(self, request: Request, status: int) -> Response:
        """Answer as the vendor does when it fails or, with 429, when it was asked too much."""

    def limit(self, request: Request, route: VendorRoute) -> Response | None:  # noqa: ARG002  # a vendor without limits needs neither
        """Return the refusal of a request beyond a limit; only called when limits are kept."""
        return None

    def finish(self, request: Request, response: Response) -> Response:  # noqa: ARG002  # for vendors that answer by the request
        """Return a reply with what every reply of the vendor has."""
        return response

    def parameters(self, request: Request, route: VendorRoute) -> Mapping[str, JSON]:  # noqa: ARG002  # for vendors whose bodies differ by route
        """Return the parameters of the body; a vendor that takes forms overrides it.

        A form with a file has none.
        """
        return {} if request.media == "multipart/form-data" else request.json()

    def query(self, request: Request, route: VendorRoute) -> Mapping[str, JSON]:  # noqa: ARG002  # as above
        """Return the parameters of the query; a vendor that takes all as one overrides it."""
        return request.query

    @property
    def refused(self) -> list[str]:
        """What it was asked in the wrong way: one line each."""
        return [
            f"{self.name}: {each.request.method} {each.request.path}: {', '.join(each.wrong)}"
            for each in self.exchanges
            if each.wrong
        ]

    def fail_next(self, status: int, *, times: int = 1, path: str = "") -> None:
        """Let the next requests fail; only those whose path holds a text, when one is given."""
        self._failures.append(_Failure(status, times, path))

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        exchange = self._exchange(request)
        response = self.finish(request, exchange.response)
        if self.conduct.latency:
            response = attrs.evolve(response, delay=response.delay + self.conduct.latency)
        self.exchanges.append(attrs.evolve(exchange, response=response))
        return response

    def _exchange(self, request: Request) -> RecordedExchange:
        found = find(self._routes, request)
        fitting = [pair for pair in found if request.method in pair[0].method.split("|")]
        if not fitting:
            methods = [method for route, _ in found for method in route.method.split("|")]
            response = self.unknown(request, methods)
            return RecordedExchange(request, response, wrong=("there is no such method or path",))
        route, place = fitting[0]
        if refusal := self._refusal(request, route):
            return RecordedExchange(request, refusal, route, place)
        arguments, wrong = self._read(request, route)
        if wrong:
            reasons = tuple(map(str, wrong))
            return RecordedExchange(
                request, self.malformed(route, wrong), route, place, arguments, reasons
            )
        return self._answered(route, RoutedRequest(request, place, arguments))

    def _answered(self, route: VendorRoute, call: RoutedRequest) -> RecordedExchange:
        wrong: tuple[str, ...] = ()
        try:
            response = self._before(call.request) or route.answer(call)
        except RefusedError as error:
            response, wrong = error.response, tuple(filter(None, [error.wrong]))
        return RecordedExchange(
            call.request, response, route, call.path, call.values, wrong, taken=not wrong
        )

    def _before(self, request: Request) -> Response | None:
        """Return the previous reply if the vendor repeats itself."""
        if not self.stuck or self.stuck not in request.path:
            return None
        same = (each for each in reversed(self.exchanges) if each.request.path == request.path)
        return next((each.response for each in same if each.taken), None)

    def _refusal(self, request: Request, route: VendorRoute) -> Response | None:
        if status := self._failing(request):
            return self.failed(request, status)
        refusal = None if route.open else self.admit(request, route)
        if refusal or not self.conduct.limits:
            return refusal
        return self.limit(request, route)

    def _failing(self, request: Request) -> int:
        for failure in self._failures:
            if failure.times and failure.path in request.path:
                failure.times -= 1
                return failure.status
        return self.conduct.failing_status if self._random.random() < self.conduct.failing else 0

    def _read(self, request: Request, route: VendorRoute) -> tuple[dict[str, Value], list[Wrong]]:
        try:
            body = request.form() if route.form else self.parameters(request, route)
        except ValueError as error:
            return {}, [Wrong("body", "malformed", expected=str(error))]
        query_values, wrong = route.query.read(self.query(request, route))
        body_values, wrong_too = route.body.read(body)
        return {**query_values, **body_values}, [*wrong, *wrong_too]
