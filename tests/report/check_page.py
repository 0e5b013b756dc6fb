"""Parses the page that test_report writes: every element is closed in order, nothing comes from elsewhere, and the
specification of each chart is JSON."""
import json
import os
import subprocess
import sys
import tempfile
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.faults, self.charts, self.script = [], [], 0, None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("src", "href"):
            if name in values:
                self.faults.append(f"<{tag}> asks for {values[name]}")
        if tag == "script":
            self.script = values.get("type", "text/javascript")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")
        self.script = None

    def handle_data(self, data):
        if self.script == "application/json":
            json.loads(data)
            self.charts += 1


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "page.html")
    subprocess.run([sys.argv[1], "-tc=to_html: a page with everything*"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "TENSORDSL_WRITE_PAGE": path})
    with open(path, encoding="utf-8") as file:
        page = Page()
        page.feed(file.read())
        page.close()
if page.open:
    page.faults.append(f"<{page.open[-1]}> is not closed")
if page.charts != 2:
    page.faults.append(f"{page.charts} charts, expected 2")
for fault in page.faults:
    print(fault)
sys.exit(bool(page.faults))
