#!/usr/bin/env python3
"""Writes letters.txt, the letters of the maps, from font files.

    outlines.py MEDIUM BOLD ITALIC > letters.txt

Each argument names the font files of one face, joined by commas: Alegreya Sans 500, Alegreya Sans 800, and Alegreya
Italic 500, for instance the parts `latin` and `latin-ext` as they are made for web pages. It needs fontTools, and
brotli for files that are compressed with it. Ringmail itself needs no font: it reads letters.txt.
"""

import sys
import unicodedata

from fontTools.pens.basePen import decomposeQuadraticSegment
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

HEAD = """\
The letters of the maps: made by outlines.py of Alegreya Sans and Alegreya, under the licence in OFL.txt.
After `face`, a line for each letter: the letter, its advance, and the data of its path, all in thousandths of the size.
`=A` stands for the lines of A, and `+A5 -7` for what the letter A adds to its own `=`, moved 5 to the right and 7 up.
After `pairs`, a line for each letter that is set closer to some next letters, or wider: these, and by how much.
"""
# Latin-1 and Latin Extended-A, without a soft hyphen and the two letters that the fonts lack; and some punctuation.
LETTERS = [chr(code) for code in [*range(0x20, 0x7F), *range(0xA0, 0x180)]]
LETTERS = [letter for letter in LETTERS if letter not in "\u00adŉſ"] + list("–—‘’“”…−")
# Pairs of these are set closer or wider; a letter with an accent like the one without, so i like the one without a dot.
KERNED = [letter for letter in map(chr, range(0x21, 0x7F)) if letter.isalpha() or letter in ".,:'-()"]
KERNED[KERNED.index("i")] = "ı"
# A pair is left as it is if its distance would change by less than this.
KERN_LEAST = 10
# What stands for any other letter.
BOX = ("□", 500, "M60 0v-640h380v640zM120 -60h260v-520h-260z")


class Face:
    """One face, which may be spread over several files."""

    def __init__(self, files):
        self.fonts = [TTFont(file) for file in files]
        assert all(font["head"].unitsPerEm == 1000 for font in self.fonts)

    def found(self, letter):
        """The font that has the letter, and its glyph; figures are as high as capitals."""
        for font in self.fonts:
            glyph = font.getBestCmap().get(ord(letter))
            if glyph:
                return font, lining(font).get(glyph, glyph)
        return None

    def advance(self, letter):
        font, glyph = self.found(letter)
        return font["hmtx"][glyph][0]

    def contours(self, letter):
        """The closed lines of a letter, each with its start and its pieces, downwards positive."""
        font, glyph = self.found(letter)
        pen = DecomposingRecordingPen(font.getGlyphSet())
        font.getGlyphSet()[glyph].draw(pen)
        lines = []
        for what, points in pen.value:
            points = [None if point is None else (point[0], -point[1]) for point in points]
            if what == "moveTo":
                lines.append([points[0], []])
            elif what == "lineTo":
                lines[-1][1].append(points)
            elif what == "qCurveTo":
                assert points[-1] is not None, "a line without a point on it"
                lines[-1][1].extend(list(piece) for piece in decomposeQuadraticSegment(points))
        return lines


def lining(font):
    """The glyphs of lining figures, by those of old-style ones."""
    if "GSUB" not in font:
        return {}
    table = font["GSUB"].table
    glyphs = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "lnum":
            for index in record.Feature.LookupListIndex:
                for subtable in table.LookupList.Lookup[index].SubTable:
                    glyphs.update(getattr(subtable, "ExtSubTable", subtable).mapping)
    return glyphs


def pieces(contours):
    """The data of a path: where each line begins is absolute, all else is relative, in whole thousandths."""
    return [(start(line), "".join(data(line))) for line in contours]


def start(line):
    return tuple(round(part) for part in line[0])


def data(line):
    """A line from its start, with the shortest letters that say it."""
    at, control, last = start(line), None, ""
    first = at
    for index, piece in enumerate(line[1]):
        to = tuple(round(part) for part in piece[-1])
        by = (to[0] - at[0], to[1] - at[1])
        if len(piece) == 1:
            control = None
            is_closing = index == len(line[1]) - 1 and to == first
            if is_closing or by == (0, 0):
                continue
            word, numbers = ("h", by[:1]) if by[1] == 0 else ("v", by[1:]) if by[0] == 0 else ("l", by)
        else:
            mirrored = control and (2 * at[0] - control[0], 2 * at[1] - control[1])
            if mirrored and max(abs(mirrored[0] - piece[0][0]), abs(mirrored[1] - piece[0][1])) <= 1:
                word, numbers, control = "t", by, mirrored
            else:
                control = tuple(round(part) for part in piece[0])
                word, numbers = "q", (control[0] - at[0], control[1] - at[1], *by)
        yield joined(word if word != last else "", numbers)
        at, last = to, word
    yield "z"


def joined(word, numbers):
    text = word
    for number in numbers:
        separator = "" if number < 0 or text == word != "" else " "
        text += f"{separator}{number}"
    return text


def drawn(letter, known, added):
    """The lines of a letter, as far as possible in terms of letters before it; notes what it adds to another."""
    lines = known[letter]
    bases = [one for one in (unicodedata.normalize("NFD", letter)[0], "ı") if one != letter and one in known]
    base = next((one for one in bases if all(line in lines for line in known[one])), "")
    rest = [line for line in lines if line not in known.get(base, [])]
    text = f"={base}" if base else ""
    for other, mark in added.items():
        by = shift(mark, rest)
        if base and by:
            text += f"+{other}{by[0]} {by[1]}"
            break
    else:
        text += "".join(f"M{x} {y}{line}" for (x, y), line in rest)
    added[letter] = rest
    return text


def shift(known, rest):
    """How far the known lines are moved to be the rest; `None` if they are other lines."""
    if not rest or [line for _, line in known] != [line for _, line in rest]:
        return None
    steps = {(there[0] - here[0], there[1] - here[1]) for (here, _), (there, _) in zip(known, rest)}
    return steps.pop() if len(steps) == 1 else None


def kerns(face):
    """By how much a letter is moved after another, by both letters."""
    font = face.found("A")[0]
    lookups = []
    table = font["GPOS"].table
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "kern":
            lookups += [index for index in record.Feature.LookupListIndex if index not in lookups]
    subtables = [getattr(subtable, "ExtSubTable", subtable)
                 for index in lookups for subtable in table.LookupList.Lookup[index].SubTable]
    glyphs = {letter: face.found(letter.replace("ı", "i"))[1] for letter in KERNED}
    for one in KERNED:
        pairs = {}
        for other in KERNED:
            by = 0 if one.islower() and other.isupper() else kern(subtables, glyphs[one], glyphs[other])
            if abs(by) >= KERN_LEAST:
                pairs.setdefault(by, []).append(other)
        if pairs:
            yield one + " ".join("".join(others) + f"{by:+}" for by, others in pairs.items())


def kern(subtables, one, other):
    for subtable in subtables:
        if one not in subtable.Coverage.glyphs:
            continue
        if subtable.Format == 1:
            pairs = subtable.PairSet[subtable.Coverage.glyphs.index(one)].PairValueRecord
            found = [pair.Value1 for pair in pairs if pair.SecondGlyph == other]
            if not found:
                continue
            value = found[0]
        else:
            first, second = (classes.classDefs.get(glyph, 0)
                             for classes, glyph in ((subtable.ClassDef1, one), (subtable.ClassDef2, other)))
            value = subtable.Class1Record[first].Class2Record[second].Value1
        return value.XAdvance if value and hasattr(value, "XAdvance") else 0
    return 0


def main():
    print(HEAD, end="")
    for name, files in zip(["medium", "bold", "italic"], sys.argv[1:], strict=True):
        face = Face(files.split(","))
        known = {letter: pieces(face.contours(letter)) for letter in LETTERS}
        # Letters that others are made of come first.
        order = sorted(LETTERS, key=lambda letter: (letter > "~" and letter not in "ı", ord(letter)))
        added = {}
        print(f"face {name}")
        for letter in order:
            print(f"{letter}{face.advance(letter)}{drawn(letter, known, added)}")
        print(*map(str, BOX), sep="")
        print("pairs")
        print(*kerns(face), sep="\n")


main()
