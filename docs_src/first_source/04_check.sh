rove plugins check rove-wiki --tests .
