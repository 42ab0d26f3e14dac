rove plugins check rove-broken || echo "exit code $?"
