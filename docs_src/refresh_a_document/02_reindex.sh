rm .rove/index.db*
rove reindex
