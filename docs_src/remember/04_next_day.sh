rove prime
rove session start TB-123
