"""A passkey is added and signs in, with an authenticator that Chromium plays itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, screenshots

pytestmark = [pytest.mark.browser, pytest.mark.jail]

MAKE = f"""
import os
from tests.factories import make_user
user = make_user(f"key{{os.getpid()}}")
user.set_password("{PASSWORD}")
user.save()
print(user.username)
"""
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def sign_in(page: Page, url: str, name: str) -> None:
    page.goto(f"{url}/sign-in/?next=/account/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(f"{url}/account/")  # and not ?next=/account/


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_passkey_signs_in_without_a_name_or_a_password(visitor, site, width, height):
    [name] = site.shell(MAKE)
    url = site.url.replace("127.0.0.1", "localhost")  # passkeys belong to a name, not an address
    page = visitor(viewport={"width": width, "height": height})
    machine = page.context.new_cdp_session(page)
    machine.send("WebAuthn.enable")
    machine.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})

    sign_in(page, url, name)
    page.get_by_role("link", name="Passkeys and one-time codes").click()
    page.get_by_role("link", name="Add").first.click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Name").fill("Phone")
    page.get_by_label("Passwordless").check()
    page.get_by_role("main").get_by_role("button", name="Add").click()
    page.get_by_role("heading", name="Recovery Codes").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.clear_cookies()

    page.goto(f"{url}/sign-in/?next=/notices/")
    page.screenshot(path=screenshots() / f"sign-in-passkey-{width}.png", full_page=True)
    page.get_by_role("button", name="Use a passkey").click()

    page.wait_for_url(f"{url}/notices/")
    page.goto(f"{url}/account/")
    expect(page.get_by_role("heading", name=name)).to_be_visible()
