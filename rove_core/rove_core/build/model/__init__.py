"""The engines: what answers the questions that a build has about words."""
