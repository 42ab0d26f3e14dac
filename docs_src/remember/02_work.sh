rove plan create "Rotate the signing key" --external-item-id TB-123
rove session note decision "Tokens live 15 minutes, refreshed by the client" --importance high
rove memory store no-token-logs "Never write a token into a log" warning --importance 4
