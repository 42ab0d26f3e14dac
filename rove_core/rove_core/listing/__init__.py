"""List what changed in an account's containers, without search words."""

from rove_core.listing.changes import Container as Container
from rove_core.listing.changes import ListedChange as ListedChange
from rove_core.listing.changes import ListingStep as ListingStep
from rove_core.listing.changes import ListScope as ListScope
from rove_core.listing.cursor import OVERLAP as OVERLAP
from rove_core.listing.cursor import UpdateCursor as UpdateCursor
from rove_core.listing.cursor import read_cursor as read_cursor
from rove_core.listing.ids import KnownIds as KnownIds
from rove_core.listing.merge import merge_listings as merge_listings
from rove_core.listing.readable import check_readable as check_readable
from rove_core.listing.readable import readable_names as readable_names
