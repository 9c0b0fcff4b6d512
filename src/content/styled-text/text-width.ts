import {wideRanges} from './wide-ranges.ts';

/**
 * How many columns text takes. Where terminals disagree the larger number is taken, so that a line is never wider than it
 * was laid out for: a regional indicator by itself is 2, consonants that a script may join count each, a spacing mark
 * counts. One picture of several code points (flags, skin tones, ZWJ families, keycaps, VS16) is 2 as Unicode has it;
 * a terminal that knows no such sequences paints it wider, and only an option of the reader can help there.
 */

/** One character as people see it, or a part of one that is absurdly wide: `end` is where it ends in its text. */
export interface GraphemeWidths {
  readonly ends: readonly number[];
  readonly columns: readonly number[];
}

// The usual text of chats: no character here joins another one of these.
const latin = /^[\u0020-\u007e\u00a0-\u02ff]*$/;
/** No real cluster is wider; a longer one (jamo or consonants without end) is divided so that it can be wrapped. */
export const widestCluster = 4;

/** Then each character is one column. */
export function isLatin(text: string): boolean {
  return latin.test(text);
}

/** Columns of a text without control characters. */
export function textColumns(text: string): number {
  if (isLatin(text)) return text.length;
  let total = 0;
  eachGrapheme(text, (_end, columns) => {
    total += columns;
  });
  return total;
}

export function graphemeWidths(text: string): GraphemeWidths {
  const ends: number[] = [];
  const columns: number[] = [];
  eachGrapheme(text, (end, wide) => {
    ends.push(end);
    columns.push(wide);
  });
  return {ends, columns};
}

type GraphemeVisitor = (end: number, columns: number) => void;

/**
 * Between two characters that are simple there is always a boundary, so only stretches around others are looked at more
 * closely.
 */
export function eachGrapheme(text: string, visit: GraphemeVisitor): void {
  let at = 0;
  let kind = kindAt(text, at);
  while (at < text.length) {
    let end = at + unitsOf(kind);
    let next = kindAt(text, end);
    if (kind !== complex && next !== complex) {
      visit(end, kind & 3);
    } else {
      for (let last = kind; end < text.length && (last === complex || next === complex); ) {
        end += unitsOf(next);
        last = next;
        next = kindAt(text, end);
      }
      closely(text, at, end, visit);
    }
    at = end;
    kind = next;
  }
}

/** One of the below; those that are simple with their columns. A pair is simple too, and takes two units. */
type CodeUnitKind = number;
const simple = 4;
const pair = 8;
const complex = 16;
/** Of units as they have been met; 0 for the others. */
const kinds = new Uint8Array(0x10000);

/** The end of a text is as good as something simple. */
function kindAt(text: string, at: number): CodeUnitKind {
  if (at >= text.length) return simple;
  const unit = text.charCodeAt(at);
  if (unit >= 0xd83c && unit <= 0xd83e) return pairKind(text.codePointAt(at) ?? 0);
  return kinds[unit] || newKind(unit);
}

function newKind(unit: number): CodeUnitKind {
  const kind = isSimple(unit) ? simple | pointColumns(unit) : complex;
  kinds[unit] = kind;
  return kind;
}

/** Pictures stand by themselves; skin tones and the letters of flags do not. */
function pairKind(point: number): CodeUnitKind {
  const isPicture = point >= 0x1f300 && point <= 0x1faff && !(point >= 0x1f3fb && point <= 0x1f3ff);
  return isPicture ? pair | pointColumns(point) : complex;
}

function unitsOf(kind: CodeUnitKind): number {
  return (kind & pair) === 0 ? 1 : 2;
}

/** Neither joins what is before it nor waits for what follows. */
function isSimple(unit: number): boolean {
  if (unit < 0x300) return unit >= 0x20;
  if (unit < 0x2010) return (unit >= 0x370 && unit <= 0x482) || (unit >= 0x48a && unit <= 0x58f);
  if (unit < 0x3000) {
    return (
      unit <= 0x2027 ||
      (unit >= 0x2030 && unit <= 0x205e) ||
      (unit >= 0x2070 && unit <= 0x20cf) ||
      (unit >= 0x2100 && unit <= 0x2bff)
    );
  }
  if (unit <= 0x9fff) return !(unit >= 0x302a && unit <= 0x302f) && unit !== 0x3099 && unit !== 0x309a;
  return (unit >= 0xac00 && unit <= 0xd7a3) || (unit >= 0xff01 && unit <= 0xff9d);
}

/** Looking closely costs as much as a hundred simple characters, and the same few stretches come again and again. */
const stretches = new Map<string, GraphemeWidths>();
const longestStretch = 32;
const mostKept = 4000;

function closely(text: string, start: number, end: number, visit: GraphemeVisitor): void {
  const {ends, columns} = stretchCells(text.slice(start, end));
  for (let i = 0; i < ends.length; i++) visit(start + (ends[i] ?? 0), columns[i] ?? 0);
}

function stretchCells(stretch: string): GraphemeWidths {
  const known = stretches.get(stretch);
  if (known !== undefined) return known;
  const cells = pictureCells(stretch) ?? segmentedCells(stretch);
  if (stretch.length > longestStretch) return cells;
  if (stretches.size >= mostKept) stretches.clear();
  stretches.set(stretch, cells);
  return cells;
}

/** Flags, keycaps, and pictures that are coloured, presented as such, or joined. Nothing after one may belong to it. */
const pictures =
  /\p{Regional_Indicator}{1,2}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)*/uy;

/** Emoji need no segmenter, which takes 20 ms to load. Undefined when there is anything else. */
function pictureCells(stretch: string): GraphemeWidths | undefined {
  const ends: number[] = [];
  const columns: number[] = [];
  for (let at = 0; at < stretch.length; ) {
    pictures.lastIndex = at;
    const found = pictures.exec(stretch)?.[0];
    const kind = found === undefined ? kindAt(stretch, at) : complex;
    if (found === undefined && kind === complex) return undefined;
    at += found?.length ?? unitsOf(kind);
    ends.push(at);
    columns.push(found === undefined ? kind & 3 : knownColumns(found));
  }
  return {ends, columns};
}

let segmenter: Intl.Segmenter | undefined;

function segmentedCells(stretch: string): GraphemeWidths {
  segmenter ??= new Intl.Segmenter('en', {granularity: 'grapheme'});
  const ends: number[] = [];
  const columns: number[] = [];
  const visit: GraphemeVisitor = (end, wide) => {
    ends.push(end);
    columns.push(wide);
  };
  for (const {segment, index} of segmenter.segment(stretch)) {
    const wide = knownColumns(segment);
    if (wide <= widestCluster) visit(index + segment.length, wide);
    else eachPart(segment, index, visit);
  }
  return {ends, columns};
}

/** Syllables stay whole, so that each part is as wide by itself as beside the others. */
function eachPart(cluster: string, start: number, visit: GraphemeVisitor): void {
  for (const {0: part, index} of cluster.matchAll(parts))
    visit(start + index + part.length, knownColumns(part));
}

const clusters = new Map<string, number>();

function knownColumns(cluster: string): number {
  const found = clusters.get(cluster);
  if (found !== undefined) return found;
  const columns = clusterColumns(cluster);
  if (clusters.size >= mostKept) clusters.clear();
  if (cluster.length <= longestStretch) clusters.set(cluster, columns);
  return columns;
}

const pictograph = /^\p{Extended_Pictographic}/u;
/** What makes one wide picture of a base: VS16, a skin tone, a joined second picture, the tags of a flag. */
const pictureParts = /\ufe0f|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}|[\u{e0020}-\u{e007f}]/u;
const keycap = /^[0-9#*]\ufe0f?\u20e3/;
const syllable = /[\u1100-\u115f\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6][\u11a8-\u11ff\ud7cb-\ud7fb]?/g;
const parts = new RegExp(`${syllable.source}|.`, 'gsu');

function clusterColumns(cluster: string): number {
  const point = cluster.codePointAt(0) ?? 0;
  const isOnePoint = cluster.length === (point > 0xffff ? 2 : 1);
  if (point >= 0x1f1e6 && point <= 0x1f1ff) return 2;
  if (isOnePoint) return pointColumns(point);
  if (keycap.test(cluster)) return 2;
  if (pictograph.test(cluster)) return pictureParts.test(cluster) ? 2 : pointColumns(point);
  const syllables = cluster.match(syllable)?.length ?? 0;
  let total = syllables * 2;
  for (const character of syllables === 0 ? cluster : cluster.replace(syllable, '')) {
    total += pointColumns(character.codePointAt(0) ?? 0);
  }
  return total;
}

const takesNoColumn = /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cc}]$/u;
const lookedUp = new Uint8Array(0x20000);

/** Columns of a code point by itself. */
function pointColumns(point: number): number {
  if (point < 0x300) return 1;
  if (point >= lookedUp.length) return isWide(point) ? 2 : pointIsMark(point) ? 0 : 1;
  const known = lookedUp[point] ?? 0;
  if (known > 0) return known - 1;
  const columns = isWide(point) ? 2 : pointIsMark(point) ? 0 : 1;
  lookedUp[point] = columns + 1;
  return columns;
}

function pointIsMark(point: number): boolean {
  return takesNoColumn.test(String.fromCodePoint(point));
}

function isWide(point: number): boolean {
  let low = 0;
  let high = wideRanges.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < (wideRanges[middle * 2] ?? 0)) high = middle - 1;
    else if (point > (wideRanges[middle * 2 + 1] ?? 0)) low = middle + 1;
    else return true;
  }
  return false;
}
