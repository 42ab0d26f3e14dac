"""Operations on tickets and sprints."""
