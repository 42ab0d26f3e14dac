rove --ticket TB-123 > /dev/null
rove explain TB-123 | head -n 8
