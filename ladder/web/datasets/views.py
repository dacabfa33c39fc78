"""Datasets to download: the list, and their files."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine.games import GAMES, MAX_SEATS
from ladder.boards import Board
from ladder.contract.datasets import Dataset, DatasetFilter
from ladder.queries import datasets as queries
from ladder.web.http.downloads import dataset_file
from ladder.web.http.pages import cursor_or_none, number

PAGE = 30


def datasets(request: HttpRequest) -> HttpResponse:
    query = request.GET
    seats = number(query.get("seats"))
    asked = DatasetFilter(
        game=query.get("game") if query.get("game") in GAMES else None,
        seats=seats and min(seats, MAX_SEATS + 1),
    )
    page = queries.page(asked, cursor_or_none(query.get("cursor"), queries.NEWEST), PAGE)
    context = {
        "page": page,
        "rows": [_row(dataset) for dataset in page.rows],
        "filters": asked,
        "seat_counts": range(1, MAX_SEATS + 1),
    }
    return render(request, "ladder/datasets/datasets.html", context)


def _row(dataset: Dataset) -> dict[str, object]:
    return {"dataset": dataset, "board": Board(dataset.game, dataset.seats)}


def file(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    return dataset_file(request, pk, name)
