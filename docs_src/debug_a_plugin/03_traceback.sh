ROVE_DEBUG=1 rove --status
