"""Tickets, sprints and what Rove knows of their tracker."""
