rove --ticket TB-123 > /dev/null
rove verify TB-123 | tail -n 4
