rove
