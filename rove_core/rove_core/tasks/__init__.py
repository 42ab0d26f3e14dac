"""Run operations as durable tasks, now or on a schedule."""
