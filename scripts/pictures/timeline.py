"""A run as a timeline, as Perfetto shows it. Its data is what `tensordsl run --trace` writes."""
from data import load
from svg import Picture

LEFT, WIDTH, ROW = 152, 782, 34


def span_text(us):
    for unit, factor in (("s", 1e6), ("ms", 1e3)):
        if us >= factor:
            return f"{us / factor:.3g} {unit}"
    return f"{us:.3g} us"


def round_step(span):
    """A distance of ticks of which four to ten fit: 1, 2 or 5 of a power of ten."""
    step = 10.0 ** (len(str(int(span))) - 2)
    for factor in (1, 2, 5, 10):
        if span / (step * factor) <= 10:
            return step * factor
    return step * 10


def draw_row(p, colors, name, top, spans, begin, end, color_of):
    """A row of spans; those that are wide enough have their names in them."""
    p.text(LEFT - 10, top + 21, name, anchor="end", size=12)
    for span in spans:
        left = LEFT + WIDTH * (span["ts"] - begin) / (end - begin)
        width = WIDTH * span["dur"] / (end - begin)
        hint = f'{span["name"]}, {span_text(span["dur"])}'
        p.bar(left, top, max(width, 0.5), ROW - 4, color_of(span), hint, opacity=0.5)
        if width > 6.4 * len(span["name"]) + 6:
            p.text(left + width / 2, top + 19, span["name"], size=11)


def draw_ticks(p, top, height, begin, end):
    step, at = round_step(end - begin), 0.0
    while at <= end - begin:
        x = LEFT + WIDTH * at / (end - begin)
        p.rule(x, top, x, top + height)
        p.text(x, top + height + 15, span_text(at) if at else "0", color="muted", size=11)
        at += step


def draw(colors):
    trace = load("timeline.json")["traceEvents"]
    spans = [event for event in trace if event["ph"] == "X"]
    host = [span for span in spans if span["cat"] == "host"]
    kernels = [span for span in spans if span["cat"] == "kernel"]
    threads = {event["tid"]: event["args"]["name"] for event in trace if event["name"] == "thread_name"}
    command = next(event["args"]["name"] for event in trace if event["name"] == "process_name")
    labels = list(dict.fromkeys(kernel["name"] for kernel in kernels))
    color_of = lambda span: colors["series"][labels.index(span["name"]) % len(colors["series"])]

    p = Picture(960, 192 + ROW * len(labels), colors, "A run as a timeline")
    p.text(24, 28, command, anchor="start", weight="600", size=15)
    begin, end = host[0]["ts"], max(span["ts"] + span["dur"] for span in host)
    p.text(24, 54, "the command", anchor="start", color="muted", size=12)
    draw_ticks(p, 64, ROW + 4, begin, end)
    draw_row(p, colors, "host", 66, host, begin, end, lambda span: colors["series"][host.index(span) % len(colors["series"])])

    begin, end = kernels[0]["ts"], max(span["ts"] + span["dur"] for span in kernels)
    p.text(24, 152, f"the kernels of the traced run, on {threads[kernels[0]['tid']]}", anchor="start", color="muted", size=12)
    height = ROW * len(labels) + 4
    draw_ticks(p, 162, height, begin, end)
    for row, label in enumerate(labels):
        mine = [kernel for kernel in kernels if kernel["name"] == label]
        draw_row(p, colors, label, 164 + ROW * row, mine, begin, end, color_of)
    return p.svg()
