"""The memory plan of SqueezeNet: each intermediate from its first launch to its last, at its place in the allocation.

Its data is the part "memory" of `tensordsl inspect --json`.
"""
from data import load
from svg import Picture

MIB = 1 << 20
LEFT, TOP, WIDTH, HEIGHT = 76, 64, 640, 300


def operator_of(name):
    """The operator that computes a tensor: "Concat" of "/features/features.3/Concat_output_0"."""
    return name.rsplit("/", 1)[-1].split("_output")[0]


def draw(colors):
    memory = load("memory_plan.json")
    tensors, planned = memory["tensors"], memory["planned"]
    launches = max(tensor["last"] for tensor in tensors) + 1
    p = Picture(960, 424, colors, "The memory plan of SqueezeNet 1.0")
    x = lambda launch: LEFT + WIDTH * launch / launches
    y = lambda place: TOP + HEIGHT - HEIGHT * place / planned

    p.text(24, 28, "Memory plan of SqueezeNet 1.0", anchor="start", weight="600", size=15)
    p.text(24, 47, "each rectangle is an intermediate: the launches that need it, and its bytes in the one allocation",
           anchor="start", color="muted", size=12)
    for place in range(0, planned, MIB):
        p.rule(LEFT, y(place), LEFT + WIDTH, y(place))
        p.text(LEFT - 8, y(place) + 4, f"{place // MIB} MiB", anchor="end", color="muted", size=11)
    for launch in range(0, launches, 5):
        p.text(x(launch + 0.5), TOP + HEIGHT + 18, str(launch), color="muted", size=11)
    p.text(LEFT + WIDTH / 2, TOP + HEIGHT + 40, "launch", color="muted", size=12)
    starts = [sum(memory["slot_bytes"][:slot]) for slot in range(len(memory["slot_bytes"]))]
    for index, tensor in enumerate(tensors):
        low = starts[tensor["slot"]] + tensor["offset"]
        left, top = x(tensor["first"]), y(low + tensor["bytes"])
        width, height = x(tensor["last"] + 1) - left, HEIGHT * tensor["bytes"] / planned
        hint = f'{tensor["name"]}: {tensor["bytes"]} bytes at {low}, launches {tensor["first"]} to {tensor["last"]}'
        p.bar(left, top, width, height, colors["series"][index % len(colors["series"])], hint)
        name = operator_of(tensor["name"])
        if height >= 14 and width >= 6.5 * len(name) + 4:
            p.text(left + width / 2, top + height / 2 + 4, name, size=11)

    # Bytes of the intermediates without a plan, with this plan, and the lower bound of all plans.
    sizes = (("one allocation each", memory["apart"], "series", 1), ("this plan", planned, "series", 0),
             ("needed at one launch", memory["lower_bound"], "series", 2))
    most = memory["apart"]
    for row, (name, size, kind, color) in enumerate(sizes):
        top = TOP + 34 + 78 * row
        p.text(752, top, name, anchor="start", size=12)
        p.bar(752, top + 10, 180 * size / most, 22, colors[kind][color])
        p.text(752, top + 49, f"{size / MIB:.2f} MiB", anchor="start", color="muted", size=12)
    return p.svg()
