"""Screenshots of the pages that `inspect --html`, `profile --plots` and `autoschedule --report` write."""
import base64
import json
import sys

from data import ROOT
from png import SIGNATURE, size_of, with_palette

WIDTH, MOST_WIDTH, MOST_BYTES = 1200, 1400, 150_000
SCHEMES = {"": "light", "-dark": "dark"}

# For each picture: the page, its anchor (a node of a graph), what is at the top of the picture, and the picture's height.
PAGES = {"inspect_page": ("inspect.html", "#1.10", ".graphs", 690),
         "profile_page": ("profile.html", "", "h1", 996),
         "tuning_page": ("report.html", "", "h1", 900)}


def names():
    return [f"{name}{suffix}.png" for name in PAGES for suffix in SCHEMES]


def faults_of(path):
    name = f"docs/images/{path.name}"
    if not path.is_file():
        return [f"{name} is missing; run scripts/draw-pictures --screenshots FOLDER"]
    png = path.read_bytes()
    if not png.startswith(SIGNATURE) or size_of(png)[0] > MOST_WIDTH:
        return [f"{name} is not a PNG of at most {MOST_WIDTH} pixels' width"]
    return [f"{name} has {len(png)} bytes; at most {MOST_BYTES} are allowed"] if len(png) > MOST_BYTES else []


def take(folder, images):
    """Only of the pages that are in the folder."""
    sys.path.insert(0, str(ROOT / "tests" / "report"))
    from browser import Browser
    with Browser(WIDTH, 900) as browser:
        for name, (page, anchor, first, height) in PAGES.items():
            if not (folder / page).is_file():
                continue
            for suffix, scheme in SCHEMES.items():
                browser.size(WIDTH, height, scheme)
                browser.open(folder / page, anchor)
                browser.evaluate("new Promise((done) => setTimeout(done, 1500))")
                browser.evaluate(f"scrollTo(0, document.querySelector({json.dumps(first)}).getBoundingClientRect().top + scrollY - 12)")
                browser.settle()
                shot = base64.b64decode(browser.call("Page.captureScreenshot", format="png")["data"])
                (images / f"{name}{suffix}.png").write_bytes(with_palette(shot))
