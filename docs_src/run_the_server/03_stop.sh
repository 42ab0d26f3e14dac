rove --stop-server
