"""Checks the page that `tensordsl inspect --html` writes of a model: tensordsl, model, greatest size in MB."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))
from browser import OVERLAPS, SKIPPED, WIDE_TEXTS, Browser, expect, find_chromium  # noqa: E402

if not find_chromium() or not shutil.which("dot"):
    print("skipped: Chromium or Graphviz is not installed (apt-get install chromium graphviz)")
    sys.exit(SKIPPED)
tensordsl, model, most = sys.argv[1], sys.argv[2], float(sys.argv[3])

with tempfile.TemporaryDirectory() as folder:
    page = os.path.join(folder, "page.html")
    report = json.loads(subprocess.run(
        [tensordsl, "inspect", model, "--random-weights", "--device", "none", "--json", "--html", page],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    expect("a small page", os.path.getsize(page) < most * 1e6, True)
    with Browser() as browser:
        browser.open(page)
        inputs = sum(op["fate"] == "input" for op in report["operators"])
        nodes = browser.evaluate("[...document.querySelectorAll('.pane')].map((p) => p.querySelectorAll('.node').length)")
        outputs = len(report["outputs"])
        expect("nodes", nodes, [len(report["operators"]) + outputs, inputs + len(report["groups"]) + outputs])
        expect("overlaps", browser.evaluate(OVERLAPS), [0, 0])
        browser.evaluate("document.querySelectorAll('.pane header button:nth-of-type(3)').forEach((button) => button.click())")
        browser.settle()
        expect("overlaps at 1:1", browser.evaluate(OVERLAPS), [0, 0])
        expect("texts that leave their nodes", browser.evaluate(WIDE_TEXTS), 0)

        # The kernel with the most work shows its code, and the operators that it was made of.
        group = max(range(len(report["groups"])), key=lambda i: report["groups"][i]["flops"])
        browser.evaluate(f"location.hash = '#1.{inputs + group}'")
        browser.settle()
        browser.click(f'[data-node="1.{inputs + group}"]')
        linked = browser.evaluate("[...document.querySelectorAll('.node.linked')].map((n) => n.dataset.node)")
        wanted = [f"0.{i}" for i, op in enumerate(report["operators"]) if group in op["groups"]]
        expect("operators of the kernel", linked, wanted)
        tabs = browser.evaluate("[...document.querySelectorAll('.tabs button')].map((tab) => tab.textContent)")
        expect("tabs", tabs, ["about", "definitions", "loops", "OpenCL C"])
        code = report["codes"][report["groups"][group]["code"]]
        about = browser.evaluate("document.querySelector('.panel').textContent")
        for word in ("strategy", "resources", "registers", "why its result is stored", "reads", "stores"):
            expect(word + " in the panel", word in about, True)
        browser.click(".tabs button:nth-child(4)")
        expect("OpenCL C", browser.evaluate("document.querySelector('.panel pre').textContent"),
               "".join(report["kernels"][kernel]["text"] + "\n" for kernel in code["kernels"]))
        browser.click(".tabs button:nth-child(3)")
        expect("loops", browser.evaluate("document.querySelector('.panel pre').textContent"), code["nest"])
        bars = len([t for t in report["memory"]["tensors"]])
        expect("bars of memory", browser.evaluate("document.querySelectorAll('.timeline .bar').length"), bars)
        expect("errors of scripts", browser.faults, [])
        expect("what was asked of the network", browser.requests, [])
        if pictures := os.environ.get("TENSORDSL_KEEP_PICTURES"):
            for scheme in ("light", "dark"):
                browser.size(1280, 800, scheme)
                browser.open(page, f"#1.{inputs + group}")
                browser.picture(os.path.join(pictures, f"inspect_{scheme}.png"))
