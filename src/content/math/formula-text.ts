import {printable} from '#std/printable.ts';
import {atomsText} from './math-atom.ts';
import {TexParser} from './tex-parser.ts';

/** Longer formulas are shown as their source: they are not readable on one line. */
const maxLength = 2000;

/**
 * Returns a TeX formula as one line of text with the same meaning (`x^2` → `x²`, `\frac{a+b}{c}` → `(a+b)/c`); undefined
 * when that is not possible: matrices, cases, several lines, unknown commands, errors.
 */
export function formulaText(tex: string): string | undefined {
  if (tex.length > maxLength || printable(tex) !== tex || /[\p{Cf}\p{Cn}\p{Co}]/u.test(tex)) return undefined;
  const parser = new TexParser(tex);
  const atoms = parser.parseFormula();
  if (parser.failed) return undefined;
  const text = atomsText(atoms, false);
  return text === '' ? undefined : text;
}

/** Returns an inline formula as readable text, or as its source when that is not possible. */
export function inlineFormula(tex: string, isAscii: boolean): string {
  return (isAscii ? undefined : formulaText(tex)) ?? `$$${tex}$$`;
}

/** Returns the lines of a block of formulas, with the blank lines between them. */
export function formulaLines(tex: string, isAscii: boolean): string[] {
  return tex.split('\n\n').flatMap((formula, index) => {
    const readable = isAscii ? undefined : formulaText(formula);
    const lines = readable?.split('\n') ?? formula.split('\n');
    return index === 0 ? lines : ['', ...lines];
  });
}
