"""What the requests of an account may take, and what they took."""

import attrs


@attrs.frozen(kw_only=True)
class Caps:
    """What one account's requests may take.

    Attributes:
        deadline: Seconds for a request with all its waits, retries and redirects.
        body: Bytes of a decoded body.
        attempts: How often a request is sent at most.
        at_once: How many requests may be under way together.
        rate_limit: How many may leave in any minute; None when only the vendor limits them.
    """

    deadline: float = 30.0
    body: int = 16_000_000
    attempts: int = 3
    at_once: int = 4
    rate_limit: int | None = attrs.field(
        default=None, validator=attrs.validators.optional(attrs.validators.ge(1))
    )


@attrs.define(kw_only=True)
class Counts:
    """What the requests of an account have cost so far.

    Attributes:
        requests: How many were sent.
        bytes: How large the decoded bodies were together.
        retries: How many requests were sent again.
        waited: Seconds of waiting for limits and before retries.
        not_modified: How many were answered from what was kept.
    """

    requests: int = 0
    bytes: int = 0
    retries: int = 0
    waited: float = 0.0
    not_modified: int = 0
