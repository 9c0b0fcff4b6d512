import type {MathAtom} from '#content/math/math-atom.ts';

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
