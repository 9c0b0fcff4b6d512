import {printable} from '#std/printable.ts';
import {atomsText} from './math-atom.ts';
import {TexParser} from './tex-parser.ts';

/** Longer formulas are not read on one line anyway. */
const longest = 2000;

/**
 * A formula in TeX as a line of text that says the same (`x^2` → `x²`, `\frac{a+b}{c}` → `(a+b)/c`); undefined when that
 * cannot be done faithfully: matrices, cases, several lines, commands that are not known here, errors.
 */
export function formulaText(tex: string): string | undefined {
  if (tex.length > longest || printable(tex) !== tex || /[\p{Cf}\p{Cn}\p{Co}]/u.test(tex)) return undefined;
  const parser = new TexParser(tex);
  const pieces = parser.parseFormula();
  if (parser.failed) return undefined;
  const text = atomsText(pieces, false);
  return text === '' ? undefined : text;
}

/** A formula in the text: readable where that can be done faithfully, else as it was typed. */
export function inlineFormula(tex: string, isAscii: boolean): string {
  return (isAscii ? undefined : formulaText(tex)) ?? `$$${tex}$$`;
}

/** A block of formulas, one line for each, blank lines between them as typed. */
export function formulaLines(tex: string, isAscii: boolean): string[] {
  return tex.split('\n\n').flatMap((formula, index) => {
    const readable = isAscii ? undefined : formulaText(formula);
    const lines = readable?.split('\n') ?? formula.split('\n');
    return index === 0 ? lines : ['', ...lines];
  });
}
