"""Work without a request: the worker that plays matches and the scheduler that plans them."""
