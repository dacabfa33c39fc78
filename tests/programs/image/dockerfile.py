"""Follows a Dockerfile on a bare Debian tree, each RUN in a container of runc's."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import string
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.programs.image.container import BUILD_CAPABILITIES, Container, registry_mounts

REGISTRY = re.compile(
    r"PIP_\w+|(?i:npm_config)_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(?i:\w+_proxy)"
)


@dataclass
class Image:
    """A file system with what the Dockerfile says of how to run it."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "root"
    command: list[str] = field(default_factory=list)
    health_check: list[str] = field(default_factory=list)

    @property
    def user_id(self) -> int:
        for line in (self.root / "etc/passwd").read_text().splitlines():
            name, _, number, *_ = line.split(":")
            if name == self.user:
                return int(number)
        raise LookupError(f"the image has no user {self.user}")


def instructions(text: str) -> list[tuple[str, str]]:
    """(word, rest) of each instruction, with continued lines joined and comments left out."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in joined.splitlines()]  # type: ignore[misc]


def build(dockerfile: Path, base: Path, root: Path) -> Image:
    """Carry out each instruction on a copy of `base`, which stands for the FROM image."""
    subprocess.run(["rm", "-rf", root], check=True)
    subprocess.run(["cp", "-a", "--reflink=auto", base, root], check=True)
    image = Image(root, {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"})
    for number, (word, rest) in enumerate(instructions(dockerfile.read_text())):
        print(f"image: {word} {rest[:90]}", flush=True)  # noqa: T201
        match word:
            case "FROM":
                assert rest.startswith("debian:"), "only a bare Debian can stand for the base"
            case "RUN":
                _run(image, rest, number)
            case "COPY":
                _copy(image, dockerfile.parent, rest)
            case "WORKDIR":
                image.folder = rest
                (root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case "ENV":
                for item in shlex.split(rest):
                    name, _, value = item.partition("=")
                    filled = string.Template(value).safe_substitute(image.environment)
                    image.environment[name] = filled
            case "USER":
                image.user = rest
            case "HEALTHCHECK":
                image.health_check = json.loads(rest[rest.index("CMD") + 3 :])
            case "CMD":
                image.command = json.loads(rest)
            case "EXPOSE":
                pass
            case _:
                raise ValueError(f"this Dockerfile reader does not know {word}")
    return image


def _run(image: Image, script: str, number: int) -> None:
    registry = {name: value for name, value in os.environ.items() if REGISTRY.fullmatch(name)}
    container = Container(
        name=f"ladle-build-{os.getpid()}-{number}",
        root=image.root,
        environment={**registry, **image.environment, "HOME": "/root"},
        folder=image.folder,
        capabilities=BUILD_CAPABILITIES,
        read_only_mounts=registry_mounts(),
    )
    bundle = image.root.parent / "build-step"
    argv = container.argv(bundle, ["/bin/sh", "-ec", script])
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL)


def _copy(image: Image, context: Path, rest: str) -> None:
    *sources, target = rest.split()
    for name in sources:
        source = context / name
        place = image.root / image.folder.lstrip("/") / target
        tracked = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", name],
            cwd=context, capture_output=True, check=True, text=True,
        ).stdout  # fmt: skip
        if source.is_dir():
            for path in filter(None, tracked.split("\0")):
                inside = place / Path(path).relative_to(name)
                inside.parent.mkdir(parents=True, exist_ok=True)
                if (context / path).exists() and "/tests/" not in f"/{path}":
                    shutil.copy2(context / path, inside)
        else:
            place.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, place / source.name)
