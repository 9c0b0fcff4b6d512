import fc from 'fast-check';
import {expect} from 'vitest';
import {anyText} from '#test/support/any-text.ts';

/** Control characters that change a terminal's state, including line breaks and tabs. */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

export function expectHarmless(text: string): void {
  // Fails by hand, because an expectation costs more than the check.
  if (controls.test(text) || !text.isWellFormed()) expect.fail(`contains control characters: ${JSON.stringify(text)}`);
}

/** Like `expectHarmless`, but allows line breaks and tabs. */
export function expectHarmlessLines(text: string): void {
  expectHarmless(text.replaceAll(/[\n\t]/g, ' '));
}

const hostileParts = fc.constantFrom(
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

/** Generates hostile text: control characters, lone surrogates, and `parts` of the syntax under test. */
export function hostileText(parts: readonly string[] = []): fc.Arbitrary<string> {
  const pieces = [hostileParts, anyText(5), fc.constantFrom('a', ' ', '1', ...parts)];
  return fc.array(fc.oneof(...pieces), {maxLength: 15}).map((all) => all.join(''));
}

/**
 * Checks that work is linear in the length: with quadratic work, a hundred times the length would take ten thousand times as
 * long, which exceeds the test's timeout. Times are not compared, because they vary on a busy machine.
 */
export function expectLinearTime(work: (length: number) => void, length: number): void {
  work(length * 100);
}
