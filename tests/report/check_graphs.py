"""Checks pages with graphs, which test_report writes, in Chromium: a large one, and one with hostile texts."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from browser import OVERLAPS, SKIPPED, WIDE_TEXTS, Browser, expect, find_chromium  # noqa: E402

if not find_chromium() or not shutil.which("dot"):
    print("skipped: Chromium or Graphviz is not installed (apt-get install chromium graphviz)")
    sys.exit(SKIPPED)

SCALE = "document.querySelector('.pane svg g').transform.baseVal.consolidate().matrix.a"
TITLE = "document.querySelector('.panel h3').textContent"


def chosen(browser, what="chosen"):
    return browser.evaluate(f"[...document.querySelectorAll('.node.{what}')].map((node) => node.dataset.node)")


def check_large(browser, page):
    browser.open(page)
    expect("nodes", browser.evaluate("document.querySelectorAll('.stage .node').length"), 3500)
    expect("a scale at which texts can be read", browser.evaluate("!document.querySelector('svg.far')"), True)
    browser.evaluate("document.querySelectorAll('.pane header button')[2].click()")  # 1:1
    browser.settle()
    expect("scale", round(browser.evaluate(SCALE), 3), 1)
    expect("overlaps", browser.evaluate(OVERLAPS), [0, 0])
    expect("texts that leave their nodes", browser.evaluate(WIDE_TEXTS), 0)

    # A kernel: the panel describes it, and its operators are marked and visible.
    browser.evaluate("location.hash = '#1.7'")
    browser.settle()
    expect("chosen", chosen(browser), ["1.7"])
    expect("linked", chosen(browser, "linked"), [f"0.{i}" for i in range(42, 48)])
    expect("in sight", browser.evaluate(
        "(() => { const s = document.querySelector('.stage').getBoundingClientRect(), n = document.querySelector"
        "('[data-node=\"0.42\"]').getBoundingClientRect(); return n.top > s.top && n.bottom < s.bottom; })()"), True)
    expect("facts", browser.evaluate("document.querySelector('.panel td').textContent"), "size")
    browser.click(".tabs button:nth-child(2)")
    expect("code", browser.evaluate("document.querySelector('.panel pre').textContent"), "__kernel void f() {}")
    browser.click('[data-node="0.43"]')
    expect("chosen by a click", chosen(browser), ["0.43"])
    expect("linked to it", chosen(browser, "linked"), ["1.7"])
    expect("address", browser.evaluate("location.hash"), "#0.43")
    browser.press("ArrowDown")
    expect("one chosen by the keyboard", len(chosen(browser)), 1)
    expect("another one", chosen(browser) == ["0.43"], False)
    browser.press("Escape")
    expect("chosen after Escape", chosen(browser), [])

    # Zoom and pan.
    before = browser.evaluate(SCALE)
    browser.wheel(".stage svg", -240)
    expect("larger by the wheel", browser.evaluate(SCALE) > before * 1.2, True)
    browser.evaluate("document.querySelector('.pane').focus()")
    browser.press("0", "0")
    expect("the whole graph is small", browser.evaluate("document.querySelector('.pane svg').classList.contains('far')"), True)
    browser.press("1", "1")
    place = browser.evaluate("document.querySelector('.pane svg g').getAttribute('transform')")
    browser.drag(".stage svg", 60, 30)
    expect("moved by dragging", browser.evaluate("document.querySelector('.pane svg g').getAttribute('transform')") == place, False)

    # Search.
    browser.press("/", "/")
    browser.type("node 77")
    wanted = 1 + 10 + 1  # node 77 of both, node 770 to 779
    expect("hits", browser.evaluate("document.querySelector('.graphs output').textContent"), f"{wanted} found")
    expect("marked hits", len(chosen(browser, "hit")), wanted)
    browser.press("Enter", "\r")
    expect("the first hit", chosen(browser), ["0.77"])
    browser.press("Enter", "\r")
    expect("the second hit", chosen(browser), ["0.770"])
    expect("where it is", browser.evaluate("document.querySelector('.graphs output').textContent"), f"2 of {wanted}")


def check_sizes(browser, page):
    for width, height, scheme in ((1280, 800, "light"), (1280, 800, "dark"), (700, 900, "dark"), (360, 640, "light")):
        browser.size(width, height, scheme)
        browser.open(page, "#1.7")
        what = f"{width} x {height}, {scheme}: "
        expect(what + "wider than the window", browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)
        expect(what + "chosen", chosen(browser), ["1.7"])
        color = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        expect(what + "background", color == "rgb(255, 255, 255)", scheme == "light")
        if folder := os.environ.get("TENSORDSL_KEEP_PICTURES"):
            browser.picture(os.path.join(folder, f"graphs_{width}_{scheme}.png"))
    browser.size(1400, 900)


def check_nasty(browser, page):
    browser.open(page, "#0.0")
    nasty = "</script><!-- \"a\" & 'b' ä \ufffd ]]> \x01 \\"
    expect("the title", browser.evaluate(TITLE).startswith("</script><!--"), True)
    expect("the name", browser.evaluate("document.querySelector('.panel .name').textContent"), nasty)
    browser.evaluate("document.querySelectorAll('.tabs button')[1].click()")
    expect("the text", browser.evaluate("document.querySelector('.panel pre').textContent"), nasty)


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], "-tc=to_html: pages for a browser"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "TENSORDSL_WRITE_PAGES": folder})
    with Browser() as browser:
        for check, name in ((check_large, "large"), (check_sizes, "large"), (check_nasty, "nasty")):
            check(browser, os.path.join(folder, name + ".html"))
            expect("errors of scripts", browser.faults, [])
            expect("what was asked of the network", browser.requests, [])
