"""Draws handwritten-looking digits: strokes, bent and jittered, rendered with a round pen and noise.

Coordinates are in a unit square, x to the right and y down. Images are 28x28, 0 = paper, 255 = ink.
"""
import numpy as np

SIZE = 28
CLASSES = 10
MAX_SEGMENTS = 48
BATCH = 64  # images rendered at a time: bounds the memory of the distance table


def _arc(cx, cy, rx, ry, begin, end, points=13):
    """Part of an ellipse; angles in degrees, 0 = right, 90 = down."""
    a = np.radians(np.linspace(begin, end, points))
    return np.stack([cx + rx * np.cos(a), cy + ry * np.sin(a)], axis=1)


def _line(*points):
    return np.array(points, dtype=np.float64)


def _join(*parts):
    return np.concatenate(parts, axis=0)


# For each digit the ways in which people write it; each is a list of pen strokes.
TEMPLATES = [
    [[_arc(.5, .5, .22, .36, -90, 270, 25)],
     [_arc(.5, .5, .27, .34, -60, 300, 25)]],
    [[_line((.5, .12), (.5, .88))],
     [_line((.36, .28), (.53, .12), (.53, .88))],
     [_line((.36, .28), (.52, .12), (.52, .86)), _line((.34, .87), (.7, .87))]],
    [[_join(_arc(.5, .32, .22, .2, 190, 385), _line((.28, .86)), _line((.74, .86)))],
     [_join(_arc(.48, .32, .21, .2, 200, 400), _arc(.4, .78, .1, .09, 300, 90, 9), _line((.76, .84)))]],
    [[_join(_arc(.46, .3, .22, .18, 200, 440), _arc(.46, .67, .25, .2, 280, 510))],
     [_join(_line((.26, .14), (.7, .14), (.47, .42)), _arc(.46, .65, .24, .22, 275, 510))]],
    [[_line((.6, .88), (.6, .12), (.24, .62), (.78, .62))],
     [_line((.3, .12), (.27, .52), (.74, .52)), _line((.66, .16), (.63, .88))]],
    [[_join(_line((.7, .13), (.34, .13), (.31, .47)), _arc(.46, .65, .25, .22, 235, 500))],
     [_join(_line((.34, .14), (.32, .46)), _arc(.46, .64, .24, .23, 240, 510)), _line((.34, .14), (.72, .12))]],
    [[_join(_line((.62, .1), (.42, .32)), _arc(.5, .66, .22, .22, 190, -170, 25))],
     [_join(_arc(.62, .5, .34, .38, 265, 180, 9), _arc(.49, .68, .21, .2, 180, -180, 21))]],
    [[_line((.26, .14), (.74, .14), (.44, .88))],
     [_line((.26, .14), (.74, .14), (.44, .88)), _line((.38, .5), (.72, .5))],
     [_line((.27, .24), (.29, .14), (.74, .14), (.55, .5), (.48, .88))]],
    [[_arc(.5, .31, .19, .19, 90, 450, 21), _arc(.5, .69, .23, .2, -90, 270, 21)],
     [_join(_arc(.5, .31, .19, .2, -30, -270, 15), _arc(.5, .69, .22, .19, -90, 270, 21),
            _arc(.5, .31, .19, .2, 90, -30, 9))]],
    [[_join(_arc(.49, .33, .21, .2, 0, -360, 21), _line((.68, .6), (.62, .88)))],
     [_join(_arc(.48, .33, .21, .21, 0, -360, 21), _arc(.42, .55, .28, .33, 0, 110, 11))]],
]


def _segments(strokes):
    """The strokes' segments [MAX_SEGMENTS, 2, 2]; the last one is repeated to fill the table."""
    pairs = [np.stack([s[:-1], s[1:]], axis=1) for s in strokes]
    all_pairs = np.concatenate(pairs, axis=0)
    assert len(all_pairs) <= MAX_SEGMENTS
    fill = np.repeat(all_pairs[-1:], MAX_SEGMENTS - len(all_pairs), axis=0)
    return np.concatenate([all_pairs, fill], axis=0)


SEGMENTS = [[_segments(strokes) for strokes in ways] for ways in TEMPLATES]


def _bend(points, rng):
    """Each image [n, s, 2, 2] is bent by a slow wave and then turned, sheared, scaled and moved."""
    n = len(points)
    shape = (n, 1, 1)
    x, y = points[..., 0] - .5, points[..., 1] - .5
    uniform = lambda low, high: rng.uniform(low, high, shape)
    waved_x = x + uniform(-.05, .05) * np.sin(uniform(3, 8) * y + uniform(0, 6.3))
    waved_y = y + uniform(-.05, .05) * np.sin(uniform(3, 8) * x + uniform(0, 6.3))
    angle, shear = np.radians(uniform(-14, 14)), uniform(-.25, .25)
    scale_x, scale_y = uniform(.75, 1.1), uniform(.75, 1.05)
    sheared_x = waved_x * scale_x - shear * waved_y
    scaled_y = waved_y * scale_y
    turned_x = np.cos(angle) * sheared_x - np.sin(angle) * scaled_y + uniform(-.07, .07)
    turned_y = np.sin(angle) * sheared_x + np.cos(angle) * scaled_y + uniform(-.07, .07)
    return np.stack([turned_x, turned_y], axis=-1) + .5


def _distance(segments):
    """Distance of every pixel center to the nearest segment, in pixels: [n, SIZE, SIZE]."""
    center = (np.arange(SIZE) + .5) / SIZE
    px, py = center[None, None, None, :], center[None, None, :, None]
    a, b = segments[:, :, 0], segments[:, :, 1]
    d = b - a
    ax, ay = a[..., 0, None, None], a[..., 1, None, None]
    dx, dy = d[..., 0, None, None], d[..., 1, None, None]
    t = ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy + 1e-9)
    t = np.clip(t, 0, 1)
    ex, ey = ax + t * dx - px, ay + t * dy - py
    return np.sqrt((ex * ex + ey * ey).min(axis=1)) * SIZE


def _photograph(ink, rng):
    """Paper that is not quite white under the ink [n, SIZE, SIZE], and noise."""
    shape = (len(ink), 1, 1)
    paper = rng.uniform(0, .12, shape)
    noise = rng.normal(0, 1, ink.shape) * rng.uniform(.0, .09, shape)
    image = np.clip(paper + (1 - paper) * ink + noise, 0, 1)
    return np.round(image * 255).astype(np.uint8)


def _draw_batch(labels, rng):
    picked = [SEGMENTS[c][rng.integers(len(SEGMENTS[c]))] for c in labels]
    n = len(labels)
    shape = (n, 1, 1)
    distance = _distance(_bend(np.stack(picked), rng).astype(np.float32))
    radius, softness = rng.uniform(.7, 1.7, shape), rng.uniform(.6, 1.3, shape)
    ink = np.clip((radius - distance) / softness + .5, 0, 1) * rng.uniform(.7, 1, shape)
    return _photograph(ink, rng)


def draw(count, seed):
    """`count` images [count, SIZE, SIZE, 1] uint8, classes in turn, and their labels."""
    rng = np.random.default_rng(seed)
    labels = np.arange(count) % CLASSES
    batches = [_draw_batch(labels[i:i + BATCH], rng) for i in range(0, count, BATCH)]
    return np.concatenate(batches)[..., None], labels


def draw_blank(count, seed):
    """`count` images of paper without ink."""
    return _photograph(np.zeros((count, SIZE, SIZE)), np.random.default_rng(seed))[..., None]


def ascii_art(image):
    """Two characters a pixel, so that it looks square in a terminal."""
    shades = " .:-=+*#%@"
    rows = image.reshape(SIZE, SIZE).astype(int) * len(shades) // 256
    return "\n".join("".join(shades[v] * 2 for v in row).rstrip() for row in rows)
