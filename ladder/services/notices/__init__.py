"""Notices to users, on the site and by mail."""
