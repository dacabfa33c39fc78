"""What an audit's answer means."""

from __future__ import annotations

from typing import Any, NamedTuple


class Verdict(NamedTuple):
    is_clean: bool
    sentences: list[str]


def of_pip(lock: str, said: Any) -> Verdict:
    """`said` is pip-audit's JSON, None where it gave none."""
    packages = said["dependencies"] if said else []
    looked_up = [one for one in packages if "skip_reason" not in one]
    if not looked_up or len(looked_up) < len(packages):
        count = f"{len(looked_up)} of {len(packages)} packages were looked up"
        return Verdict(False, [f"{lock}: the audit service cannot be reached from here; {count}."])
    weak = [
        f"{lock}: {one['name']} {one['version']}: {each['id']},"
        f" fixed in {', '.join(each['fix_versions']) or 'no version yet'}"
        for one in looked_up
        for each in one["vulns"]
    ]
    return Verdict(not weak, [*weak, f"{lock}: {len(looked_up)} packages, {len(weak)} weaknesses."])


def of_npm(lock: str, said: Any) -> Verdict:
    """`said` is the JSON of `npm audit`, which holds a message where the service did not answer."""
    if not said or "metadata" not in said:
        return Verdict(False, [f"{lock}: the audit service cannot be reached from here."])
    weak = [
        f"{lock}: {name} {one['range']}: {one['severity']}"
        for name, one in said["vulnerabilities"].items()
    ]
    count = said["metadata"]["dependencies"]["total"]
    return Verdict(not weak, [*weak, f"{lock}: {count} packages, {len(weak)} weak ones."])
