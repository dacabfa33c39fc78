"""The same pages on the site: they are found, and no link of theirs leads nowhere."""

import re

import pytest

from tests.docs.pages import DOCS

NAMES = sorted(page.stem for page in DOCS.glob("*.md"))


@pytest.mark.parametrize("name", NAMES)
def test_every_link_of_a_page_on_the_site_leads_somewhere(name, client, db):
    html = client.get(f"/docs/{name}/").content.decode()
    article = html[html.index("<article") : html.index("</article>")]

    for link in sorted(set(re.findall(r'href="([^"#]+)', article))):
        assert link.startswith("/"), f"{name} leads to {link}"
        assert client.get(link).status_code == 200, f"{name} leads to {link}"


@pytest.mark.parametrize("name", NAMES)
def test_every_drawing_of_a_page_on_the_site_is_there(name, client, db):
    html = client.get(f"/docs/{name}/").content.decode()
    article = html[html.index("<article") : html.index("</article>")]

    for source in re.findall(r'<img src="([^"]+)', article):
        assert client.get(source)["Content-Type"] == "image/svg+xml", f"{name} shows {source}"


@pytest.mark.parametrize("name", NAMES)
def test_every_anchor_of_a_page_on_the_site_is_there(name, client, db):
    html = client.get(f"/docs/{name}/").content.decode()

    for page, anchor in set(re.findall(r'href="(?:/docs/([a-z-]+)/)?#([^"]+)"', html)):
        target = client.get(f"/docs/{page or name}/").content.decode()

        assert f'id="{anchor}"' in target, f"{name} leads to {page}#{anchor}"
