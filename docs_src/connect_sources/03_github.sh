rove --add-source github --set 'repositories=["northwind/backend"]' --token-stdin < github.token
