rove --add-source slack --token-stdin < slack.token
