"""GraphQL for simulated vendors: a schema, plain data, and graphql-core in between.

graphql-core takes longer to import than all of this package, so the first query does it.
"""

from rove_sim.graphql.answers import Answer, Arguments, FieldError, InputError, Node
from rove_sim.graphql.vendor_schema import VendorSchema

__all__ = ["Answer", "Arguments", "FieldError", "InputError", "Node", "VendorSchema"]
