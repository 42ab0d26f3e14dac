"""The user's accounts, their logins and how these are renewed."""
