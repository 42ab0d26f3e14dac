rove settings | grep credentials
