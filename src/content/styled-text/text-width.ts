/**
 * Measures the width of text in terminal columns. Where terminals disagree and this one has not said, the larger number is used,
 * so that a line is never wider than it was wrapped to: a lone regional indicator is 2, consonants that a script may join count
 * separately, a spacing mark counts. A picture of several code points (flags, skin tones, ZWJ families, keycaps, VS16) is 2, as
 * Unicode defines, unless the terminal was seen to count otherwise.
 */

import {deepEqual} from '#std/deep-equal.ts';
import {copyText, LruCache, objectBytes} from '#std/lru-cache.ts';
import {segmenter} from '#std/segmenter.ts';
import type {ClusterWidths} from './cluster-widths.ts';

/** What the terminal was seen to count. A module variable, because there is one terminal, and every text is measured for it. */
let measured: ClusterWidths = {};
let version = 0;

/** Measures from now on as the terminal does. Everything that was laid out before must be laid out again. */
export function setClusterWidths(widths: ClusterWidths): void {
  if (deepEqual(widths, measured)) return;
  measured = widths;
  version++;
  widthsByRun.clear();
  columnsByCluster.clear();
}

/** Changes when texts are measured in another way, for caches of widths. */
export function clusterWidthsVersion(): number {
  return version;
}

/** The end offset and width of each grapheme (a character as users see it). Extremely wide graphemes are split. */
export interface GraphemeWidths {
  readonly ends: readonly number[];
  readonly columns: readonly number[];
}

// The most common text of chats: none of these characters combines with another.
const latin = /^[\u0020-\u007e\u00a0-\u02ff]*$/;
/** No real cluster is wider. A wider one (a long run of jamo or consonants) is split so that it can be wrapped. */
export const widestCluster = 4;

/** Returns whether the text is Latin only, so that each character takes one column. */
export function isLatin(text: string): boolean {
  return latin.test(text);
}

/** Returns the width of a text without control characters. */
export function textColumns(text: string): number {
  if (isLatin(text)) return text.length;
  let total = 0;
  eachGrapheme(text, (_end, columns) => {
    total += columns;
  });
  return total;
}

export function graphemeWidths(text: string): GraphemeWidths {
  return collected((visit) => eachGrapheme(text, visit));
}

function collected(each: (visit: GraphemeVisitor) => void): GraphemeWidths {
  const widths: {ends: number[]; columns: number[]} = {ends: [], columns: []};
  each((end, columns) => {
    widths.ends.push(end);
    widths.columns.push(columns);
  });
  return widths;
}

type GraphemeVisitor = (end: number, columns: number) => void;

/**
 * Calls `visit` for each grapheme. Between two simple characters there is always a boundary, so only the runs around other
 * characters are segmented, which is slow.
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
      visitRun(text, at, end, visit);
    }
    at = end;
    kind = next;
  }
}

/** One of the flags below; a simple kind includes its width. A pair is simple too, and has two units. */
type CodeUnitKind = number;
const simple = 4;
const pair = 8;
const complex = 16;
/** The kind of each code unit, 0 until computed. */
const kindByUnit = new Uint8Array(0x10000);

/** Returns the kind of the character at `at`; the end of the text counts as simple. */
function kindAt(text: string, at: number): CodeUnitKind {
  if (at >= text.length) return simple;
  const unit = text.charCodeAt(at);
  if (unit >= 0xd83c && unit <= 0xd83e) return pairKind(text.codePointAt(at) ?? 0);
  return kindByUnit[unit] || computeKind(unit);
}

function computeKind(unit: number): CodeUnitKind {
  const kind = isSimple(unit) ? simple | pointColumns(unit) : complex;
  kindByUnit[unit] = kind;
  return kind;
}

/** Returns the kind of a surrogate pair. Pictures are simple; skin tones and the letters of flags are not. */
function pairKind(point: number): CodeUnitKind {
  const isPicture = point >= 0x1f300 && point <= 0x1faff && !(point >= 0x1f3fb && point <= 0x1f3ff);
  return isPicture ? pair | pointColumns(point) : complex;
}

function unitsOf(kind: CodeUnitKind): number {
  return (kind & pair) === 0 ? 1 : 2;
}

/** Returns whether a unit never combines with the character before or after it. */
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

/** Results for short runs. Segmenting costs as much as a hundred simple characters, and the same few runs recur. */
const widthsByRun = new LruCache<string, GraphemeWidths>(
  256 * 1024,
  ({ends}, run) => 5 * objectBytes + 2 * run.length + 16 * ends.length,
);
const maxCachedLength = 32;

function visitRun(text: string, start: number, end: number, visit: GraphemeVisitor): void {
  const {ends, columns} = runWidths(text.slice(start, end));
  for (let i = 0; i < ends.length; i++) visit(start + (ends[i] ?? 0), columns[i] ?? 0);
}

function runWidths(run: string): GraphemeWidths {
  const known = widthsByRun.get(run);
  if (known !== undefined) return known;
  const widths = pictureWidths(run) ?? segmentedWidths(run);
  if (run.length <= maxCachedLength) widthsByRun.set(copyText(run), widths);
  return widths;
}

/** Flags, keycaps, and pictures with skin tones, U+FE0F or joiners. */
const pictures =
  /\p{Regional_Indicator}{1,2}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*)*/uy;

/** Measures a run of emoji without a segmenter, which takes 20 ms to load. Undefined when there is anything else. */
function pictureWidths(run: string): GraphemeWidths | undefined {
  let isOther = false;
  const widths = collected((visit) => {
    for (let at = 0; at < run.length && !isOther; ) {
      pictures.lastIndex = at;
      const picture = pictures.exec(run)?.[0];
      const kind = kindAt(run, at);
      isOther = picture === undefined && kind === complex;
      if (picture !== undefined) visitCluster(picture, at, visit);
      else visit(at + unitsOf(kind), kind & 3);
      at += picture?.length ?? unitsOf(kind);
    }
  });
  return isOther ? undefined : widths;
}

function segmentedWidths(run: string): GraphemeWidths {
  return collected((visit) => {
    for (const {segment, index} of segmenter('grapheme').segment(run)) visitCluster(segment, index, visit);
  });
}

/** Visits a cluster, or the parts of a wide one. Syllables stay whole, so that each part is as wide alone as beside the others. */
function visitCluster(cluster: string, start: number, visit: GraphemeVisitor): void {
  const columns = cachedColumns(cluster);
  if (columns <= widestCluster) visit(start + cluster.length, columns);
  else for (const {0: part, index} of cluster.matchAll(parts)) visit(start + index + part.length, cachedColumns(part));
}

const columnsByCluster = new LruCache<string, number>(64 * 1024, (_, {length}) => 2 * objectBytes + 2 * length);

function cachedColumns(cluster: string): number {
  const known = columnsByCluster.get(cluster);
  if (known !== undefined) return known;
  const columns = clusterColumns(cluster);
  if (cluster.length <= maxCachedLength) columnsByCluster.set(copyText(cluster), columns);
  return columns;
}

const pictograph = /^\p{Extended_Pictographic}/u;
/** Characters that make a picture two columns wide: VS16, a skin tone, a joined second picture, the tags of a flag. */
const pictureParts = /\ufe0f|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}|[\u{e0020}-\u{e007f}]/u;
const keycap = /^[0-9#*]\ufe0f?\u20e3/;
const syllable = /[\u1100-\u115f\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6][\u11a8-\u11ff\ud7cb-\ud7fb]?/g;
const parts = new RegExp(`${syllable.source}|.`, 'gsu');

function clusterColumns(cluster: string): number {
  const point = cluster.codePointAt(0) ?? 0;
  const isOnePoint = cluster.length === (point > 0xffff ? 2 : 1);
  if (point >= 0x1f1e6 && point <= 0x1f1ff) return 2;
  if (isOnePoint) return pointColumns(point);
  if (keycap.test(cluster)) return measured.variation ?? 2;
  if (pictograph.test(cluster)) return pictureColumns(cluster);
  const syllables = measured.jamo === 4 ? 0 : (cluster.match(syllable)?.length ?? 0);
  let total = syllables * 2;
  for (const character of syllables === 0 ? cluster : cluster.replace(syllable, '')) {
    if (total === 0 || !isOnLetterBefore(character)) total += pointColumns(character.codePointAt(0) ?? 0);
  }
  return total;
}

/** Returns the columns of a picture, with its skin tone and the pictures that are joined to it. */
function pictureColumns(cluster: string): number {
  const point = cluster.codePointAt(0) ?? 0;
  if (!pictureParts.test(cluster)) return pointColumns(point);
  if (measured.joined === 6 && joinedPicture.test(cluster)) {
    return cluster.split('\u200d').reduce((total, part) => total + clusterColumns(part), 0);
  }
  const tones = measured.tone === 4 ? (cluster.match(toneModifier)?.length ?? 0) : 0;
  const isText = measured.variation === 1 && cluster.endsWith('\ufe0f');
  return (isText ? pointColumns(point) : 2) + 2 * tones;
}

const joinedPicture = /\u200d\p{Extended_Pictographic}/u;
const toneModifier = /\p{Emoji_Modifier}/gu;
const spacingMark = /^\p{Mc}$/u;
const amVowel = /^[\u0e33\u0eb3]$/;
const indicLetter = /^[\u0900-\u0dff]$/;

/** Returns whether the terminal shows a later character of a cluster without a column of its own. */
function isOnLetterBefore(character: string): boolean {
  const {conjunct = 3, thai} = measured;
  if (thai === 1 && amVowel.test(character)) return true;
  return (conjunct < 3 && spacingMark.test(character)) || (conjunct === 1 && indicLetter.test(character));
}

const zeroWidth = /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cc}]$/u;
/** The width of each code point plus 1; 0 until computed. */
const columnsByPoint = new Uint8Array(0x20000);

/** Returns the width of a code point by itself. */
function pointColumns(point: number): number {
  if (point < 0x300) return 1;
  if (point >= columnsByPoint.length) return isWide(point) ? 2 : isZeroWidth(point) ? 0 : 1;
  const known = columnsByPoint[point] ?? 0;
  if (known > 0) return known - 1;
  const columns = isWide(point) ? 2 : isZeroWidth(point) ? 0 : 1;
  columnsByPoint[point] = columns + 1;
  return columns;
}

function isZeroWidth(point: number): boolean {
  return zeroWidth.test(String.fromCodePoint(point));
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

/** Code points whose East Asian Width is Wide or Fullwidth (Unicode 17), sorted. A test compares them with another table. */
const wide =
  '1100-115f 231a-231b 2329-232a 23e9-23ec 23f0 23f3 25fd-25fe 2614-2615 2630-2637 2648-2653 267f ' +
  '268a-268f 2693 26a1 26aa-26ab 26bd-26be 26c4-26c5 26ce 26d4 26ea 26f2-26f3 26f5 26fa 26fd 2705 ' +
  '270a-270b 2728 274c 274e 2753-2755 2757 2795-2797 27b0 27bf 2b1b-2b1c 2b50 2b55 2e80-2e99 ' +
  '2e9b-2ef3 2f00-2fd5 2ff0-303e 3041-3096 3099-30ff 3105-312f 3131-318e 3190-31e5 31ef-321e ' +
  '3220-3247 3250-a48c a490-a4c6 a960-a97c ac00-d7a3 f900-faff fe10-fe19 fe30-fe52 fe54-fe66 ' +
  'fe68-fe6b ff01-ff60 ffe0-ffe6 16fe0-16fe4 16ff0-16ff6 17000-18cda 18cff-18d20 18d80-18df2 ' +
  '18e00-19191 191a0-191d2 1aff0-1aff3 1aff5-1affb 1affd-1affe 1b000-1b128 1b132 1b150-1b152 1b155 ' +
  '1b164-1b168 1b170-1b2fb 1d300-1d356 1d360-1d376 1f004 1f0cf 1f18e 1f191-1f19a 1f1ae 1f200-1f202 ' +
  '1f210-1f23b 1f240-1f248 1f250-1f251 1f260-1f265 1f300-1f320 1f32d-1f335 1f337-1f37c 1f37e-1f393 ' +
  '1f3a0-1f3ca 1f3cf-1f3d3 1f3e0-1f3f0 1f3f4 1f3f8-1f43e 1f440 1f442-1f4fc 1f4ff-1f53d 1f54b-1f54e ' +
  '1f550-1f567 1f57a 1f595-1f596 1f5a4 1f5fb-1f64f 1f680-1f6c5 1f6cc 1f6d0-1f6d2 1f6d5-1f6d9 ' +
  '1f6dc-1f6df 1f6eb-1f6ec 1f6f4-1f6fc 1f7da 1f7e0-1f7eb 1f7f0 1f90c-1f93a 1f93c-1f945 1f947-1f9ff ' +
  '1fa70-1fa7c 1fa80-1fac6 1fac8 1facc-1fadd 1fadf-1faeb 1faef-1fafa 20000-2fffd 30000-3fffd';

/** The ranges as first, last, first, last… A constant, not a data file: the first painted frame needs it. */
export const wideRanges: Int32Array = Int32Array.from(
  wide.split(' ').flatMap((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  }),
);
