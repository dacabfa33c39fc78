"""A cache that may be away: Redis as Django has it, but a page never fails for want of it."""

import functools
import time
from collections.abc import Callable
from typing import Any

import structlog
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

REST_SECONDS = 5.0  # after a failure nobody asks again for so long, or every page would wait


def _or(fallback: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What a method answers while Redis is away."""

    def decorate(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def guarded(self: "FailOpenClient", key: Any = None, *args: Any, **kwargs: Any) -> Any:
            if time.monotonic() >= self.rests_until:
                try:
                    return method(self, key, *args, **kwargs)
                except RedisError as error:
                    type(self).rests_until = time.monotonic() + REST_SECONDS
                    log.warning("cache is away", error=str(error))
            return fallback(key, *args)

        return guarded

    return decorate


class FailOpenClient(RedisCacheClient):
    """Finds nothing, keeps nothing and counts one while Redis is away."""

    rests_until = 0.0

    get = _or(lambda key, default=None: default)(RedisCacheClient.get)
    get_many = _or(lambda keys: {})(RedisCacheClient.get_many)
    has_key = _or(lambda key: False)(RedisCacheClient.has_key)
    add = _or(lambda key, value, *_: True)(RedisCacheClient.add)
    incr = _or(lambda key, delta=1: delta)(RedisCacheClient.incr)
    set = _or(lambda *_: None)(RedisCacheClient.set)
    set_many = _or(lambda *_: [])(RedisCacheClient.set_many)
    touch = _or(lambda *_: False)(RedisCacheClient.touch)
    delete = _or(lambda *_: False)(RedisCacheClient.delete)
    delete_many = _or(lambda *_: None)(RedisCacheClient.delete_many)


class FailOpenCache(RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = FailOpenClient
