import {firstImageCell} from '#content/styled-text/sanitize-text.ts';
import {wideRanges} from '#content/styled-text/wide-ranges.ts';

/**
 * Returns the columns of a simple code point: one that is always a whole character next to other simple ones, because it
 * joins neither the code point before it nor the one after it. Returns 0 for all others. A line of simple code points needs
 * neither a segmenter, which takes 20 ms to load, nor the pattern of all emoji, which takes 30 ms.
 */
export function simpleWidth(point: number): 0 | 1 | 2 {
  if (point >= firstImageCell) return 1;
  return point > 0xffff ? emojiWidth(point) : unitWidth(point);
}

function unitWidth(unit: number): 0 | 1 | 2 {
  if (unit < 0x7f) return unit >= 0x20 ? 1 : 0;
  if (unit < 0x300) return unit >= 0xa0 && unit !== 0xad ? 1 : 0;
  if (unit < 0x2500) return isNarrowSymbol(unit) ? 1 : 0;
  if (unit < 0x2600) return unit === 0x25fd || unit === 0x25fe ? 0 : 1;
  if (unit < 0x3000) return isNarrowMark(unit) ? 1 : 0;
  return isWide(unit) ? 2 : 0;
}

/** Stars, ticks, crosses, pens, braille and more arrows, as far as no terminal shows them as emoji. */
function isNarrowMark(unit: number): boolean {
  return (
    (unit >= 0x2605 && unit <= 0x260d) ||
    (unit >= 0x2717 && unit <= 0x271c) ||
    (unit >= 0x2722 && unit <= 0x2727) ||
    (unit >= 0x2765 && unit <= 0x2794) ||
    (unit >= 0x2798 && unit <= 0x27a0) ||
    (unit >= 0x27c0 && unit <= 0x2933) ||
    (unit >= 0x2936 && unit <= 0x2b04) ||
    unit === 0x2610 ||
    unit === 0x270e ||
    unit === 0x2713 ||
    unit === 0x2715
  );
}

/** Greek, Cyrillic and Hebrew letters, Latin with more accents, punctuation, arrows and mathematics. */
function isNarrowSymbol(unit: number): boolean {
  return (
    (unit >= 0x370 && unit <= 0x482) ||
    (unit >= 0x48a && unit <= 0x58f) ||
    (unit >= 0x5d0 && unit <= 0x5ea) ||
    (unit >= 0x1e00 && unit <= 0x1fff) ||
    (unit >= 0x2010 && unit <= 0x2027) ||
    (unit >= 0x2030 && unit <= 0x205e) ||
    (unit >= 0x2070 && unit <= 0x209c) ||
    (unit >= 0x20a0 && unit <= 0x20c0) ||
    (unit >= 0x2100 && unit <= 0x2319)
  );
}

/** Kana, ideographs, Hangul syllables and the full-width forms. */
function isWide(unit: number): boolean {
  return (
    (unit >= 0x3001 && unit <= 0x3029) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x309b && unit <= 0x30ff) ||
    (unit >= 0x3400 && unit <= 0x4dbf) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3) ||
    (unit >= 0xff01 && unit <= 0xff60)
  );
}

const [firstEmoji, lastEmoji] = [0x1f300, 0x1faff];
let wideEmoji: Uint8Array | undefined;

/** Returns 2 for an emoji of two columns. Skin tones are not simple: they join the emoji before them. */
function emojiWidth(point: number): 0 | 2 {
  if (point < firstEmoji || point > lastEmoji || (point >= 0x1f3fb && point <= 0x1f3ff)) return 0;
  wideEmoji ??= wideFlags(firstEmoji, lastEmoji);
  return wideEmoji[point - firstEmoji] === 1 ? 2 : 0;
}

function wideFlags(first: number, last: number): Uint8Array {
  const wide = new Uint8Array(last - first + 1);
  for (let at = 0; at < wideRanges.length; at += 2) {
    const [from = 0, to = 0] = [wideRanges[at], wideRanges[at + 1]];
    if (to >= first && from <= last) wide.fill(1, Math.max(0, from - first), to - first + 1);
  }
  return wide;
}
