"""A Chromium without a window, driven through its DevTools pipe: real clicks and keys, and what the page says of
itself. Nothing but Python's own library is needed."""
import json
import os
import shutil
import subprocess
import tempfile

SKIPPED = 77


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


class Browser:
    """`faults` has the errors of scripts; `requests` the addresses that pages asked for, without their own."""

    def __init__(self, width=1400, height=900):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self.output = os.pipe()
        self.input, from_child = os.pipe()

        def connect():
            # The pipe is at 3 and 4; these may be in use by what was opened above.
            copies = [os.dup(to_child), os.dup(from_child)]
            high = [os.dup2(copies[0], 60), os.dup2(copies[1], 61)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [find_chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--remote-debugging-pipe", "--disable-background-networking", "--no-first-run",
             f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.pending, self.count, self.session = b"", 0, None
        self.faults, self.requests, self.loaded = [], [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.folder.cleanup()

    def receive(self):
        while b"\0" not in self.pending:
            part = os.read(self.input, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self.pending += part
        message, self.pending = self.pending.split(b"\0", 1)
        message = json.loads(message)
        method, given = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = given["exceptionDetails"]
            self.faults.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and given["entry"]["level"] == "error":
            self.faults.append(given["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning"):
            self.faults.append(json.dumps(given["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        return message

    def call(self, method, **given):
        self.count += 1
        message = {"id": self.count, "method": method, "params": given}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path, anchor=""):
        address = "file://" + os.path.abspath(path)
        self.loaded, self.requests, self.faults = False, [], []
        self.call("Page.navigate", url="about:blank")
        while not self.loaded:
            self.receive()
        self.loaded = False
        self.call("Page.navigate", url=address + anchor)
        while not self.loaded:
            self.receive()
        self.settle()
        self.requests = [request for request in self.requests if not request.startswith((address, "about:", "data:"))]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def settle(self):
        """Until what was asked for is drawn."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def size(self, width, height, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def middle_of(self, selector):
        """Scrolls there."""
        return self.evaluate(
            "(() => { const it = document.querySelector(%s); it.scrollIntoView({block: 'nearest'});"
            " const b = it.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()" % json.dumps(selector))

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        x, y = self.middle_of(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.settle()

    def drag(self, selector, dx, dy):
        x, y = self.middle_of(selector)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseMoved", x + dx, y + dy, button="left", buttons=1)
        self.mouse("mouseReleased", x + dx, y + dy, button="left", clickCount=1)
        self.settle()

    def wheel(self, selector, delta):
        x, y = self.middle_of(selector)
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=delta)
        self.settle()

    def press(self, key, text=None):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **({"text": text} if text else {}),
                  **({"windowsVirtualKeyCode": 13} if key == "Enter" else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.settle()

    def picture(self, path):
        import base64
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


# Rectangles of nodes of each graph that overlap: all pairs whose tops are near enough.
OVERLAPS = """
[...document.querySelectorAll('.pane')].map((pane) => {
  const boxes = [...pane.querySelectorAll('.node .face')].map((face) => face.getBoundingClientRect()).sort((a, b) => a.top - b.top);
  let count = 0;
  boxes.forEach((a, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom - 0.01; ++j)
      if (a.left < boxes[j].right - 0.01 && boxes[j].left < a.right - 0.01) ++count;
  });
  return count;
})
"""

# Texts that are wider than their nodes.
WIDE_TEXTS = """
[...document.querySelectorAll('.stage .node')].filter((node) => {
  const face = node.querySelector('.face').getBBox();
  return [...node.querySelectorAll('text')].some((text) => text.getBBox().width > face.width);
}).length
"""


def expect(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{what}: found {found!r}, expected {wanted!r}")
