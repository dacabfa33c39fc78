"""A container as Docker would start it, by runc.

The paths that are hidden or read-only are those of Docker's engine; the profile for services that
bring none is the one that Debian's container tools ship.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DEFAULT_PROFILE = Path("/usr/share/containers/seccomp.json")
MASKED = [
    "/proc/asound", "/proc/acpi", "/proc/interrupts", "/proc/kcore", "/proc/keys",
    "/proc/latency_stats", "/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug",
    "/proc/scsi", "/sys/firmware", "/sys/devices/virtual/powercap",
]  # fmt: skip
READ_ONLY = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"]
BUILD_CAPABILITIES = [
    "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_SETGID", "CAP_SETUID",
    "CAP_SETFCAP", "CAP_KILL", "CAP_NET_BIND_SERVICE",
]  # fmt: skip
OUTSIDE = ["/etc/resolv.conf", "/etc/hosts"]


@dataclass(frozen=True)
class Container:
    """One container: its file system, who runs what in it, and what it may do."""

    name: str
    root: Path
    environment: dict[str, str]
    folder: str = "/"
    user: int = 0
    capabilities: Sequence[str] = ()
    profile: Path | None = DEFAULT_PROFILE
    mounts: dict[Path, str] = field(default_factory=dict)  # from outside, by their place inside
    read_only_mounts: dict[Path, str] = field(default_factory=dict)
    tmpfs: Sequence[str] = ()  # as compose writes them: place, colon, options
    memory_bytes: int | None = None
    processes: int | None = None

    def config(self, argv: Sequence[str]) -> dict[str, Any]:
        """The bundle's config.json."""
        caps = list(self.capabilities)
        limits: dict[str, Any] = {}
        if self.memory_bytes:
            limits["memory"] = {"limit": self.memory_bytes}
        if self.processes:
            limits["pids"] = {"limit": self.processes}
        return {
            "ociVersion": "1.0.2",
            "hostname": self.name,
            "root": {"path": str(self.root), "readonly": False},
            "process": {
                "terminal": False,
                "args": list(argv),
                "env": [f"{name}={value}" for name, value in self.environment.items()],
                "cwd": self.folder,
                "user": {"uid": self.user, "gid": self.user},
                "noNewPrivileges": True,
                "capabilities": {
                    kind: caps for kind in ("bounding", "effective", "permitted", "inheritable")
                },
            },
            "mounts": [
                _mount("proc", "proc", "/proc"),
                _mount("tmpfs", "tmpfs", "/dev", "nosuid", "mode=755", "size=65536k"),
                _mount("devpts", "devpts", "/dev/pts", "newinstance", "ptmxmode=0666", "mode=0620"),
                _mount("sysfs", "sysfs", "/sys", "nosuid", "noexec", "nodev", "ro"),
                _mount("tmpfs", "shm", "/dev/shm", "nosuid", "noexec", "nodev", "mode=1777"),
                *(_tmpfs(text) for text in self.tmpfs),
                *(_bind(source, place, "rw") for source, place in self.mounts.items()),
                *(_bind(source, place, "ro") for source, place in self.read_only_mounts.items()),
            ],
            "linux": {
                "namespaces": [{"type": kind} for kind in ("pid", "ipc", "uts", "mount")],
                "maskedPaths": MASKED,
                "readonlyPaths": READ_ONLY,
                "resources": {"devices": [{"allow": False, "access": "rwm"}], **limits},
                **({"seccomp": seccomp(self.profile, caps)} if self.profile else {}),
            },
        }

    def argv(self, bundle: Path, words: Sequence[str]) -> list[str]:
        """The command line that runs `words` in a new container of this kind."""
        bundle.mkdir(parents=True, exist_ok=True)
        (bundle / "config.json").write_text(json.dumps(self.config(words), indent=1))
        return ["runc", "run", "--bundle", str(bundle), self.name]


def seccomp(profile: Path, capabilities: Sequence[str]) -> dict[str, Any]:
    """Docker's kind of profile as runc's: rules for this machine and these capabilities."""
    written = json.loads(profile.read_text())
    rules = []
    for rule in written["syscalls"]:
        only, unless = rule.get("includes", {}), rule.get("excludes", {})
        wanted = all(cap in capabilities for cap in only.get("caps", []))
        wanted &= not any(cap in capabilities for cap in unless.get("caps", []))
        wanted &= "amd64" in only.get("arches", ["amd64"])
        wanted &= "amd64" not in unless.get("arches", [])
        if wanted:
            kept = {
                key: rule[key] for key in ("names", "action", "args", "errnoRet") if rule.get(key)
            }
            rules.append(kept)
    architectures = ["SCMP_ARCH_X86_64"]
    found = {"defaultAction": written["defaultAction"], "architectures": architectures}
    if "defaultErrnoRet" in written:
        found["defaultErrnoRet"] = written["defaultErrnoRet"]
    return found | {"syscalls": rules}


def _mount(kind: str, source: str, place: str, *options: str) -> dict[str, Any]:
    return {"destination": place, "type": kind, "source": source, "options": list(options)}


def _tmpfs(text: str) -> dict[str, Any]:
    place, _, options = text.partition(":")
    return _mount("tmpfs", "tmpfs", place, "nosuid", "nodev", *options.split(","))


def _bind(source: Path, place: str, mode: str) -> dict[str, Any]:
    return _mount("bind", str(source), place, "rbind", mode)


def in_running(name: str, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a container that is up, as Docker runs a health check."""
    return subprocess.run(
        ["runc", "exec", name, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


@contextmanager
def running(
    container: Container, bundle: Path, words: Sequence[str]
) -> Iterator[subprocess.Popen[bytes]]:
    """The container's process, its output in bundle/log; it is stopped and removed at the end."""
    argv = container.argv(bundle, words)
    with (bundle / "log").open("wb") as log:
        process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield process
    finally:
        subprocess.run(["runc", "kill", container.name, "TERM"], capture_output=True)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            subprocess.run(["runc", "delete", "--force", container.name], capture_output=True)
            process.wait(20)


def registry_mounts() -> dict[Path, str]:
    """What lets a build reach the package registries that this machine reaches."""
    home = Path.home()
    found = {Path(path): path for path in OUTSIDE}
    for path in ("/etc/pip.conf", "/etc/apt/apt.conf.d", "/etc/ssl/certs/ca-certificates.crt"):
        if os.path.exists(path):
            found[Path(path)] = path
    for name in (".config/pip/pip.conf", ".npmrc"):
        if (home / name).exists():
            found[home / name] = f"/root/{name}"
    found |= {folder: str(folder) for folder in Path("/opt").iterdir() if folder.is_dir()}
    return found
