"""What /metrics reports; docs/operations.md says what each figure means."""

from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ladder.queries import exhibitions, operation


class LadleCollector(Collector):
    """Reads everything from the database, so every web process answers the same."""

    def collect(self) -> Iterator[Metric]:
        now = operation.gauges()
        yield CounterMetricFamily("ladle_matches", "Matches ever created", value=now.newest_match)
        family = GaugeMetricFamily(
            "ladle_open_matches", "Matches waiting or running", labels=["kind", "status"]
        )
        for labels, count in now.open_matches.items():
            family.add_metric(labels, count)
        yield family
        for name, text, value in (
            (
                "ladle_oldest_wait_seconds",
                "Age of the match that has waited longest",
                _seconds_since(now.waits_since),
            ),
            ("ladle_workers", "Workers heard of within a minute", now.workers),
            ("ladle_workers_unable", "Of these, workers that cannot play", now.workers_unable),
            ("ladle_workers_failing", "Of these, workers that rest", now.workers_failing),
            ("ladle_failed_attempts", "Attempts that failed on our side", now.failed_attempts),
            ("ladle_void_matches", "Matches that were given up or struck", now.void_matches),
            (
                "ladle_plays_not_reproduced",
                "Plays whose WebAssembly bots chose otherwise when run again",
                now.plays_not_reproduced,
            ),
            (
                "ladle_exhibition_cpu_percent",
                "Share of the workers' CPU time that exhibitions used within an hour",
                exhibitions.usage().share,
            ),
            ("ladle_unapplied_ticks", "Rating ticks still open", now.unapplied_ticks),
            (
                "ladle_longest_unplayed_seconds",
                "Time since the listed bot that waited longest last played",
                _seconds_since(now.unplayed_since),
            ),
        ):
            yield GaugeMetricFamily(name, text, value=value)


def _seconds_since(moment: datetime | None) -> float:
    return (timezone.now() - moment).total_seconds() if moment else 0
