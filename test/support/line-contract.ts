import {type AnsiCode, reduceAnsiCodes, tokenize} from '@alcalzone/ansi-tokenize';
import stringWidth from 'string-width';
import {expect} from 'vitest';

const codes = /\u001b\[[\d;]+m|\u001b\]8;[^;\u0007\u001b]*;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/**
 * Checks the contract of painted pane lines: no wider than the pane, every opened style is closed, no style of others is
 * ended, and no other control characters.
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
  const tokens = tokenize(line).filter((token): token is AnsiCode => token.type === 'ansi');
  return reduceAnsiCodes(tokens).map(({code}) => code);
}
