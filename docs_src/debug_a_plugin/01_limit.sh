ROVE_LOAD_PLUGINS=jira,slack rove --source-plugins
