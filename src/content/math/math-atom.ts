import {type SymbolKind, scriptForm} from './tex-symbols.ts';

/** A part of a formula. Its neighbours decide whether it gets spaces or parentheses. */
export interface MathAtom {
  readonly text: string;
  readonly kind: SymbolKind | 'number' | 'function' | 'words' | 'fraction' | 'space';
  /** The text to use when the next atom would otherwise seem to belong to the last part of this one. */
  readonly wrapped?: string;
  /** The text to use when the atom gets an exponent or index. */
  readonly base?: string;
}

const kindByCharacter: ReadonlyMap<string, MathAtom['kind']> = new Map<string, MathAtom['kind']>([
  ...Array.from('+-*', (character) => [character, 'binary'] as const),
  ...Array.from('=<>:', (character) => [character, 'relation'] as const),
  ...Array.from('([', (character) => [character, 'open'] as const),
  ...Array.from(')]!', (character) => [character, 'close'] as const),
  ...Array.from(',;', (character) => [character, 'punctuation'] as const),
]);

export function characterKind(character: string): MathAtom['kind'] {
  return kindByCharacter.get(character) ?? 'letter';
}

export function isOperatorLike({kind}: MathAtom): boolean {
  return kind === 'binary' || kind === 'relation' || kind === 'punctuation';
}

/** Appends atoms to a list and joins digits to numbers. */
export function appendAtoms(atoms: MathAtom[], more: readonly MathAtom[]): void {
  for (const atom of more) {
    const last = atoms.at(-1);
    const isDigit = atom.kind === 'number' || (atom.text === '.' && atom.kind === 'letter');
    if (last?.kind === 'number' && isDigit && last.wrapped === undefined && /^[0-9.]+$/.test(last.text)) {
      atoms[atoms.length - 1] = {kind: 'number', text: last.text + atom.text};
    } else atoms.push(atom);
  }
}

/** The kinds of atoms that could be mistaken for a part of a fraction or root directly beside them. */
const adjoiningKinds: ReadonlySet<MathAtom['kind']> = new Set([
  'letter',
  'number',
  'words',
  'function',
  'fraction',
  'big',
]);

/** Returns the atoms as one text; `tight` omits the spaces around operators, for fractions and indices. */
export function atomsText(atoms: readonly MathAtom[], tight: boolean): string {
  let out = '';
  let before: MathAtom | undefined;
  for (const [index, atom] of atoms.entries()) {
    const after = atoms[index + 1];
    const isUnary = atom.kind === 'binary' && !isOperand(before);
    const text = atomText(atom, before, after, tight);
    if (atom.kind === 'space') {
      if (!tight && out !== '' && !out.endsWith(' ')) out += atom.text;
      continue;
    }
    const needsSpace = hasSpaceBefore(before, atom, after, tight) && !out.endsWith(' ') && out !== '';
    out += needsSpace ? ` ${text}` : text;
    // A sign belongs to the operand after it.
    before = isUnary ? {text, kind: 'open'} : atom;
  }
  return out.trim();
}

function isOperand(atom: MathAtom | undefined): boolean {
  return atom !== undefined && (atom.kind === 'close' || adjoiningKinds.has(atom.kind)) && atom.kind !== 'big';
}

function atomText(atom: MathAtom, before: MathAtom | undefined, after: MathAtom | undefined, tight: boolean): string {
  if (atom.wrapped === undefined || atom.kind === 'function') return atom.text;
  if (atom.kind === 'big' && !tight) return atom.text; // A space follows.
  const isFollowed = after !== undefined && (after.kind === 'open' || adjoiningKinds.has(after.kind));
  const isPreceded =
    atom.kind === 'fraction' &&
    before !== undefined &&
    (before.text === '÷' || (isOperand(before) && !/^(?:lim|sup|inf|max|min)/.test(before.text)));
  return isFollowed || isPreceded ? atom.wrapped : atom.text;
}

function hasSpaceBefore(
  before: MathAtom | undefined,
  atom: MathAtom,
  after: MathAtom | undefined,
  tight: boolean,
): boolean {
  if (before === undefined) return false;
  // Function names need a space even in tight text: `sin x` is not `sinx`.
  if (before.kind === 'function') return adjoiningKinds.has(atom.kind);
  if (atom.kind === 'function' && isOperand(before)) return true;
  if (tight) return false;
  if (before.kind === 'big') return atom.kind !== 'punctuation' && atom.kind !== 'close';
  if (atom.kind === 'big' && isOperand(before)) return true;
  if (atom.kind === 'relation') return before.kind !== 'relation' && before.kind !== 'open';
  if (before.kind === 'relation') return atom.kind !== 'close' && atom.kind !== 'punctuation';
  if (before.kind === 'binary') return true;
  if (atom.kind === 'binary') return isOperand(before) && after !== undefined;
  if (before.kind === 'punctuation') return atom.kind !== 'close' && atom.kind !== 'punctuation';
  return false;
}

/** Returns the text of a denominator or radicand, in parentheses unless it is simple. */
function asOperand(atoms: readonly MathAtom[]): string {
  const text = atomsText(atoms, true);
  return isSimple(atoms) ? text : `(${text})`;
}

/** Returns the text of a numerator, where a product needs no parentheses. */
function asNumerator(atoms: readonly MathAtom[]): string {
  return isProduct(atoms) ? atomsText(atoms, true) : asOperand(atoms);
}

/** Returns whether the atoms are only letters, numbers and parentheses: `2ab`, `n(n+1)`. */
function isProduct(atoms: readonly MathAtom[]): boolean {
  let open = 0;
  for (const {kind} of atoms) {
    if (kind === 'open') open++;
    else if (kind === 'close') open--;
    else if (open === 0 && kind !== 'letter' && kind !== 'number') return false;
    if (open < 0) return false;
  }
  return open === 0 && atoms.length > 0;
}

function isSimple(atoms: readonly MathAtom[]): boolean {
  const [only, more] = atoms;
  return (
    only !== undefined &&
    more === undefined &&
    (only.kind === 'letter' || only.kind === 'number' || only.kind === 'words') &&
    only.wrapped === undefined
  );
}

/** Returns a fraction such as `1/2` or `(a+b)/c`. */
export function fractionAtom(over: readonly MathAtom[], under: readonly MathAtom[]): MathAtom {
  const text = `${asNumerator(over)}/${asOperand(under)}`;
  return {kind: 'fraction', text, wrapped: `(${text})`, base: `(${text})`};
}

/** Returns the sign of a root; undefined if Unicode has no small form of the index. */
function rootSign(index: string): string | undefined {
  if (index === '3') return '∛';
  if (index === '4') return '∜';
  const raised = scriptForm(index, '^');
  return raised === undefined ? undefined : `${raised}√`;
}

/** Returns a root such as `√x`, `∛(a+b)` or `ⁿ√x`. */
export function rootAtom(degree: readonly MathAtom[], under: readonly MathAtom[]): MathAtom {
  const sign = rootSign(atomsText(degree, true));
  const inside = atomsText(under, true);
  if (sign === undefined) {
    const text = `(${inside})^(1/${asOperand(degree)})`;
    return {kind: 'letter', text, base: `(${text})`};
  }
  const text = `${sign}${asOperand(under)}`;
  return {kind: 'letter', text, wrapped: `${sign}(${inside})`, base: `(${text})`};
}

/** Returns `base` with an index and an exponent: small characters if Unicode has them all, else `x_(…)^(…)`. */
export function withScripts(
  base: MathAtom | undefined,
  low: readonly MathAtom[] | undefined,
  high: readonly MathAtom[] | undefined,
): MathAtom {
  const stem = base?.base ?? base?.text ?? '';
  const lowered = low === undefined ? '' : script(low, '_');
  const raised = high === undefined ? '' : script(high, '^');
  const parenthesized = (text: string): string =>
    text.startsWith('_') || text.startsWith('^') ? inParens(text) : text;
  const text = stem + (raised === '' ? lowered : parenthesized(lowered)) + raised;
  const wrapped = stem + parenthesized(lowered) + parenthesized(raised);
  const kind = base?.kind === 'fraction' || base === undefined || base.kind === 'space' ? 'letter' : base.kind;
  return wrapped === text ? {kind, text} : {kind, text, wrapped};
}

function script(atoms: readonly MathAtom[], mark: '^' | '_'): string {
  const text = atomsText(atoms, true);
  const small = scriptForm(text, mark);
  if (small !== undefined) return small;
  return Array.from(text).length === 1 ? mark + text : `${mark}(${text})`;
}

/** Adds parentheses, unless there are some: `^q` → `^(q)`. */
function inParens(text: string): string {
  return text[1] === '(' && text.length > 2 ? text : `${text.slice(0, 1)}(${text.slice(1)})`;
}
