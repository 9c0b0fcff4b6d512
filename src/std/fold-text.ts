/** A text as it is compared: without case, accents and differences that nobody sees. */
export interface FoldedText {
  readonly text: string;
  /** Where each unit stands in the source, and its length last; undefined where both are the same. */
  readonly offsets: readonly number[] | undefined;
}

/** Letters that no decomposition takes apart. */
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
/** Accents, vowel points and the like: what people leave out when they type quickly. */
const marks =
  /[\u0300-\u036f]|[\u0483-\u0489]|[\u0591-\u05c7]|[\u064b-\u065f\u0670]|[\u1ab0-\u1aff]|[\u20d0-\u20f0]|[\ufe00-\ufe0f]/g;
/** ASCII, and the signs that names are put together with. */
const plain = /^[\u0000-\u007f\u00ab\u00b7\u00bb\u2010-\u2027\u2030-\u203b]*$/;

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

/** Taking a character apart costs a hundred times as much as remembering what came of it. */
const known = new Map<string, string>();
const mostKnown = 20_000;

function foldedCharacter(character: string): string {
  let letters = known.get(character);
  if (letters === undefined) {
    const lower = character.normalize('NFKD').replaceAll(marks, '').toLowerCase().replaceAll(marks, '');
    letters = plainLetters[lower] ?? lower;
    if (known.size >= mostKnown) known.clear();
    known.set(character, letters);
  }
  return letters;
}
