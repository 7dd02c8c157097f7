"""Draws what `Scripts/bench curves` found, as SVG that is readable in light and dark."""
import math

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 16px; font-weight: 600; }
  .quiet { font-size: 11px; fill: #57606a; }
  .grid { stroke: #d0d7de; stroke-width: 1; }
  .line { fill: none; stroke-width: 2.5; }
  .s0 { stroke: #0550ae; } .f0 { fill: #0550ae; }
  .s1 { stroke: #a40e26; } .f1 { fill: #a40e26; }
  .s2 { stroke: #6e5494; } .f2 { fill: #6e5494; }
  .dash1 { stroke-dasharray: 7 4; } .dash2 { stroke-dasharray: 2 4; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .back { fill: #0d1117; }
    .grid { stroke: #3d444d; }
    .s0 { stroke: #79c0ff; } .f0 { fill: #79c0ff; }
    .s1 { stroke: #ff9c9c; } .f1 { fill: #ff9c9c; }
    .s2 { stroke: #d2a8ff; } .f2 { fill: #d2a8ff; }
  }
"""
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 76, 190, 54, 84


def plots(data):
    """The files and their contents."""
    note = f"{data['machine']} · {data['state']} · {data['date']}, {data['runs']} runs in turn"
    largest = min(1_000_000, max(point["rows"] for point in data["loads"]["migrate up"]))
    speeds = {
        name: next(point["rows"] / point["seconds"] for point in points if point["rows"] == largest)
        for name, points in data["loads"].items()}
    return {
        "speed.svg": bars(f"Rows a second, a first release of {largest:,} rows", speeds, note),
        "time.svg": curves(
            "Time of a first release", "rows", "seconds",
            {name: [(p["rows"], p["seconds"]) for p in points]
             for name, points in data["loads"].items()}, note),
        "memory.svg": curves(
            "Peak memory of a first release", "rows", "MiB",
            {name: [(p["rows"], p["peak"]) for p in points]
             for name, points in data["loads"].items()}, note),
        "start.svg": curves(
            "An app's start with nothing to apply", "releases applied before", "microseconds",
            {name: [(p["releases"], p["seconds"] * 1e6) for p in points]
             for name, points in data["starts"].items()}, note),
        "release.svg": curves(
            "A release beside 1,000,000 rows", "rows that it changes", "seconds",
            {name: [(p["changes"], p["seconds"]) for p in points]
             for name, points in data["releases"].items()}, note),
    }


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def number(value):
    """10, 1,000, 0.01, and millions by a word."""
    if value >= 1_000_000:
        return f"{value / 1_000_000:g} million"
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def text(x, y, words, kind="", anchor="start"):
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{name} text-anchor="{anchor}">{escape(words)}</text>'


def frame(title, description, parts, note):
    body = "\n".join(parts)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"
  aria-labelledby="title description">
<title id="title">{escape(title)}</title>
<desc id="description">{escape(description)}</desc>
<style>{STYLE}</style>
<rect class="back" width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
{text(16, 28, title, "title")}
{body}
{text(16, HEIGHT - 14, note, "quiet")}
</svg>
"""


def bars(title, values, note):
    parts, top = [], max(values.values())
    room = WIDTH - 2 * 16
    for place, (name, value) in enumerate(sorted(values.items(), key=lambda each: -each[1])):
        y = TOP + 26 + place * 86
        kind = list(values).index(name)
        parts.append(text(16, y, f"{name}: {value:,.0f}"))
        parts.append(f'<rect class="f{kind}" x="16" y="{y + 10}" height="26" '
                     f'width="{room * value / top:.1f}"/>')
    description = ", ".join(f"{name}: {value:,.0f}" for name, value in values.items())
    return frame(title, description, parts, note)


def decades(values):
    """The powers of ten around values; at least one decade."""
    low, high = math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)
    return low, max(high, low + 1)


def curves(title, across, up, lines, note):
    """Lines over two logarithmic axes, each with its name at its end."""
    xs = decades([x for points in lines.values() for x, _ in points])
    ys = decades([y for points in lines.values() for _, y in points])
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def x_of(value):
        return LEFT + (math.log10(value) - xs[0]) / (xs[1] - xs[0]) * (right - LEFT)

    def y_of(value):
        return bottom - (math.log10(value) - ys[0]) / (ys[1] - ys[0]) * (bottom - TOP)

    parts = []
    for power in range(ys[0], ys[1] + 1):
        y = y_of(10.0 ** power)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        parts.append(text(LEFT - 8, y + 4, number(10.0 ** power), "quiet", "end"))
    for power in range(xs[0], xs[1] + 1):
        x = x_of(10.0 ** power)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(text(x, bottom + 18, number(10.0 ** power), "quiet", "middle"))
    parts.append(text((LEFT + right) / 2, bottom + 40, across, anchor="middle"))
    parts.append(text(16, TOP - 8, up, "quiet"))
    ends = []
    for kind, (name, points) in enumerate(lines.items()):
        path = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in points)
        parts.append(f'<polyline class="line s{kind} dash{kind}" points="{path}"/>')
        for x, y in points:
            parts.append(f'<circle class="f{kind}" cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3.5"/>')
        ends.append((y_of(points[-1][1]), x_of(points[-1][0]), kind, name))
    last = -100.0
    for y, x, kind, name in sorted(ends):
        last = max(y + 4, last + 17)
        words = wrapped(name)
        for word in words:
            parts.append(text(x + 10, last, word, f"f{kind}"))
            last += 15
        last -= 15
    description = "; ".join(
        f"{name}: " + ", ".join(f"{number(x)} {across}: {y:.3g} {up}" for x, y in points)
        for name, points in lines.items())
    return frame(title, description, parts, note)


def wrapped(name, width=25):
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = (lines[-1] + " " + word).strip()
    return lines
