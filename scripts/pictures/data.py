"""Where the data of the pictures is."""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
DATA = IMAGES / "data"
PROFILES = ROOT / "hwprofile" / "profiles"


def load(name):
    return json.loads((DATA / name).read_text())
