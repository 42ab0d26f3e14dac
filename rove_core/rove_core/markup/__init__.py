"""Markups that trackers keep texts in, as Markdown: Atlassian's trees, Jira's wiki, HTML.

Every function here keeps all words and shows them as they were typed; what comes out is still
somebody else's text, and goes through :mod:`rove_core.safety.text` before it is shown.
"""
