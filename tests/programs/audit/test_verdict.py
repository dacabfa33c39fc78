from tests.programs.audit.verdict import of_npm, of_pip

SOUND = {"name": "django", "version": "5.2.19", "vulns": []}
WEAK = {
    "name": "jinja2",
    "version": "2.4.1",
    "vulns": [{"id": "PYSEC-2014-8", "fix_versions": ["2.7.2"], "aliases": []}],
}
SKIPPED = {"name": "amqp", "skip_reason": "Dependency not found on PyPI"}


def test_a_package_that_was_not_looked_up_is_no_good_news():
    for packages in ([SKIPPED], [SOUND, SKIPPED], []):
        verdict = of_pip("x.lock", {"dependencies": packages})

        assert not verdict.is_clean
        assert "cannot be reached" in verdict.sentences[0]
    assert not of_pip("x.lock", None).is_clean


def test_a_weakness_is_named_with_the_version_that_mends_it():
    verdict = of_pip("x.lock", {"dependencies": [SOUND, WEAK]})

    assert not verdict.is_clean
    assert verdict.sentences == [
        "x.lock: jinja2 2.4.1: PYSEC-2014-8, fixed in 2.7.2",
        "x.lock: 2 packages, 1 weaknesses.",
    ]
    assert of_pip("x.lock", {"dependencies": [SOUND]}).is_clean


def test_npm_is_clean_only_when_its_service_answered():
    counted = {"metadata": {"dependencies": {"total": 61}}}
    weak = {"tar": {"range": "<6.2.1", "severity": "high"}}

    assert of_npm("p.json", counted | {"vulnerabilities": {}}).is_clean
    assert not of_npm("p.json", counted | {"vulnerabilities": weak}).is_clean
    assert not of_npm("p.json", {"message": "405 Method Not Allowed"}).is_clean
    assert not of_npm("p.json", None).is_clean
