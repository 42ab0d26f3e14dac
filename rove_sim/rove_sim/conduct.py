"""The simulators' behaviour: generous by default, as hostile as a test wants."""

from attrs import frozen


@frozen(kw_only=True)
class Conduct:
    """How a simulated vendor behaves.

    Attributes:
        page_size: The most that one page holds, whatever was asked for; as the vendor when None.
        limits: Whether the vendor's limits are kept.
        latency: How many seconds pass before each reply, on the clock.
        failing: Which share of all requests fails, from 0 to 1.
        failing_status: How they fail: 429, or 500 and above.
        seed: Another seed fails other requests.
        agrees: Whether the person agrees who is asked to let an app in.
        pending: How often a code is asked for before the person has typed it.
        slow_downs: How often whoever asks for it is told before that to ask more slowly.
        token_seconds: How long an access token is good; as the vendor has it when None.
        leeway: Seconds in which a used refresh token works again; as the vendor has it when None.
    """

    page_size: int | None = None
    limits: bool = False
    latency: float = 0.0
    failing: float = 0.0
    failing_status: int = 429
    seed: int = 0
    agrees: bool = True
    pending: int = 1
    slow_downs: int = 0
    token_seconds: float | None = None
    leeway: float | None = None

    def page(self, size: int, most: int) -> int:
        """Return the page size for a request, within the vendor's maximum."""
        return max(1, min(size, most, self.page_size or most))
