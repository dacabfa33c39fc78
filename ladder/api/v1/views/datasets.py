"""Datasets of what was played, and their files."""

from __future__ import annotations

import msgspec
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ladder.api.pagination import cursor_of, page_size_of
from ladder.api.parameters import filter_of
from ladder.api.shape import shape
from ladder.api.views import ApiView, PagesView, encoded
from ladder.contract.datasets import Dataset, DatasetFilter
from ladder.queries import datasets as queries
from ladder.web.http.downloads import dataset_file

DATASET = shape(Dataset, "a dataset")


class Datasets(PagesView):
    filter_by = DatasetFilter

    @extend_schema(operation_id="datasets_list", responses=DATASET(many=True))
    def get(self, request: Request) -> HttpResponse:
        """Datasets of what was played, newest first."""
        asked, at = filter_of(request, self.filter_by), cursor_of(request, queries.NEWEST)
        page = queries.page(asked, at, page_size_of(request))
        return self.answer(page.of(located))


class DatasetDetail(ApiView):
    @extend_schema(operation_id="datasets_show", responses=DATASET)
    def get(self, request: Request, dataset: int) -> HttpResponse:
        """One dataset with its files."""
        found = queries.find(dataset)
        if found is None:
            raise Http404
        return encoded(request, located(found))


class DatasetFile(ApiView):
    @extend_schema(
        operation_id="datasets_file",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, dataset: int, name: str) -> HttpResponse:
        """A file of a dataset. Its ETag is its SHA-256."""
        return dataset_file(request, dataset, name)


def located(dataset: Dataset) -> Dataset:
    """A dataset with the addresses of its files."""
    files = [
        msgspec.structs.replace(file, url=reverse("api-dataset-file", args=[dataset.id, file.name]))
        for file in dataset.files
    ]
    return msgspec.structs.replace(dataset, files=files)
