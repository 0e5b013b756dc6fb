"""SVGs that are built from boxes, arrows, bars and lines of text, in light or dark colors."""
from html import escape

LIGHT = {"page": "#ffffff", "box": "#f6f8fa", "edge": "#8c959f", "text": "#1f2328", "muted": "#59636e", "grid": "#d8dee4",
         "accent": "#0969da", "front": "#ddf4ff", "graph": "#fff8c5", "kernel": "#dafbe1", "run": "#fbefff",
         "series": ["#1f5fa8", "#c2410c", "#15803d", "#7e3fb0", "#a16207", "#0e7490", "#be185d", "#475569"]}
DARK = {"page": "#0d1117", "box": "#161b22", "edge": "#6e7681", "text": "#e6edf3", "muted": "#9198a1", "grid": "#2d333b",
        "accent": "#58a6ff", "front": "#0c2d4d", "graph": "#3b2e04", "kernel": "#0f3b1f", "run": "#2f1b4d",
        "series": ["#6cb0ff", "#ff9a62", "#56d17f", "#c69cf4", "#e0b44b", "#4fc4dc", "#f58bbd", "#a9b6c6"]}

SANS = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, 'SF Mono', 'DejaVu Sans Mono', monospace"


class Picture:
    """An SVG that is built from boxes, arrows and lines of text."""

    def __init__(self, width, height, colors, title):
        self.colors = colors
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'role="img" font-family="{SANS}" font-size="13">',
            f"<title>{escape(title)}</title>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{colors["edge"]}"/></marker></defs>',
            f'<rect width="{width}" height="{height}" rx="8" fill="{colors["page"]}"/>',
        ]

    def text(self, x, y, line, anchor="middle", color="text", size=13, weight="normal", family=None):
        extra = f' font-family="{family}"' if family else ""
        self.parts.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{self.colors[color]}" font-size="{size}" '
                          f'font-weight="{weight}"{extra}>{escape(line)}</text>')

    def letters(self, x, y, distance, line, color="text", size=11):
        """A text whose letters stand at equal distances, the middle of the first one at x."""
        places = " ".join(f"{x + distance * i:g}" for i in range(len(line)))
        self.parts.append(f'<text x="{places}" y="{y:g}" text-anchor="middle" fill="{self.colors[color]}" '
                          f'font-size="{size}">{escape(line)}</text>')

    def box(self, x, y, width, height, title, lines=(), fill="box", mono=False):
        """A titled box whose lines are centered, or set in a fixed-width font at its left edge."""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{self.colors[fill]}" '
                          f'stroke="{self.colors["edge"]}"/>')
        self.text(x + width / 2, y + 21, title, weight="600", size=14)
        for row, line in enumerate(lines):
            if mono:
                self.text(x + 10, y + 43 + 17 * row, line, anchor="start", size=11, family=MONO)
            else:
                self.text(x + width / 2, y + 40 + 16 * row, line, color="muted", size=12)

    def arrow(self, *points, dashed=False):
        """A line through the points, with a tip at the last one."""
        path = "M" + "L".join(f"{x} {y}" for x, y in points)
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<path d="{path}" fill="none" stroke="{self.colors["edge"]}" stroke-width="1.5"{dashes} '
                          'marker-end="url(#tip)"/>')

    def line(self, x0, y0, x1, y1):
        self.parts.append(f'<path d="M{x0} {y0}L{x1} {y1}" stroke="{self.colors["edge"]}" stroke-dasharray="2 4"/>')

    def svg(self):
        return "\n".join([*self.parts, "</svg>", ""])

    def bar(self, x, y, width, height, color, hint="", opacity=0.35):
        """A rectangle of a series, with a text that is shown where the pointer is."""
        title = f"<title>{escape(hint)}</title>" if hint else ""
        self.parts.append(f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" fill="{color}" '
                          f'fill-opacity="{opacity}" stroke="{color}" stroke-width="0.8">{title}</rect>')

    def rule(self, x0, y0, x1, y1, color="grid", width=1, dashes=""):
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<path d="M{x0:.4g} {y0:.4g}L{x1:.4g} {y1:.4g}" stroke="{self.colors[color]}" '
                          f'stroke-width="{width}"{dash}/>')

    def curve(self, points, color, dashes=""):
        path = "M" + "L".join(f"{x:.4g} {y:.4g}" for x, y in points)
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="1.8"{dash}/>')
