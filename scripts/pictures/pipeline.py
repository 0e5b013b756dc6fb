"""The stages from a definition or a model to a result, and the four types of a group of Funcs on its way to kernels."""
from svg import MONO, Picture


def pipeline(colors):
    p = Picture(960, 424, colors, "The stages from a definition or a model to a result")
    emit = {"anchor": "middle", "color": "muted", "size": 11, "family": MONO}

    top = 34
    p.text(24, 22, "A model", anchor="start", weight="600", color="muted")
    p.box(24, top, 128, 78, "ONNX file", ["operators"], "front")
    p.box(188, top, 148, 78, "Normal forms", ["one for each operator,", "types and shapes"], "front")
    p.box(372, top, 148, 78, "Graph of Funcs", ["from here on", "no operators"], "graph")
    p.box(556, top, 172, 78, "Passes over graphs", ["rewrite, fold views,", "fuse, choose layouts"], "graph")
    p.box(764, top, 172, 78, "Groups", ["each with a schedule", "for the device"], "graph")
    for x, end in ((152, 188), (336, 372), (520, 556), (728, 764)):
        p.arrow((x, top + 39), (end, top + 39))
    for x, name in ((262, "--emit graph"), (446, "--emit classes"), (642, "--emit groups"), (850, "--emit layouts")):
        p.text(x, top + 95, name, **emit)

    middle = 172
    p.text(24, middle - 12, "A kernel of your own", anchor="start", weight="600", color="muted")
    p.box(24, middle, 312, 62, "Func and schedule", ["what is computed, and how: in C++ or Python"], "front")

    low = 268
    p.text(24, low - 12, "Both", anchor="start", weight="600", color="muted")
    p.box(24, low, 138, 78, "Loop nests", ["one index", "per dimension"], "kernel")
    p.box(196, low, 148, 78, "Lowered kernels", ["linear addresses,", "vectors, registers"], "kernel")
    p.box(378, low, 148, 78, "Kernel sources", ["OpenCL C, or LLVM IR", "for the host"], "kernel")
    p.box(560, low, 148, 78, "Program", ["plain data: kernels,", "memory, launches"], "kernel")
    p.box(776, low - 22, 160, 56, "Runner", ["a device, replayed"], "run")
    p.box(776, low + 48, 160, 56, "Package, .cl files", ["any OpenCL host"], "run")
    for x, end in ((162, 196), (344, 378), (526, 560)):
        p.arrow((x, low + 39), (end, low + 39))
    p.arrow((708, low + 30), (776, low + 6))
    p.arrow((708, low + 48), (776, low + 76))
    for x, name in ((93, "--emit loops"), (270, "--emit ir"), (452, "--emit cl"), (634, "--emit program")):
        p.text(x, low + 95, name, **emit)

    p.arrow((93, middle + 62), (93, low))
    p.arrow((850, top + 102), (850, 146), (420, 146), (420, 246), (140, 246), (140, low))

    p.line(742, low - 32, 742, 404)
    p.text(732, 400, "compiles without a device", anchor="end", color="muted", size=12)
    p.text(752, 400, "runs", anchor="start", color="muted", size=12)
    return p.svg()


STAGES = [
    ("FusedGroup", "fuse", "which Funcs are computed together",
     ["prologue conv_padded", "anchor   conv_sum", "epilogue conv", "epilogue conv_relu"]),
    ("StoredGroup", "define_group", "Funcs of its own, and what is stored",
     ["x0 f32 [1,3,8,8]", "x1 f32 [4,3,3,3]", "x2 f32 [4]", "-> conv_relu"]),
    ("ScheduledGroup", "schedule_groups", "a strategy and a point of its space",
     ["tiled_reduction", "pixels=8 lanes=4", "x0 \"d0 d2 d3 d1\"", "x1 \"d0/4 .. d0%4\""]),
    ("LoweredGroup", "lower_groups", "its kernels, or why there are none",
     ["kernel conv_relu", "groups 1 x 1 x 8", "live registers 48", "private_bytes 0"]),
]


def group(colors):
    p = Picture(960, 250, colors, "The four types of a group of Funcs on its way to kernels")
    p.text(24, 24, "Conv with a bias and Relu: one group", anchor="start", weight="600", color="muted")
    width, gap, top = 204, 32, 76
    for index, (name, made_by, knows, example) in enumerate(STAGES):
        x = 24 + index * (width + gap)
        p.text(x + width / 2, top - 26, made_by + "()", color="muted", size=12, family=MONO)
        p.text(x + width / 2, top - 9, knows, color="muted", size=11)
        p.box(x, top, width, 112, name, example, ("graph", "graph", "graph", "kernel")[index], mono=True)
        if index:
            p.arrow((x - gap, top + 56), (x, top + 56))
    last = 24 + 3 * (width + gap) + width / 2
    p.arrow((last, top + 112), (last, 222), (126, 222), (126, top + 112), dashed=True)
    p.text(480, 216, "refused by lowering or by the driver: the passes run again from the first one that can do without it", color="muted", size=12)
    return p.svg()
