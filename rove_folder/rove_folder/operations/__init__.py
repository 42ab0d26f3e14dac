"""Operations on linked folders."""
