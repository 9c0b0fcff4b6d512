import {type AnsiCode, reduceAnsiCodes, tokenize} from '@alcalzone/ansi-tokenize';
import stringWidth from 'string-width';
import {expect} from 'vitest';

const codes = /\u001b\[[\d;]+m|\u001b\]8;[^;\u0007\u001b]*;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/**
 * What every painted line of a pane keeps to: it is no wider than the pane, it opens nothing that it does not close, it ends
 * nothing that is not its own, and it holds nothing else that a terminal obeys.
 */
export function assertLineContract(lines: readonly string[], width: number): void {
  for (const line of lines) {
    expect(line, 'ends the styles of others').not.toMatch(/\u001b\[(?:0*;)*0*m/);
    expect(line.replaceAll(codes, ''), 'holds control characters').not.toMatch(/\p{Cc}/u);
    expect(stillOpen(line), `leaves styles open: ${JSON.stringify(line)}`).toEqual([]);
    expect(stringWidth(line), `is wider than ${width}: ${JSON.stringify(line)}`).toBeLessThanOrEqual(width);
  }
}

function stillOpen(line: string): string[] {
  const given = tokenize(line).filter((token): token is AnsiCode => token.type === 'ansi');
  return reduceAnsiCodes(given).map(({code}) => code);
}
