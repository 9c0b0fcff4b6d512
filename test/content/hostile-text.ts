import fc from 'fast-check';
import {expect} from 'vitest';

/** What a terminal obeys, line breaks and tabs included. */
const obeyed = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

export function expectHarmless(text: string): void {
  // Said only when it is so: an expectation costs more than the check.
  if (obeyed.test(text) || !text.isWellFormed()) expect.fail(`obeyed by terminals: ${JSON.stringify(text)}`);
}

/** The same, but of several lines. */
export function expectHarmlessLines(text: string): void {
  expectHarmless(text.replaceAll(/[\n\t]/g, ' '));
}

const evil = fc.constantFrom(
  '\u001b]0;title\u0007',
  '\u001b[2J',
  '\u009b31m',
  '\u0000',
  '\r',
  '\n',
  '\t',
  '\u007f',
  '\u202e',
  '\u2066',
  '\u2028',
  '\ud800',
  '\udc00',
  '\u200d',
  '\ufe0f',
  'İ',
  '👍🏽',
  '漢',
);

/** Text that tries something: controls, lone surrogates, and `parts` of what the code under test gives a meaning. */
export function hostileText(parts: readonly string[] = []): fc.Arbitrary<string> {
  const pieces = [evil, fc.string({unit: 'binary', maxLength: 5}), fc.constantFrom('a', ' ', '1', ...parts)];
  return fc.array(fc.oneof(...pieces), {maxLength: 15}).map((all) => all.join(''));
}

/**
 * That work grows with the length, not with its square: a hundred times the length would be ten thousand times the work,
 * which the runner's patience does not last for. No time is compared: it says nothing on a busy machine.
 */
export function expectLinearTime(work: (length: number) => void, length: number): void {
  work(length * 100);
}
