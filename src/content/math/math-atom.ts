import {scriptForm} from './letter-forms.ts';
import type {SymbolKind} from './tex-symbols.ts';

/** A part of a formula. What stands beside it decides about room and parentheses. */
export interface MathAtom {
  readonly text: string;
  readonly kind: SymbolKind | 'number' | 'function' | 'words' | 'fraction' | 'space';
  /** How it is written when something follows that would otherwise seem to belong to its last part. */
  readonly wrapped?: string;
  /** How it is written when it is raised to a power or gets an index. */
  readonly base?: string;
}

const kinds: ReadonlyMap<string, MathAtom['kind']> = new Map<string, MathAtom['kind']>([
  ...Array.from('+-*', (character) => [character, 'binary'] as const),
  ...Array.from('=<>:', (character) => [character, 'relation'] as const),
  ...Array.from('([', (character) => [character, 'open'] as const),
  ...Array.from(')]!', (character) => [character, 'close'] as const),
  ...Array.from(',;', (character) => [character, 'punctuation'] as const),
]);

export function characterKind(character: string): MathAtom['kind'] {
  return kinds.get(character) ?? 'letter';
}

export function isOperatorLike({kind}: MathAtom): boolean {
  return kind === 'binary' || kind === 'relation' || kind === 'punctuation';
}

/** Digits become numbers. */
export function appendAtoms(pieces: MathAtom[], more: readonly MathAtom[]): void {
  for (const piece of more) {
    const last = pieces.at(-1);
    const isDigit = piece.kind === 'number' || (piece.text === '.' && piece.kind === 'letter');
    if (last?.kind === 'number' && isDigit && last.wrapped === undefined && /^[0-9.]+$/.test(last.text)) {
      pieces[pieces.length - 1] = {kind: 'number', text: last.text + piece.text};
    } else pieces.push(piece);
  }
}

/** What may stand directly beside a fraction or a root and be taken for a part of it. */
const clinging: ReadonlySet<MathAtom['kind']> = new Set([
  'letter',
  'number',
  'words',
  'function',
  'fraction',
  'big',
]);

/** The pieces as one text; `tight` leaves out the room around operators, for fractions and indices. */
export function atomsText(pieces: readonly MathAtom[], tight: boolean): string {
  let out = '';
  let before: MathAtom | undefined;
  for (const [index, piece] of pieces.entries()) {
    const after = pieces[index + 1];
    const unary = piece.kind === 'binary' && !isOperand(before);
    const text = fitted(piece, before, after, tight);
    if (piece.kind === 'space') {
      if (!tight && out !== '' && !out.endsWith(' ')) out += piece.text;
      continue;
    }
    const room = hasRoom(before, piece, after, tight) && !out.endsWith(' ') && out !== '';
    out += room ? ` ${text}` : text;
    // A sign is part of what follows it.
    before = unary ? {text, kind: 'open'} : piece;
  }
  return out.trim();
}

function isOperand(piece: MathAtom | undefined): boolean {
  return piece !== undefined && (piece.kind === 'close' || clinging.has(piece.kind)) && piece.kind !== 'big';
}

function fitted(
  piece: MathAtom,
  before: MathAtom | undefined,
  after: MathAtom | undefined,
  tight: boolean,
): string {
  if (piece.wrapped === undefined || piece.kind === 'function') return piece.text;
  if (piece.kind === 'big' && !tight) return piece.text; // A space follows.
  const followed = after !== undefined && (after.kind === 'open' || clinging.has(after.kind));
  const led =
    piece.kind === 'fraction' &&
    before !== undefined &&
    (before.text === '÷' || (isOperand(before) && !/^(?:lim|sup|inf|max|min)/.test(before.text)));
  return followed || led ? piece.wrapped : piece.text;
}

function hasRoom(
  before: MathAtom | undefined,
  piece: MathAtom,
  after: MathAtom | undefined,
  tight: boolean,
): boolean {
  if (before === undefined) return false;
  // Names need it even where there is little room: `sin x` is not `sinx`.
  if (before.kind === 'function') return clinging.has(piece.kind);
  if (piece.kind === 'function' && isOperand(before)) return true;
  if (tight) return false;
  if (before.kind === 'big') return piece.kind !== 'punctuation' && piece.kind !== 'close';
  if (piece.kind === 'big' && isOperand(before)) return true;
  if (piece.kind === 'relation') return before.kind !== 'relation' && before.kind !== 'open';
  if (before.kind === 'relation') return piece.kind !== 'close' && piece.kind !== 'punctuation';
  if (before.kind === 'binary') return true;
  if (piece.kind === 'binary') return isOperand(before) && after !== undefined;
  if (before.kind === 'punctuation') return piece.kind !== 'close' && piece.kind !== 'punctuation';
  return false;
}

/** As the lower part of a fraction, or under a root. */
export function asOperand(pieces: readonly MathAtom[]): string {
  const text = atomsText(pieces, true);
  return isSimple(pieces) ? text : `(${text})`;
}

/** As the upper part of a fraction, where a product needs no parentheses. */
export function asNumerator(pieces: readonly MathAtom[]): string {
  return isProduct(pieces) ? atomsText(pieces, true) : asOperand(pieces);
}

/** Letters, numbers, and whatever is in brackets: `2ab`, `n(n+1)`. */
function isProduct(pieces: readonly MathAtom[]): boolean {
  let open = 0;
  for (const {kind} of pieces) {
    if (kind === 'open') open++;
    else if (kind === 'close') open--;
    else if (open === 0 && kind !== 'letter' && kind !== 'number') return false;
    if (open < 0) return false;
  }
  return open === 0 && pieces.length > 0;
}

export function isSimple(pieces: readonly MathAtom[]): boolean {
  const [only, more] = pieces;
  return (
    only !== undefined &&
    more === undefined &&
    (only.kind === 'letter' || only.kind === 'number' || only.kind === 'words') &&
    only.wrapped === undefined
  );
}

/** `1/2`, `(a+b)/c`. */
export function fractionAtom(over: readonly MathAtom[], under: readonly MathAtom[]): MathAtom {
  const text = `${asNumerator(over)}/${asOperand(under)}`;
  return {kind: 'fraction', text, wrapped: `(${text})`, base: `(${text})`};
}

/** `√x`, `∛(a+b)`, `ⁿ√x`. */
export function rootAtom(degree: readonly MathAtom[], under: readonly MathAtom[]): MathAtom {
  const index = atomsText(degree, true);
  const raised = scriptForm(index, '^');
  const sign = index === '3' ? '∛' : index === '4' ? '∜' : raised === undefined ? undefined : `${raised}√`;
  const inside = atomsText(under, true);
  if (sign === undefined) {
    const text = `(${inside})^(1/${asOperand(degree)})`;
    return {kind: 'letter', text, base: `(${text})`};
  }
  const text = `${sign}${asOperand(under)}`;
  return {kind: 'letter', text, wrapped: `${sign}(${inside})`, base: `(${text})`};
}

/** `base` with an index and an exponent: small characters where Unicode has them all, else `x_(…)^(…)`. */
export function withScripts(
  base: MathAtom | undefined,
  low: readonly MathAtom[] | undefined,
  high: readonly MathAtom[] | undefined,
): MathAtom {
  const stem = base?.base ?? base?.text ?? '';
  const lowered = low === undefined ? '' : script(low, '_');
  const raised = high === undefined ? '' : script(high, '^');
  const long = (text: string): string =>
    text.startsWith('_') || text.startsWith('^') ? inParens(text) : text;
  const text = stem + (raised === '' ? lowered : long(lowered)) + raised;
  const wrapped = stem + long(lowered) + long(raised);
  const kind =
    base?.kind === 'fraction' || base === undefined || base.kind === 'space' ? 'letter' : base.kind;
  return wrapped === text ? {kind, text} : {kind, text, wrapped};
}

function script(pieces: readonly MathAtom[], mark: '^' | '_'): string {
  const text = atomsText(pieces, true);
  const small = scriptForm(text, mark);
  if (small !== undefined) return small;
  return Array.from(text).length === 1 ? mark + text : `${mark}(${text})`;
}

/** `^q` → `^(q)`; what has parentheses keeps them. */
function inParens(text: string): string {
  return text[1] === '(' && text.length > 2 ? text : `${text.slice(0, 1)}(${text.slice(1)})`;
}
