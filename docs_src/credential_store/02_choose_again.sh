rm -f ~/.local/share/rove/credential-store.json
rove --add-source jira --base-url https://northwind.atlassian.net \
    --email robin@northwind.example --token-stdin < jira.token
cat ~/.local/share/rove/credential-store.json
