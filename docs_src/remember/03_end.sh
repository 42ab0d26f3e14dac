rove session end --outcome partial
