"""Datasets of a site on your own disk: read them, and execute every play in them again."""

from ladle.data.folder import Checked, load_manifest, verify

__all__ = ["Checked", "load_manifest", "verify"]
