/** Unicode letters in other forms: superscript, subscript, double-struck, script, Fraktur, bold. */

const superscripts = pairs(
  '0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻ' +
    'AᴬBᴮDᴰEᴱGᴳHᴴIᴵJᴶKᴷLᴸMᴹNᴺOᴼPᴾRᴿTᵀUᵁVⱽWᵂβᵝγᵞδᵟθᶿϕᵠχᵡ′′″″‴‴**∗*∘°††‡‡⊤ᵀ',
);
const subscripts = pairs('0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓβᵦγᵧρᵨϕᵩχᵪ');

function pairs(table: string): ReadonlyMap<string, string> {
  const characters = Array.from(table);
  const map = new Map<string, string>();
  for (let i = 0; i + 1 < characters.length; i += 2) map.set(characters[i] ?? '', characters[i + 1] ?? '');
  return map;
}

/** Returns the text as superscript (`^`) or subscript (`_`); undefined when a character has no such form. */
export function scriptForm(text: string, script: '^' | '_'): string | undefined {
  const table = script === '^' ? superscripts : subscripts;
  let out = '';
  for (const character of text) {
    const small = table.get(character);
    if (small === undefined) return undefined;
    out += small;
  }
  return out;
}

export type Alphabet = 'double' | 'script' | 'fraktur' | 'bold';

/** The first code points of each alphabet: capitals, small letters, digits. */
const starts: Readonly<Record<Alphabet, readonly [number, number, number | undefined]>> = {
  double: [0x1d538, 0x1d552, 0x1d7d8],
  script: [0x1d49c, 0x1d4b6, undefined],
  fraktur: [0x1d504, 0x1d51e, undefined],
  bold: [0x1d400, 0x1d41a, 0x1d7ce],
};

/** Letters outside their alphabet's block, because Unicode already had them. */
const exceptions: Readonly<Record<Alphabet, ReadonlyMap<string, string>>> = {
  double: pairs('CℂHℍNℕPℙQℚRℝZℤ'),
  script: pairs('BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ'),
  fraktur: pairs('CℭHℌIℑRℜZℨ'),
  bold: new Map(),
};

export const alphabetCommands: ReadonlyMap<string, Alphabet> = new Map([
  ['mathbb', 'double'],
  ['Bbb', 'double'],
  ['mathcal', 'script'],
  ['mathscr', 'script'],
  ['mathfrak', 'fraktur'],
  ['mathbf', 'bold'],
  ['boldsymbol', 'bold'],
  ['bm', 'bold'],
]);

/** Returns the text in an alphabet; characters without such a form stay as they are. */
export function inAlphabet(text: string, alphabet: Alphabet): string {
  let out = '';
  for (const character of text) out += exceptions[alphabet].get(character) ?? shifted(character, alphabet);
  return out;
}

function shifted(character: string, alphabet: Alphabet): string {
  const [capitals, smalls, digits] = starts[alphabet];
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x41 && code <= 0x5a) return String.fromCodePoint(capitals + code - 0x41);
  if (code >= 0x61 && code <= 0x7a) return String.fromCodePoint(smalls + code - 0x61);
  if (code >= 0x30 && code <= 0x39 && digits !== undefined) return String.fromCodePoint(digits + code - 0x30);
  return character;
}
