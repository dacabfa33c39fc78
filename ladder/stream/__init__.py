"""The stream of public events: a process of its own that keeps many connections open.

One thread reads the database for all of them. No cookies and no sessions: it shows to everybody
what everybody may know. Remote bots have their seats here too (`seats.py`), each by its token.
"""
