"""How a tensor [n, h, w, c] lies in an image: pixels with their channels, and the texels that hold them.

Its data are the places that tensordsl::Layout gives each element; the ctest `layout` writes and checks it.
"""
from data import load
from svg import MONO, Picture

CELL = 22  # of an element


def shade(colors, index):
    """The color of a pixel, by its row and column, so that it can be found again in the image."""
    return colors["series"][(3 * index[1] + index[2]) % 6]


def draw_block(p, colors, index, channels, left, top):
    """Four neighbors along c: a number for each, in the color of their pixel."""
    color = shade(colors, index)
    p.bar(left, top, 4 * CELL, CELL, color, opacity=0.25 if index[3] < 4 else 0.55)
    lines = "".join(f"M{left + lane * CELL} {top}v{CELL}" for lane in (1, 2, 3))
    p.parts.append(f'<path d="{lines}" stroke="{color}"/>')
    p.letters(left + CELL / 2, top + 15, CELL, "".join(map(str, channels)))


def draw_tensor(p, colors, tensor, left, top):
    """The pixels, each with its channels."""
    _, height, width, channels = tensor["extents"]
    for h in range(height):
        p.text(left - 12, top + h * 62 + 26, f"h={h}", anchor="end", color="muted", size=12)
        for w in range(width):
            x, y = left + w * (4 * CELL + 16), top + h * 62
            if h == 0:
                p.text(x + 2 * CELL, y - 10, f"w={w}", color="muted", size=12)
            for c in range(0, channels, 4):
                draw_block(p, colors, (0, h, w, c), range(c, c + 4), x, y + c // 4 * CELL)


def draw_image(p, colors, tensor, left, top):
    """The image: a texel is four elements with a border around them."""
    rows, columns, lanes = tensor["image"]
    for row in range(rows):
        p.text(left - 12, top + row * 46 + 15, f"row {row}", anchor="end", color="muted", size=12)
        for column in range(columns):
            x, y = left + column * (4 * CELL + 8), top + row * 46
            first = (row * columns + column) * lanes
            elements = tensor["elements"][first:first + lanes]
            draw_block(p, colors, elements[0], [element[3] for element in elements], x, y)
            p.parts.append(f'<rect x="{x}" y="{y}" width="{4 * CELL}" height="{CELL}" fill="none" '
                           f'stroke="{colors["text"]}" stroke-width="1.4"/>')
            p.text(x + 2 * CELL, y + CELL + 13, f"h={elements[0][1]} w={elements[0][2]}", color="muted", size=10)
            if row == 0:
                p.text(x + 2 * CELL, y - 22, f"column {column}", color="muted", size=12)
                p.letters(x + CELL / 2, y - 7, CELL, "RGBA", color="muted", size=10)


def draw(colors):
    tensors = load("texels.json")
    p = Picture(960, 628, colors, "A tensor in the texels of an image")
    shape = ", ".join(map(str, tensors[0]["extents"]))
    p.text(24, 28, f"The tensor [n, h, w, c] = [{shape}]", anchor="start", weight="600", size=15)
    draw_tensor(p, colors, tensors[0], 76, 66)
    p.text(440, 66, "A number is a channel c; a color is a pixel (h, w).", anchor="start", color="muted", size=12)
    p.text(440, 86, "A texel holds four neighbors along c, read at once as a vector.", anchor="start", color="muted", size=12)
    p.text(440, 106, "In the layout, | separates rows, columns and the elements of a texel.", anchor="start", color="muted", size=12)
    top = 218
    for tensor in tensors:
        rows, columns, _ = tensor["image"]
        p.text(24, top, f'layout("{tensor["layout"]}")', anchor="start", size=13, family=MONO)
        p.text(24 + 8 * (len(tensor["layout"]) + 13), top, f"an image of {columns} x {rows} texels", anchor="start",
               color="muted", size=12)
        draw_image(p, colors, tensor, 76, top + 46)
        top += 46 * rows + 66
    return p.svg()
