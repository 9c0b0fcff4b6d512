import {LruCache, objectBytes} from './lru-cache.ts';

/** A text normalized for search: without case, accents and invisible differences. */
interface FoldedText {
  readonly text: string;
  /** The source offset of each unit, then the source's length; undefined when all offsets are equal. */
  readonly offsets: readonly number[] | undefined;
}

/** Letters that Unicode does not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};
/** Accents, vowel points and other marks that users often do not type, and the isolates of composed texts. */
const marks =
  /[\u0300-\u036f]|[\u0483-\u0489]|[\u0591-\u05c7]|[\u064b-\u065f\u0670]|[\u1ab0-\u1aff]|[\u20d0-\u20f0]|[\ufe00-\ufe0f\u2068\u2069]/g;
/** ASCII and common punctuation: text that only needs lower case. */
const plain = /^[\u0000-\u007f\u00ab\u00b7\u00bb\u2010-\u2027\u2030-\u203b]*$/;

/** Normalizes a text for search and keeps track of the source offsets. */
export function foldText(source: string): FoldedText {
  if (plain.test(source)) return {text: source.toLowerCase(), offsets: undefined};
  const offsets: number[] = [];
  let text = '';
  let at = 0;
  let isShifted = false;
  for (const character of source) {
    const letters = foldedCharacter(character);
    for (let unit = 0; unit < letters.length; unit += 1) offsets.push(at);
    isShifted ||= letters.length !== 1 || character.length !== 1;
    text += letters;
    at += character.length;
  }
  offsets.push(at);
  return {text, offsets: isShifted ? offsets : undefined};
}

/** Folded characters; normalizing one takes a hundred times as long as looking it up. */
const foldedByCharacter = new LruCache<string, string>(512 * 1024, () => 2 * objectBytes);

function foldedCharacter(character: string): string {
  return foldedByCharacter.getOrCompute(character, () => {
    const lower = character.normalize('NFKD').replaceAll(marks, '').toLowerCase().replaceAll(marks, '');
    return plainLetters[lower] ?? lower;
  });
}
