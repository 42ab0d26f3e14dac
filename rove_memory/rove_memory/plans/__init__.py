"""Plans of an agent, what depends on what, and what is ready to be worked on."""
