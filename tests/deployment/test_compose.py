"""The compose file: its structure, and each service's command run by hand on real servers.

No Docker engine is needed: what a container adds (the image, the profile's loading) is not run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from contextlib import ExitStack

import pytest
import yaml
from django.conf import settings

from engine.game import Limits
from ladder import serve
from ladder.services import bots
from tests import servers
from tests.programs.image.compose import filled
from tests.servers import ROOT, Server, free_port, product_environment, wait_until

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
OURS = ["web", "worker", "scheduler", "stream", "keeper"]
SECRETS = {
    "SECRET_KEY": "only-for-this-test-" + "0123456789abcdef" * 3,
    "POSTGRES_PASSWORD": "unused",
}


def test_every_service_has_a_healthcheck_restarts_and_is_not_root():
    dockerfile = (ROOT / "Dockerfile").read_text()

    assert set(COMPOSE["services"]) == {*OURS, "proxy", "redis", "postgres"}
    for name, service in COMPOSE["services"].items():
        assert service["restart"] == "unless-stopped"
        assert service["mem_limit"] and service["pids_limit"]
        assert service["logging"]["options"]["max-size"]
        assert "privileged" not in service
        assert "healthcheck" in service or (name == "web" and "HEALTHCHECK" in dockerfile)
        if name in OURS:
            assert service["cap_drop"] == ["ALL"]
            assert service["init"], "PID 1 must reap"
            assert "no-new-privileges:true" in service["security_opt"]
            assert any(volume.startswith("media:") for volume in service["volumes"])
        else:
            assert service["user"] not in ("root", "0")
    assert re.search(r"^USER ladle$", dockerfile, re.MULTILINE)


def test_secrets_come_from_the_environment_and_have_no_default():
    environment = COMPOSE["services"]["web"]["environment"]

    for name in ("SECRET_KEY", "DATABASE_URL"):
        with pytest.raises(KeyError, match="set "):
            filled(environment[name], {})
        assert filled(environment[name], SECRETS)


def test_the_keeper_has_memory_for_a_sandboxed_bot_at_each_of_its_tables():
    units = {"m": 1, "g": 1024}
    keeper = COMPOSE["services"]["keeper"]["mem_limit"]
    own_mb = 512

    needed = settings.MAX_TABLES * Limits().memory_mb + own_mb
    assert int(keeper[:-1]) * units[keeper[-1]] >= needed


def test_only_worker_and_keeper_have_the_profile_that_bubblewrap_needs():
    options = {name: COMPOSE["services"][name]["security_opt"] for name in OURS}
    profile = json.loads((ROOT / "ladder" / "deploy" / "docker-seccomp.json").read_text())
    denied = {name for rule in profile["syscalls"] for name in rule["names"]}

    for name in ("worker", "keeper"):
        assert "seccomp:./ladder/deploy/docker-seccomp.json" in options[name]
    for name in ("web", "scheduler", "stream"):
        assert not any("seccomp" in option for option in options[name])
    assert not denied & {"clone", "unshare", "mount", "umount2", "pivot_root", "sethostname"}
    assert {"bpf", "ptrace", "keyctl", "kexec_load", "init_module", "setns"} <= denied


def test_make_image_runs_outside_of_any_site():
    known = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    fills = "from tests.programs.image.__main__ import Stack, filled; print(filled('${A:-b}', {}))"

    done = subprocess.run(
        [sys.executable, "-c", fills], cwd=ROOT, env=known, capture_output=True, text=True
    )

    assert (done.stdout, done.stderr) == ("b\n", "")


def test_everything_the_image_copies_is_there():
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY "):
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists(), source


def command_of(name: str) -> list[str]:
    """What a service runs, in the environment of the product's lock instead of the image's."""
    words = COMPOSE["services"][name].get("command")
    if words is None:
        found = re.search(r"^CMD (\[.*\])$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
        words = json.loads(found[1])
    return words


@pytest.mark.services
@pytest.mark.jail
def test_each_command_runs_in_production_settings_on_real_redis_and_postgresql(tmp_path):
    port, stream_port = free_port(), free_port()
    with ExitStack() as stack:
        redis = stack.enter_context(servers.redis(tmp_path / "redis"))
        postgres = stack.enter_context(servers.postgres(tmp_path / "postgres"))
        environment = product_environment(tmp_path / "var") | {
            "DEBUG": "0",
            "SECRET_KEY": SECRETS["SECRET_KEY"],
            "DATABASE_URL": f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres",
            "REDIS_URL": f"redis://127.0.0.1:{redis.port}/0",
            "ALLOWED_HOSTS": "ladle.example.org",  # the health check asks 127.0.0.1 all the same
            "LADLE_TRUSTED_PROXIES": "1",
            "PATH": f"{servers.BIN}{os.pathsep}{os.environ['PATH']}",
        }
        checked = subprocess.run(
            [servers.PYTHON, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
            cwd=ROOT, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        assert checked.returncode == 0, checked.stderr
        servers.manage(environment, "collectstatic", "--noinput", "-v0")

        for name in OURS:
            words = [
                word.replace("0.0.0.0:8000", f"127.0.0.1:{port}").replace(
                    "0.0.0.0:8001", f"127.0.0.1:{stream_port}"
                )
                for word in command_of(name)
            ]
            server = Server(words, environment=environment, log=tmp_path / f"{name}.log")
            server.start()
            stack.callback(server.stop)
            if name == "web":
                wait_until(lambda: get(port, "/healthz")[0] == 200, 90, "the web answers")

        wait_until(lambda: not problems(port), 180, lambda: f"ready, but for {problems(port)}")
        status, body = get(port, "/", {"X-Forwarded-Proto": "https"})
        assert status == 200
        assert "Ladle" in body
        assert get(port, "/metrics")[1].count("ladle_workers") > 0
        servers.manage(environment, "alive", "scheduler")
        assert get(stream_port, "/healthz") == (200, "ok\n")


def problems(port: int) -> list[str]:
    return json.loads(get(port, "/readyz")[1])["problems"]


def get(port: int, path: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except OSError:
        return 0, ""


def test_every_server_takes_the_largest_bundle() -> None:
    largest = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + bots.LARGEST
    proxy = (ROOT / "ladder" / "deploy" / "nginx.conf").read_text()

    assert largest <= serve.MAX_BODY
    assert largest <= int(re.search(r"client_max_body_size (\d+)m;", proxy)[1]) * 2**20
