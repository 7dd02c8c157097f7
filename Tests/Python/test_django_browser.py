"""The page of the admin, played in Chromium as a person does, in both themes and two widths."""

import os
import subprocess
import time
import unittest
import urllib.request

from browser import LOOKS, PATH, Browser
from cluster import free_port
from sites import DJANGOS, NEEDED, DjangoCase, edited, on_servers, once
from support import LONG

PICTURES = os.environ.get("SEEDBED_PICTURES")  # a folder, for a person to look at them
CARD = "[...document.querySelectorAll('.seedbed-row')].find(e => e.querySelector('h2')" \
       ".textContent == '%s')"


@once
@unittest.skipUnless(NEEDED or os.path.exists(PATH), "Chromium is not here")
class Played(DjangoCase):
    def play(self, site, name):
        site.run(
            "from django.contrib.auth.models import User\n"
            "User.objects.create_superuser('root', '', 'root')\n" + edited())
        browser = Browser()
        self.addCleanup(browser.close)
        port = free_port()
        server = site.started(
            "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}",
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        base = f"http://127.0.0.1:{port}/admin/"
        self.wait_for(base + "login/")
        browser.look(1280, "light")
        browser.visit(base)
        browser.run(
            "document.querySelector('#id_username').value = 'root';"
            "document.querySelector('#id_password').value = 'root'")
        browser.press("document.querySelector('[type=submit]')")
        # One edit by hand: the browser sends the text of several lines back as it does.
        browser.visit(base + "desk/emailtemplate/")
        browser.press("[...document.querySelectorAll('th a')].find(e => e.text == 'closed')")
        browser.run("document.querySelector('#id_subject').value = 'Closed'")
        browser.press("document.querySelector('[name=_save]')")

        site.edition(2)
        site.migrate()
        browser.visit(base)
        browser.press("document.querySelector('.model-conflict a')")
        for width, scheme in LOOKS:
            browser.look(width, scheme)
            browser.visit(base + "seedbed/conflict/")
            self.picture(browser, f"{name}-{width}-{scheme}")
            self.assertEqual(browser.run("document.documentElement.scrollWidth"), browser.run(
                "document.documentElement.clientWidth"), "The page is wider than the window.")
            self.assertGreaterEqual(self.contrast(browser), 4.5, scheme)
            self.assertEqual(browser.run("document.querySelectorAll('.seedbed-row').length"), 5)

        # Of a template that was edited by hand, the release's new body came.
        self.assertIn("closed Closed\n", self.texts(site))
        self.assertIn("open it again", site.run(
            "from desk.models import *\nprint(EmailTemplate.objects.get(slug='closed').body)"))
        shown = browser.run(f"({CARD % 'email template welcome'}).innerText")
        for words in ("Welcome", "Hello from us", "We got your ticket"):
            self.assertIn(words, shown)
        for row, choice, said in (
            ("email template welcome", "seed", "Email template welcome is as in the release."),
            ("email template reminder", "seed", "Email template reminder is as in the release."),
            ("prompt answer", "pin",
             "Prompt answer stays as it is here, and no release changes it."),
            ("country Swaziland", "mine", "Country Swaziland stays as it is here."),
            ("country Turkiye", "mine", "Country Turkiye stays as it is here."),
        ):
            browser.press(f"({CARD % row}).querySelector('[value={choice}]')")
            self.assertEqual(
                browser.run("document.querySelector('.messagelist').innerText").strip(), said)
        self.picture(browser, f"{name}-done")
        self.assertIn("No conflict is open.", browser.run("document.body.innerText"))
        self.assertEqual(self.texts(site), (
            "closed Closed\nescalated A colleague takes over\nmine My own\n"
            "reminder Are you still there?\nwelcome We got your ticket\n"))
        browser.press("document.querySelectorAll('.seedbed-tabs a')[1]")
        self.assertEqual(browser.run("document.querySelectorAll('.seedbed-row').length"), 5)
        problems = [each for each in browser.problems if "favicon" not in str(each)]
        self.assertEqual(problems, [])

    def test_on_sqlite(self):
        self.play(self.site(migrated=True), "sqlite")

    @on_servers
    def test_on_postgresql(self, cluster):
        site = self.site(variables=cluster.database("browser"), django=DJANGOS[-1])
        site.migrate()
        self.play(site, "postgresql")

    def wait_for(self, url):
        end = time.monotonic() + LONG
        while True:
            try:
                return urllib.request.urlopen(url, timeout=10).close()
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def picture(self, browser, name):
        if PICTURES:
            browser.picture(os.path.join(PICTURES, f"{name}.png"))

    def contrast(self, browser):
        """The smallest one of the texts on the page with what is behind them."""
        return browser.run("""
          (() => {
            const numbers = text => text.match(/[\\d.]+/g).map(Number);
            const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(
              c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce(
              (sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const behind = e => {
              for (; e; e = e.parentElement) {
                const color = numbers(getComputedStyle(e).backgroundColor);
                if (color.length == 3 || color[3] > 0) return color;
              }
              return [255, 255, 255];
            };
            return Math.min(...[...document.querySelectorAll(
              // Buttons have Django's own colours.
              '.seedbed :not(.button)')].filter(
              e => [...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim())
                && e.offsetParent).map(e => {
              const [a, b] = [numbers(getComputedStyle(e).color), behind(e)].map(light);
              return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            }));
          })()""")
