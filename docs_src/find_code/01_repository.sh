mkdir -p shop && cd shop && git init --quiet
cat > basket.py <<'END'
"""What a customer is about to buy."""


class Basket:
    """Articles, in the order in which they were put in."""

    def __init__(self):
        self.articles = []

    def add(self, article):
        """Put an article in."""
        self.articles.append(article)

    def total(self):
        """Return what all articles cost."""
        return sum(article.price for article in self.articles)
END
cat > till.py <<'END'
"""Paying."""

from basket import Basket


def pay(basket: Basket, purse):
    """Take the price of a basket out of a purse."""
    purse.take(basket.total())
END
