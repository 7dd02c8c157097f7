"""Chromium without a window, steered through two pipes: messages in JSON that end in a NUL."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile

PATH = "/usr/bin/chromium"
LOOKS = [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")]


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="seedbed-browser-")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        # It reads from descriptor 3 and writes to 4.
        script = f'exec "$@" 3<&{commands} 4>&{answers}'
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", script, "sh", PATH, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder}/profile", "about:blank"],
            pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.last, self.session, self.received, self.problems = 0, None, b"", []
        self.has_loaded = False
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(domain + ".enable")

    def close(self):
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.folder, ignore_errors=True)

    def look(self, width, scheme):
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
            mobile=False)
        self.send(
            "Emulation.setEmulatedMedia", media="",
            features=[{"name": "prefers-color-scheme", "value": scheme}])

    def visit(self, url):
        self.waiting(lambda: self.send("Page.navigate", url=url))

    def press(self, expression):
        """Clicks on an element, which leads to another page."""
        self.waiting(lambda: self.run(f"setTimeout(() => ({expression}).click())"))

    def waiting(self, action):
        self.has_loaded = False
        action()
        while not self.has_loaded:
            self.receive()

    def run(self, expression):
        """The value of an expression in the page."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def picture(self, path):
        """The whole page, for a person to look at."""
        answer = self.send("Page.captureScreenshot", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))

    def send(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.received:
            if not select.select([self.answers], [], [], 60)[0]:
                raise AssertionError("The browser says nothing.")
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise AssertionError("The browser has ended.")
            self.received += part
        text, _, self.received = self.received.partition(b"\0")
        message = json.loads(text)
        method = message.get("method")
        if method == "Page.loadEventFired":
            self.has_loaded = True
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.problems.append(message["params"])
        return message
