rove prime
