"""The contrast ratio of two colours (WCAG 2.1, 1.4.3)."""

from itertools import starmap

WEIGHTS = (0.2126, 0.7152, 0.0722)


def contrast(one: str, other: str) -> float:
    """From 1 (equal) to 21 (black on white); colours are `#rgb` or `#rrggbb`."""
    darker, lighter = sorted((_luminance(channels(one)), _luminance(channels(other))))
    return (lighter + 0.05) / (darker + 0.05)


def channels(color: str) -> tuple[float, ...]:
    """Red, green and blue, each from 0 to 1."""
    digits = color.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return tuple(value / 255 for value in bytes.fromhex(digits))


def mixed(color: str, ground: str, opacity: float) -> str:
    """The `#rrggbb` of a translucent colour on a background."""
    both = zip(channels(color), channels(ground), strict=True)
    parts = [round(255 * (opacity * above + (1 - opacity) * below)) for above, below in both]
    return "#" + bytes(parts).hex()


def _luminance(parts: tuple[float, ...]) -> float:
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return sum(starmap(float.__mul__, zip(WEIGHTS, linear, strict=True)))
