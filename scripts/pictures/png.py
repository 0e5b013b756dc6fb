"""PNGs with a palette: a screenshot of a page takes a third of what the browser writes."""
import collections
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks_of(png):
    at = len(SIGNATURE)
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + length]
        at += length + 12


def size_of(png):
    """Width and height, in pixels."""
    return struct.unpack(">II", png[16:24])


def unfiltered(line, above, kind, step):
    """The bytes of a line from those that PNG's filter `kind` has made of it."""
    line = bytearray(line)
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        up, corner = above[i], above[i - step] if i >= step else 0
        if kind == 1:
            line[i] = line[i] + left & 255
        elif kind == 2:
            line[i] = line[i] + up & 255
        elif kind == 3:
            line[i] = line[i] + (left + up) // 2 & 255
        elif kind == 4:
            guess = left + up - corner
            distances = abs(guess - left), abs(guess - up), abs(guess - corner)
            line[i] = line[i] + (left, up, corner)[distances.index(min(distances))] & 255
    return line


def pixels_of(png):
    """Width, height and the (red, green, blue) of each pixel of a PNG of 8 bits to a channel."""
    header = next(data for kind, data in chunks_of(png) if kind == b"IHDR")
    width, height, depth, color = struct.unpack(">IIBB", header[:10])
    step = {2: 3, 6: 4}[color]
    assert depth == 8
    data = zlib.decompress(b"".join(data for kind, data in chunks_of(png) if kind == b"IDAT"))
    pixels, above, stride = [], bytes(width * step), width * step + 1
    for row in range(height):
        line = data[row * stride + 1:(row + 1) * stride]
        above = unfiltered(line, above, data[row * stride], step) if data[row * stride] else line
        pixels += zip(above[0::step], above[1::step], above[2::step])
    return width, height, pixels


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def palette_of(pixels, frequent=192, most=256):
    """The most frequent colors, then those that are farthest from all of them; and the place of the nearest for each color."""
    counts = collections.Counter(pixels)
    kept = [color for color, _ in counts.most_common(frequent)]
    apart = {color: min(distance(color, other) for other in kept) for color in counts}
    while len(kept) < min(most, len(counts)):
        farthest = max(apart, key=apart.get)
        kept.append(farthest)
        for color, far in apart.items():
            apart[color] = min(far, distance(color, farthest))
    return kept, {color: min(range(len(kept)), key=lambda i: distance(color, kept[i])) for color in counts}


def with_palette(png):
    width, height, pixels = pixels_of(png)
    kept, places = palette_of(pixels)
    lines = b"".join(b"\0" + bytes(places[pixel] for pixel in pixels[row * width:(row + 1) * width]) for row in range(height))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)), (b"PLTE", bytes(sum(kept, ()))),
             (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return SIGNATURE + b"".join(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
                                for kind, data in parts)
