rove code map
