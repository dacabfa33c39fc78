"""What of a text matters to how it plays; a comment, a blank or a new name does not."""

from __future__ import annotations

import re

from sandbox.languages.parsing import parsed

# Names that a file binds itself are numbered in the order they come in, but for those by which the
# shim finds the bot; docstrings, annotations and statements that do nothing are left out. It runs
# in the process that is limited, and prints a hash.
NORMALISE = """
import ast, hashlib
r.setrlimit(r.RLIMIT_AS, (2**29, 2**29))
tree = ast.parse(sys.stdin.buffer.read().decode("utf-8-sig"))
KEPT = {"decide", "start", "end", "Bot", "bot", "__init__"}
bound = set()
for node in ast.walk(tree):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        bound.add(node.name)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        bound.add(node.id)
    elif isinstance(node, ast.arg):
        bound.add(node.arg)
attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
bound -= KEPT | attributes | {name for name in bound if name.startswith("__")}
numbers = {}
def number(name):
    return f"v{numbers.setdefault(name, len(numbers))}" if name in bound else name
def is_idle(node):
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
class Plain(ast.NodeTransformer):
    def generic_visit(self, node):
        for field in ("name", "id", "arg", "rest"):
            if isinstance(getattr(node, field, None), str):
                setattr(node, field, number(getattr(node, field)))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [number(name) for name in node.names]
        if hasattr(node, "returns"):
            node.returns = None
        if hasattr(node, "annotation") and not isinstance(node, ast.AnnAssign):
            node.annotation = None
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                kept = [one for one in block if not is_idle(one)]
                setattr(node, field, kept or ([ast.Pass()] if field == "body" and block else []))
        return super().generic_visit(node)
    def visit_AnnAssign(self, node):
        if node.value is None:
            return ast.Pass()
        plain = ast.Assign(targets=[node.target], value=node.value)
        return self.generic_visit(ast.copy_location(plain, node))
print(hashlib.sha256(ast.dump(Plain().visit(tree)).encode()).hexdigest())
"""


def of_python(content: bytes) -> bytes:
    """A hash of its syntax tree, names that it makes up aside; itself where it cannot be parsed."""
    return parsed(content, NORMALISE).stdout.strip() or content


# Strings first, so that what looks like a comment in one of them stays.
TOKENS = re.compile(
    rb"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|//[^\n]*|/\*.*?\*/|\s+""", re.S
)


def of_javascript(content: bytes) -> bytes:
    """The text without comments and without blanks where none is needed."""
    plain = TOKENS.sub(lambda found: found[1] or b" ", content)
    return re.sub(rb" ?([^\w$\"'` ]) ?", rb"\1", re.sub(rb" +", b" ", plain)).strip()
