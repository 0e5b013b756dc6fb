"""The rooflines of two devices, from the profiles that come with the library."""
import json
import math

from data import PROFILES
from svg import Picture

TOP, WIDTH, HEIGHT = 72, 360, 250


def value_of(figure):
    return figure["value"] if figure else None


def roofs_of(profile):
    """The memories whose bandwidth is known, with GB/s, fastest first."""
    roofs = [("memory", value_of(profile["dram_gbs"])), ("local memory", value_of(profile["local_memory"]["bandwidth_gbs"]))]
    for kind, caches in (("buffers", profile["buffer_caches"]), ("images", profile["image_caches"])):
        roofs += [(f"{kind}, cache {level}", value_of(cache["bandwidth_gbs"])) for level, cache in enumerate(caches, 1)]
    return sorted(((name, rate) for name, rate in roofs if rate), key=lambda roof: -roof[1])


def rate_text(gflops):
    return f"{gflops / 1000:g} TFLOPS" if gflops >= 1000 else f"{gflops:g} GFLOPS"


def bandwidth_text(gbs):
    return f"{gbs / 1000:.3g} TB/s" if gbs >= 1000 else f"{gbs:.3g} GB/s"


def draw_roofs(p, colors, profile, left):
    peak, roofs = profile["fma_gflops"]["f32"]["value"], roofs_of(profile)
    first, last = 2.0 ** -2, 2.0 ** 7
    low = 10 ** math.floor(math.log10(first * roofs[-1][1]))
    high = peak * 2
    x = lambda operations: left + WIDTH * math.log(operations / first) / math.log(last / first)
    y = lambda rate: TOP + HEIGHT - HEIGHT * math.log(rate / low) / math.log(high / low)

    p.text(left, TOP - 14, profile["device"], anchor="start", weight="600")
    for power in range(-2, 8):
        p.rule(x(2.0 ** power), TOP, x(2.0 ** power), TOP + HEIGHT)
        label = f"{2 ** power}" if power >= 0 else f"1/{2 ** -power}"
        p.text(x(2.0 ** power), TOP + HEIGHT + 17, label, color="muted", size=11)
    decade = low
    while decade < high:
        p.rule(left, y(decade), left + WIDTH, y(decade))
        p.text(left - 7, y(decade) + 4, rate_text(decade).replace("FLOPS", ""), anchor="end", color="muted", size=11)
        decade *= 10
    p.text(left + WIDTH / 2, TOP + HEIGHT + 38, "operations for each byte that is read", color="muted", size=12)
    p.text(left + WIDTH, y(peak) - 7, f"{rate_text(peak)} of f32 multiply-adds", anchor="end", size=11)
    dashes = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2")
    for row, (name, bandwidth) in enumerate(roofs):
        color = colors["series"][row]
        points = [(x(max(first, low / bandwidth)), y(max(low, first * bandwidth))), (x(peak / bandwidth), y(peak)), (x(last), y(peak))]
        if peak / bandwidth > last:
            points = [points[0], (x(last), y(last * bandwidth))]
        p.curve(points, color, dashes[row])
        line = TOP + HEIGHT - 14 - 17 * (len(roofs) - 1 - row)
        p.curve([(left + WIDTH - 196, line - 4), (left + WIDTH - 170, line - 4)], color, dashes[row])
        p.text(left + WIDTH - 164, line, f"{name}, {bandwidth_text(bandwidth)}", anchor="start", size=11)


def draw(colors):
    p = Picture(960, 376, colors, "Rooflines of a phone's and a server's GPU")
    p.text(24, 28, "Roofline: what a kernel reaches at most, for each memory that it reads", anchor="start", weight="600", size=15)
    for name, left in (("adreno640", 90), ("nvidia_h100", 570)):
        draw_roofs(p, colors, json.loads((PROFILES / f"{name}.json").read_text()), left)
    return p.svg()
