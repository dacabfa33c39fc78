from rest_framework.pagination import CursorPagination


class Cursor(CursorPagination):
    """Pages that cost the same however long the list is."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"
    ordering = "-id"
