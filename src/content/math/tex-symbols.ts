/** The Unicode characters of TeX commands, as `command character` pairs. */

/** The class of a symbol, which decides about spaces: relations and binary operators get spaces around them. */
export type SymbolKind = 'letter' | 'binary' | 'relation' | 'big' | 'open' | 'close' | 'punctuation';

const letters = `
alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ
lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ
chi χ psi ψ omega ω digamma ϝ
Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
infty ∞ partial ∂ nabla ∇ forall ∀ exists ∃ nexists ∄ emptyset ∅ varnothing ∅ hbar ℏ hslash ℏ ell ℓ Re ℜ Im ℑ wp ℘
aleph ℵ beth ℶ gimel ℷ angle ∠ measuredangle ∡ triangle △ square □ Box □ blacksquare ■ diamond ⋄ Diamond ◊
top ⊤ bot ⊥ neg ¬ lnot ¬ prime ′ degree ° sharp ♯ flat ♭ natural ♮ surd √ imath ı jmath ȷ complement ∁
clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ checkmark ✓ dag † dagger † ddag ‡ ddagger ‡ S § P ¶
ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ dotsc … dotsb ⋯ therefore ∴ because ∵
pounds £ yen ¥ copyright © backslash \\ N ℕ R ℝ Z ℤ
% % # # & & _ _ $ $ mho ℧ eth ð lozenge ◊ bigstar ★ circledR ® circledS Ⓢ hearts ♡
`;

const binaries = `
times × div ÷ pm ± mp ∓ cdot · ast ∗ star ⋆ circ ∘ bullet • cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ lor ∨
wedge ∧ land ∧ setminus ∖ smallsetminus ∖ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ wr ≀ amalg ⨿ ltimes ⋉ rtimes ⋊
barwedge ⊼ veebar ⊻ boxplus ⊞ boxtimes ⊠ boxminus ⊟ dotplus ∔ bigtriangleup △ bigtriangledown ▽
triangleleft ◃ triangleright ▹ Cap ⋒ Cup ⋓ intercal ⊺
`;

const relations = `
le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ ll ≪ gg ≫ lll ⋘ ggg ⋙ leqslant ⩽ geqslant ⩾ lt < gt > equiv ≡ sim ∼ simeq ≃
approx ≈ approxeq ≊ cong ≅ propto ∝ varpropto ∝ doteq ≐ asymp ≍ prec ≺ succ ≻ preceq ⪯ succeq ⪰ lesssim ≲ gtrsim ≳
in ∈ notin ∉ ni ∋ owns ∋ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ nsubseteq ⊈ nsupseteq ⊉
sqsubset ⊏ sqsupset ⊐ sqsubseteq ⊑ sqsupseteq ⊒ mid ∣ nmid ∤ parallel ∥ nparallel ∦ perp ⊥ vdash ⊢ dashv ⊣
models ⊨ vDash ⊨ Vdash ⊩ bowtie ⋈ smile ⌣ frown ⌢ coloneqq ≔ eqqcolon ≕ triangleq ≜ nless ≮ ngtr ≯
nleq ≰ ngeq ≱ ncong ≇ nsim ≁ trianglelefteq ⊴ trianglerighteq ⊵
to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ implies ⟹
impliedby ⟸ iff ⟺ longrightarrow ⟶ longleftarrow ⟵ longleftrightarrow ⟷ Longrightarrow ⟹ Longleftarrow ⟸
Longleftrightarrow ⟺ mapsto ↦ longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ uparrow ↑ downarrow ↓ updownarrow ↕
Uparrow ⇑ Downarrow ⇓ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ rightharpoonup ⇀ rightharpoondown ⇁
leftharpoonup ↼ leftharpoondown ↽ rightleftharpoons ⇌ leftrightharpoons ⇋ rightsquigarrow ⇝ leadsto ⇝ nrightarrow ↛
nleftarrow ↚ nRightarrow ⇏ twoheadrightarrow ↠ rightarrowtail ↣ circlearrowleft ↺ circlearrowright ↻ colon :
`;

const bigs = `
sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ oiint ∯ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ bigoplus ⨁
bigotimes ⨂ bigodot ⨀ biguplus ⨄ bigsqcup ⨆
`;

const opens = 'langle ⟨ lfloor ⌊ lceil ⌈ lbrace { lbrack [ { { lvert | lVert ‖ llbracket ⟦ lparen (';
const closes = 'rangle ⟩ rfloor ⌋ rceil ⌉ rbrace } rbrack ] } } rvert | rVert ‖ rrbracket ⟧ rparen )';
const bars = 'vert | Vert ‖ | ‖';

/** Functions, written with a space before their argument. */
export const functionNames: ReadonlySet<string> = new Set(
  (
    'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth exp log ln lg lim limsup liminf max min sup ' +
    'inf det dim ker hom arg deg gcd Pr mod argmax argmin'
  ).split(' '),
);

interface TexSymbol {
  readonly text: string;
  readonly kind: SymbolKind;
}

export const texSymbols: ReadonlyMap<string, TexSymbol> = new Map([
  ...rows(letters, 'letter'),
  ...rows(bars, 'letter'),
  ...rows(binaries, 'binary'),
  ...rows(relations, 'relation'),
  ...rows(bigs, 'big'),
  ...rows(opens, 'open'),
  ...rows(closes, 'close'),
]);

function rows(table: string, kind: SymbolKind): [string, TexSymbol][] {
  return Array.from(table.matchAll(/(\S+)\s+(\S+)/g), ([, name = '', text = '']) => [name, {text, kind}]);
}

/** Room in TeX; none of it is worth more than a space here. */
export const texSpaces: ReadonlyMap<string, string> = new Map([
  [',', ' '],
  [':', ' '],
  [';', ' '],
  ['>', ' '],
  [' ', ' '],
  ['!', ''],
  ['quad', '  '],
  ['qquad', '    '],
  ['enspace', ' '],
  ['thinspace', ' '],
  ['space', ' '],
]);

/** Combining marks that are put on a single letter. */
export const texAccents: ReadonlyMap<string, string> = new Map([
  ['hat', '\u0302'],
  ['widehat', '\u0302'],
  ['bar', '\u0304'],
  ['vec', '\u20d7'],
  ['dot', '\u0307'],
  ['ddot', '\u0308'],
  ['tilde', '\u0303'],
  ['widetilde', '\u0303'],
  ['check', '\u030c'],
  ['breve', '\u0306'],
  ['acute', '\u0301'],
  ['grave', '\u0300'],
  ['mathring', '\u030a'],
]);

/** Combining marks that are put on every letter of the argument. */
export const texLines: ReadonlyMap<string, string> = new Map([
  ['overline', '\u0305'],
  ['underline', '\u0332'],
]);

/** Commands that only change sizes and positions. */
export const texIgnored: ReadonlySet<string> = new Set(
  'displaystyle textstyle scriptstyle limits nolimits big Big bigg Bigg bigl Bigl bigr Bigr biggl Biggl biggr Biggr'.split(
    ' ',
  ),
);

/** Commands whose argument is text, including its spaces. */
export const texWords: ReadonlySet<string> = new Set(
  'text textrm textit textsf texttt textbf textnormal mbox operatorname'.split(' '),
);

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

type Alphabet = 'double' | 'script' | 'fraktur' | 'bold';

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
