"""The project's database, which can be rebuilt. Each subject's SQL is in one module.

Reads are plain functions of a :class:`sqlite3.Connection`, for whoever answers without an event
loop; writes are coroutines of the connection that :meth:`Store.transaction` gives.
"""
