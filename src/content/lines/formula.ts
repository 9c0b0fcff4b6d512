import {formulaText} from '#content/math/formula-text.ts';

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
