rove --ticket TB-123 > /dev/null
rove preview "refresh tokens" --limit 3
