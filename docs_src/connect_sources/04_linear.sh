rove --add-source linear --token-stdin < linear.token
