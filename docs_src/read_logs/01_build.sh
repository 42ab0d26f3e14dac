rove --ticket TB-123
tail -n 1 .rove/logs/performance.log
