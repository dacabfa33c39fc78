"""What /metrics tells; docs/operations.md says what each figure means."""

from collections.abc import Iterator

from django.db.models import Count, Max, Min, Q
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ladder.models import Match, Rating, Tick, Worker


class LadleCollector(Collector):
    """Reads everything from the database, so every web process tells the same."""

    def collect(self) -> Iterator[Metric]:
        yield self._matches()
        yield from self._queue()
        yield from self._workers()
        yield from self._ladder()

    def _matches(self) -> Metric:
        # The newest id stands for all matches ever made: counting a big table would be slow.
        newest = Match.objects.aggregate(newest=Max("pk"))["newest"] or 0
        return CounterMetricFamily("ladle_matches", "Matches ever created", value=newest)

    def _queue(self) -> Iterator[Metric]:
        family = GaugeMetricFamily(
            "ladle_open_matches", "Matches waiting or running", labels=["kind", "status"]
        )
        for labels, count in Match.objects.counts_of_open().items():
            family.add_metric(labels, count)
        yield family
        oldest = Match.objects.waiting().aggregate(oldest=Min("created_at"))["oldest"]
        waited = (timezone.now() - oldest).total_seconds() if oldest else 0
        yield GaugeMetricFamily(
            "ladle_oldest_wait_seconds", "Age of the match that has waited longest", value=waited
        )

    def _workers(self) -> Iterator[Metric]:
        counts = Worker.objects.alive().aggregate(
            alive=Count("pk"), unable=Count("pk", filter=~Q(problem=""))
        )
        yield GaugeMetricFamily(
            "ladle_workers", "Workers heard of within a minute", value=counts["alive"]
        )
        yield GaugeMetricFamily(
            "ladle_workers_unable", "Of these, workers that cannot play", value=counts["unable"]
        )

    def _ladder(self) -> Iterator[Metric]:
        yield GaugeMetricFamily(
            "ladle_unapplied_ticks",
            "Rating ticks still open",
            value=Tick.objects.unapplied().count(),
        )
        starved = Rating.objects.listed().filter(is_anchor=False)
        oldest = starved.aggregate(oldest=Min("last_played_at"))["oldest"]
        waited = (timezone.now() - oldest).total_seconds() if oldest else 0
        yield GaugeMetricFamily(
            "ladle_longest_unplayed_seconds",
            "Time since the listed bot that waited longest last played",
            value=waited,
        )
