rove code callers Basket.total
