"""The Slack simulator: authentication and methods."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import attrs

from rove_core import JSON
from rove_core.clock import SYSTEM, Clock
from rove_sim import ids
from rove_sim.company import Company
from rove_sim.company_slack import SlackMessage
from rove_sim.conduct import Conduct
from rove_sim.oauth import Terms
from rove_sim.parameters import Wrong
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Request, Response
from rove_sim.slack.conversations import ConversationMethods
from rove_sim.slack.errors import error_reply, refuse, too_many, wrong_arguments
from rove_sim.slack.files import FileMethods
from rove_sim.slack.oauth import TERMS, SlackOAuth
from rove_sim.slack.scopes import (
    BOT_SCOPES,
    RESTRICTED,
    RESTRICTED_METHODS,
    TIERS,
    USER_SCOPES,
)
from rove_sim.slack.search_results import Findings
from rove_sim.slack.semantic_search import ByMeaning
from rove_sim.slack.shapes import Shapes
from rove_sim.slack.store import Conversations
from rove_sim.slack.word_search import ByWords
from rove_sim.vendor import SimulatedVendor

if TYPE_CHECKING:
    from rove_sim.slack.methods import MethodDescription

_JSON = "application/json"


class Slack(SimulatedVendor):
    """Answers as Slack would for one workspace.

    The company's token is a user's, as are those that an app gets; ``bot_token`` is a bot's, which
    cannot search, and reads only the channels that it was invited to.

    Attributes:
        conversations: What it holds.
        scopes: What the user's token may do.
        bot_scopes: What the bot's token may do.
        bot_channels: The ids of the channels that the bot is in.
        token_error: How the right token is refused, like ``token_revoked``.
        semantic: Whether the new search goes by meaning.
        search_error: How the new search is refused, like ``feature_not_enabled``.
        restricted: Whether the app is one that is sold without being listed: one call a minute
            to the methods that read messages, fifteen at a time.
    """

    name: ClassVar[str] = "slack"
    terms: ClassVar[Terms] = TERMS

    def __init__(
        self, company: Company, *, clock: Clock = SYSTEM, conduct: Conduct | None = None
    ) -> None:
        self.address = f"https://{company.slug}.slack.com"
        self.team = ids.slack_id("T", company.slug)
        self.conversations = Conversations(company, clock)
        self.bot_token = f"xoxb-{company.token}"
        self.scopes = list(USER_SCOPES)
        self.bot_scopes = list(BOT_SCOPES)
        self.bot_channels: set[str] = set()
        self.token_error = ""
        self.semantic = True
        self.search_error = ""
        self.restricted = False
        self._methods: Mapping[str, MethodDescription] = {}
        super().__init__(company, clock=clock, conduct=conduct)

    def invite(self, *channels: str) -> None:
        """Let the bot into some channels."""
        for name in channels:
            channel = self.conversations.channel(name)
            if channel is None:
                raise ValueError(f"no channel {name}")
            self.bot_channels.add(channel.id)

    def post(self, channel: str, author: str, text: str, *, thread: str = "") -> str:
        """Write into a channel, or into one of its threads, and return the message's ``ts``."""
        ts = self.conversations.next_ts(channel)
        message = SlackMessage(author=author, ts=ts, text=text)
        return self.conversations.put(channel, message, root=thread).ts

    def edit(self, channel: str, ts: str, text: str) -> None:
        """Change what a message says."""
        self.conversations.edit(channel, ts, text)

    def delete(self, channel: str, ts: str) -> None:
        """Delete a message."""
        self.conversations.drop(channel, ts)

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        shapes = Shapes(self.company, self.conversations, self.address, self.team)
        findings = Findings(shapes)
        entry, files = SlackOAuth(self), FileMethods(self, shapes)
        doors = (
            ConversationMethods(self, shapes),
            ByWords(self, findings),
            ByMeaning(self, findings),
            files,
            entry,
        )
        methods = [method for door in doors for method in door.methods()]
        self._methods = {f"/api/{method.name}": method for method in methods}
        return [*(method.route() for method in methods), entry.page(), files.contents()]

    def admit(self, request: Request, route: VendorRoute) -> Response | None:
        """Take the user's token, or a bot's where bots may ask."""
        token = _token(request)
        if not token:
            return error_reply("not_authed")
        if not self._is_good(token):
            return error_reply("token_expired" if self.oauth.knows(token) else "invalid_auth")
        if self.token_error:
            return error_reply(self.token_error)
        method = self._methods[route.path]
        if self.is_bot(request) and not method.bots:
            return error_reply("not_allowed_token_type")
        return self._lacking(request, method.needs)

    def limit(self, request: Request, route: VendorRoute) -> Response | None:  # noqa: ARG002  # counted by method alone
        """Keep the limit of the method's tier."""
        if route.path not in self._methods:
            return None
        method = self._methods[route.path].name
        limit = RESTRICTED if self.restricted and method in RESTRICTED_METHODS else TIERS[method]
        allowance = self.limiter.take((method,), limit)
        return too_many(allowance.wait) if allowance.wait else None

    def unknown(self, request: Request, methods: Sequence[str]) -> Response:
        """Answer a method that is none."""
        if methods:
            return error_reply("invalid_post_type")
        return error_reply("unknown_method", req_method=request.path.removeprefix("/api/"))

    def malformed(self, route: VendorRoute, wrong: Sequence[Wrong]) -> Response:
        """Refuse wrong arguments."""
        return wrong_arguments(route.path.removeprefix("/api/"), wrong)

    def failed(self, request: Request, status: int) -> Response:  # noqa: ARG002  # it says the same to all
        """Fail as Slack does."""
        if status == 429:
            return too_many(1)
        return attrs.evolve(error_reply("internal_error"), status=status)

    def finish(self, request: Request, response: Response) -> Response:
        """Name the request and, to those who are let in, what their token may do."""
        headers = {
            "x-slack-req-id": ids.uuid(f"{request.path} {len(self.exchanges)}").replace("-", "")
        }
        if self._is_good(_token(request)):
            headers["x-oauth-scopes"] = ",".join(self._granted(request))
        return attrs.evolve(response, headers={**headers, **response.headers})

    def parameters(self, request: Request, route: VendorRoute) -> Mapping[str, JSON]:
        """Return the arguments from the query and from a form or JSON body."""
        if request.media != _JSON:
            return {**request.query, **request.form()}
        if not self._methods[route.path].json:
            raise ValueError("json_not_supported")
        return {**request.query, **request.json()}

    def query(self, request: Request, route: VendorRoute) -> Mapping[str, JSON]:  # noqa: ARG002  # the same for all
        """Return none: all arguments are one."""
        return {}

    def forget(self, request: Request) -> None:
        """Revoke the token of a request."""
        if not self.oauth.revoke(_token(request)):
            self.token_error = "token_revoked"  # noqa: S105  # Slack's word for an error

    def is_bot(self, request: Request) -> bool:
        """Tell whether it is the bot that asks."""
        return _token(request) == self.bot_token

    def need(self, call: RoutedRequest, scope: str) -> None:
        """Refuse a request whose token lacks a scope."""
        if scope not in self._granted(call.request):
            refuse("missing_scope", needed=scope, provided=",".join(self._granted(call.request)))

    def may(self, request: Request, scope: str) -> bool:
        """Return whether a request comes with a token that has a scope."""
        return self._is_good(_token(request)) and scope in self._granted(request)

    def _is_good(self, token: str) -> bool:
        return token in (self.company.token, self.bot_token) or self.oauth.opens(token)

    def _lacking(self, request: Request, scope: str) -> Response | None:
        granted = self._granted(request)
        if not scope or scope in granted:
            return None
        return error_reply("missing_scope", needed=scope, provided=",".join(granted))

    def _granted(self, request: Request) -> Sequence[str]:
        return self.bot_scopes if self.is_bot(request) else self.scopes


def _token(request: Request) -> str:
    """Return the token of a request: out of its header, or out of a form."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme == "Bearer":
        return token
    form = request.form() if request.media == "application/x-www-form-urlencoded" else {}
    return form.get("token", "")
