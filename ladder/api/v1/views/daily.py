"""Daily deals and their tables."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ladder.api.pagination import cursor_of, page_size_of
from ladder.api.parameters import filter_of
from ladder.api.shape import shape
from ladder.api.views import ApiView, PagesView, addressed, encoded
from ladder.contract import people as contract
from ladder.queries import daily as queries


class DailyDeals(PagesView):
    filter_by = contract.DailyFilter

    @extend_schema(
        operation_id="daily_deals_list",
        responses=shape(contract.DailyDeal, "a daily deal")(many=True),
    )
    def get(self, request: Request) -> HttpResponse:
        """Daily deals, newest first."""
        asked, at = filter_of(request, self.filter_by), cursor_of(request, queries.ORDER)
        page = queries.page(asked, at, page_size_of(request))
        return self.answer(page.of(lambda deal: addressed(deal, "daily-deal")))


class DailyDealDetail(ApiView):
    @extend_schema(
        operation_id="daily_deals_show",
        responses=shape(contract.DailyDealDetail, "a daily deal with its table"),
    )
    def get(self, request: Request, deal: int) -> HttpResponse:
        """One daily deal with its table."""
        found = queries.detail(deal)
        if found is None:
            raise Http404
        return encoded(request, addressed(found, "daily-deal"))
