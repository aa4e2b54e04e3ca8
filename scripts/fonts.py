"""Cuts the shipped fonts out of the families that scripts/fonts has fetched, and writes the CSS that names them.

Usage: fonts.py NODE_MODULES USED.json FOLDER

The licence lets anybody change the fonts, but not under their reserved names: the cut ones are called "Punto …". Their
copyright and licence stay in the files (name table) and, in full, beside them.
"""

import json
import sys
from pathlib import Path

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

MODULES, USED, FOLDER = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
# Figures of one width and of full height, and what letters need to stand well beside each other.
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "lnum", "tnum"]
WEIGHTS = (400, 700)
FIRST_HAN = 0x2E80
# How far a line reaches above and below its letters, in percent of the size: the same for every face, so that a line is as
# high in one script as in another and fits wherever it did.
ASCENT, DESCENT = 92, 24
# In seconds since 1904: the same on every day that fonts are made.
LONG_AGO = 3_600_000_000


class Family:
    """The files of one family, each with some characters; the first that has a character gives it."""

    def __init__(self, package: str, *files: str):
        folder = MODULES / package
        self.licence = (folder / "LICENSE").read_text()
        self.places = {}
        for pattern in files:
            for file in sorted((folder / "files").glob(pattern)):
                for code in TTFont(file, lazy=True).getBestCmap():
                    self.places.setdefault(code, file)
        self.copyright = TTFont(next(iter(self.places.values())))["name"].getDebugName(0)

    def cut(self, codes: set[int] | None = None, weights: tuple[int, int] | None = None) -> TTFont:
        """One font of those characters that the family has, or of all; a variable one keeps the weights in between."""
        codes = self.places.keys() & (self.places if codes is None else codes)
        parts = []
        for file in sorted({self.places[code] for code in codes}):
            font = TTFont(file, recalcTimestamp=False)
            options = subset.Options(layout_features=FEATURES, hinting=False, name_IDs=[0, 13, 14])
            options.drop_tables += ["vhea", "vmtx", "VORG", "STAT", "BASE", "MATH"]
            cutter = subset.Subsetter(options)
            cutter.populate(unicodes={code for code in codes if self.places[code] == file})
            cutter.subset(font)
            if weights:
                instancer.instantiateVariableFont(font, {"wght": weights}, inplace=True)
            parts.append(font)
        return merged(parts)


def merged(parts: list[TTFont]) -> TTFont:
    if len(parts) == 1:
        return parts[0]
    paths = []
    for at, part in enumerate(parts):
        part.flavor = None
        # Features of parts need not agree, and no two parts write one word.
        for table in ("GSUB", "GPOS", "GDEF"):
            if table in part:
                del part[table]
        paths.append(str(MODULES / f"part-{at}.ttf"))
        part.save(paths[-1])
    return Merger().merge(paths)


def ranges(codes: set[int]) -> str:
    """`U+20-7E, U+A7`: runs where there are any."""
    runs = []
    for code in sorted(codes):
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return ", ".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in runs)


def standard(encoding: str, first: int, last: int, trail: list[int]) -> set[int]:
    """The characters of one level of a national standard."""
    pairs = (bytes([a, b]) for a in range(first >> 8, (last >> 8) + 1) for b in trail if first <= a << 8 | b <= last)
    return {ord(it) for it in (pair.decode(encoding, "ignore") for pair in pairs) if it}


GB_2312_LEVEL_1 = standard("gb2312", 0xB0A1, 0xD7F9, list(range(0xA1, 0xFF)))
BIG5_LEVEL_1 = standard("big5", 0xA440, 0xC67E, [*range(0x40, 0x7F), *range(0xA1, 0xFF)])
# What parents like to call their children, beyond those levels.
GIVEN_NAMES = {
    ord(it)
    for it in "鑫昊璇钰鈺玥琪瑜瑾晟婷妍娴嫻媛嫣婧岚嵐怡恺愷涵淇渝漪潇瀟澜瀾炜煒烨燁琳琬瑶瑤璐睿祺筠翊翎芷荟薈莹瑩菡萱蓓蕾薇铭銘霖韬韜颖穎馨骏駿曦彤"
    "懿昕晗曜栩梓煊焱甯倩俐俪儷偲冉奕妤婕宥宸宇诗詩語语恩杰傑皓祐佑聿芮芸茜莉菁蓁瑋玮珊珮琦瑄璿綺绮綸纶緯纬維维翰翔驊骅麒麟龄齡"
}


class Sheet:
    """The rules of all faces. A face waits for its file (`block`): a kiosk would show boxes meanwhile, or move its layout."""

    def __init__(self):
        self.rules = ["/* Written by scripts/fonts; every range is what its file has. */\n"]
        self.has = {}

    def add(self, family: str, file: str, font: TTFont, weight: str = "400", size: int = 100) -> None:
        for record, text in ((1, family), (2, "Regular"), (4, family), (6, family.replace(" ", ""))):
            font["name"].setName(text, record, 3, 1, 0x409)
        font["head"].created = font["head"].modified = LONG_AGO
        font.recalcTimestamp = False
        font.flavor = "woff2"
        path = FOLDER / f"{file}.woff2"
        font.save(path)
        # Spaces that nobody sees are left to whatever face the words are in.
        codes = {code for code in font.getBestCmap() if code >= 0x20}
        self.has[family] = self.has.get(family, set()) | codes
        print(f"{path}: {len(codes)} characters, {path.stat().st_size} bytes")
        heights = {"ascent": ASCENT, "descent": DESCENT, "line-gap": 0}
        adjust = " ".join(f"{it}-override: {percent * 100 / size:.4g}%;" for it, percent in heights.items())
        if size != 100:
            adjust = f"size-adjust: {size}%; {adjust}"
        self.rules.append(
            f"@font-face {{ font-family: '{family}'; src: url('./{file}.woff2') format('woff2'); font-weight: {weight};"
            f" font-display: block; {adjust} unicode-range: {ranges(codes)}; }}\n"
        )


def main() -> None:
    used = {script: {ord(it) for it in text} for script, text in json.loads(USED.read_text()).items()}
    han = {script: {it for it in codes if it >= FIRST_HAN} for script, codes in used.items()}

    source = "@fontsource-variable/source-sans-3"
    text, text_more, text_vietnamese = (
        Family(source, f"*-3-{slice}-wght-normal.woff2") for slice in ("latin", "latin-ext", "vietnamese")
    )
    cormorant = "@fontsource/cormorant-garamond"
    display, display_more = (Family(cormorant, f"cormorant-garamond-{slice}-700-normal.woff2") for slice in ("latin", "latin-ext"))
    symbols = Family("@fontsource/noto-sans-symbols-2", "*-400-normal.woff2")
    maths = Family("@fontsource/noto-sans-math", "*-400-normal.woff2")
    simplified = Family("@fontsource/noto-sans-sc", "*-400-normal.woff2")
    traditional = Family("@fontsource/noto-sans-tc", "*-400-normal.woff2")

    sheet = Sheet()
    weights = "{} {}".format(*WEIGHTS)
    sheet.add("Punto Text", "text-base", text.cut(weights=WEIGHTS), weights)
    more = text_more.places.keys() - text.places.keys()
    sheet.add("Punto Text", "text-margin", text_more.cut(more, WEIGHTS), weights)
    vietnamese = text_vietnamese.places.keys() - more - text.places.keys()
    sheet.add("Punto Text", "text-margin-vietnamese", text_vietnamese.cut(vietnamese, WEIGHTS), weights)

    # Its letters are small for their size: as high as the text's at the same one. Bold only, whatever is asked for.
    any_weight, size = "100 900", 112
    sheet.add("Punto Display", "display-base", display.cut(), any_weight, size)
    more = display_more.places.keys() - display.places.keys()
    sheet.add("Punto Display", "display-margin", display_more.cut(more), any_weight, size)

    signs = {it for codes in used.values() for it in codes if it < FIRST_HAN} - text.places.keys()
    drawn = symbols.cut(signs), maths.cut(signs - symbols.places.keys())
    sheet.add("Punto Signs", "signs-base", merged(list(drawn)))

    # What every screen shows, whatever its language: names of languages and what felts print. TC has not all of it.
    felt = traditional.cut(han["en"]), simplified.cut(han["en"] - traditional.places.keys())
    sheet.add("Punto Felt", "felt-base", merged(list(felt)))
    sheet.add("Punto SC", "sc-base", simplified.cut(han["zh-Hans"]))
    sheet.add("Punto SC", "sc-margin", simplified.cut((GB_2312_LEVEL_1 | GIVEN_NAMES) - han["zh-Hans"]))
    sheet.add("Punto TC", "tc-base", traditional.cut(han["zh-Hant"]))
    sheet.add("Punto TC", "tc-margin", traditional.cut((BIG5_LEVEL_1 | GIVEN_NAMES) - han["zh-Hant"]))
    (FOLDER / "fonts.css").write_text("\n".join(sheet.rules))

    families = {"Text": text, "Display": display, "Signs": symbols, "Signs (arrows)": maths}
    families |= {"SC, Felt": simplified, "TC, Felt": traditional}
    notices = [f"Punto {name}: {family.copyright}" for name, family in families.items()]
    licence = text.licence[text.licence.index("This Font Software is licensed") :]
    (FOLDER / "OFL.txt").write_text("\n".join(notices) + "\n\n" + licence)


if __name__ == "__main__":
    main()
