"""The user's accounts, their logins, and the renewal of logins."""
