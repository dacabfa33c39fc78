"""Sending events to addresses that users named."""
