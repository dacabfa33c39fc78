"""The Kubernetes manifests: valid by the schemas of the API, and equal to docker-compose.yml."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml
from prometheus_client.core import Metric

from ladder.web.operation.metrics import LadleCollector
from tests.servers import ROOT

FOLDER = ROOT / "ladder" / "deploy" / "kubernetes"
FILES = sorted(path for path in FOLDER.glob("*.yaml") if path.name != "kustomization.yaml")
KEDA = json.loads(Path(__file__).with_name("keda_scaled_object.json").read_text(encoding="utf-8"))
VERSION = "1.31"  # the first with appArmorProfile as a stable field is 1.30


def documents() -> list[dict[str, Any]]:
    return [one for path in FILES for one in yaml.safe_load_all(path.read_text())]


def of_kind(kind: str) -> dict[str, dict[str, Any]]:
    return {one["metadata"]["name"]: one for one in documents() if one["kind"] == kind}


def containers() -> dict[str, dict[str, Any]]:
    pods = {name: one["spec"]["template"]["spec"] for name, one in of_kind("Deployment").items()}
    return {name: pod["containers"][0] for name, pod in pods.items()}


def test_every_manifest_fits_the_schema_of_the_api():
    checked = [one for one in documents() if not one["apiVersion"].startswith("keda.sh/")]
    assert len(checked) >= 9
    for one in checked:
        kubernetes_validate.validate(one, VERSION, strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(checked[0] | {"dat": {}}, VERSION, strict=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"triggers": [{"type": "prometheus", "metadata": {"query": "x", "threshold": 30}}]},
        {"triggers": []},
        {"maxReplicas": 32},
        {"scaleTargetRef": {}},
    ],
)
def test_the_autoscaling_fits_the_fields_of_keda(wrong):
    (scaled,) = (one for one in documents() if one["apiVersion"].startswith("keda.sh/"))

    jsonschema.validate(scaled, KEDA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(scaled | {"spec": scaled["spec"] | wrong}, KEDA)


def test_the_kustomization_runs_the_image_of_this_version():
    image = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())["images"][0]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert image["newTag"] == project["version"]


def test_the_kustomization_names_every_file():
    told = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())

    assert sorted(told["resources"]) == [path.name for path in FILES]


def test_deployments_run_the_commands_of_compose():
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    ours = {name: one for name, one in compose.items() if one.get("image") == "ladle"}

    assert containers().keys() == ours.keys()
    for name, one in ours.items():
        if "command" in one:
            assert containers()[name]["command"] == one["command"]


def test_pods_run_without_privileges_and_bots_files_lie_in_memory():
    for deployment in of_kind("Deployment").values():
        pod = deployment["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"]
        for container in (*pod["containers"], *pod.get("initContainers", ())):
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert not container["securityContext"]["allowPrivilegeEscalation"]
    for name in ("worker", "keeper"):
        pod = of_kind("Deployment")[name]["spec"]["template"]["spec"]
        assert pod["volumes"][0]["emptyDir"]["medium"] == "Memory"
        assert pod["containers"][0]["volumeMounts"][0]["mountPath"] == "/run/ladle"


@pytest.mark.django_db
def test_workers_are_scaled_by_a_metric_that_the_site_has():
    (scaled,) = of_kind("ScaledObject").values()
    (trigger,) = scaled["spec"]["triggers"]
    metrics: list[Metric] = list(LadleCollector().collect())

    assert scaled["spec"]["scaleTargetRef"]["name"] in of_kind("Deployment")
    assert any(metric.name in trigger["metadata"]["query"] for metric in metrics)
