export ROVE_SLACK_TOKEN="$(cat slack.token)"
export ROVE_JIRA_EMAIL=robin@northwind.example ROVE_JIRA_TOKEN="$(cat jira.token)"
rove --add-source jira --base-url https://northwind.atlassian.net
rove --add-source slack
rove --ticket TB-123
