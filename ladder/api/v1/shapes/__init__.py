"""What goes over the wire: every field is listed, described and shown by an example."""
