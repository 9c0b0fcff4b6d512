import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {literalPattern} from './json-text.ts';
import type {LineDifference} from './replay-recording.ts';

type Patterns = Partial<Pick<LineDifference, 'request' | 'class' | 'at' | 'real' | 'here'>> & {readonly file?: string};
/** A deliberate difference: all given patterns match, in which `*` stands for any text and `?` for any character. */
type ExpectedDifference = Patterns & {readonly decidedBy: string; readonly reason: string};

/** Who can decide that a difference stays. `the recording` is what was recorded or is replayed in another way. */
export const deciders: readonly string[] = [
  'the description of the service',
  'the contract of events',
  'privacy',
  'safety',
  'this server does not offer it',
  'the recording',
];

export const expected: readonly ExpectedDifference[] = JSON.parse(
  readFileSync(pathOf('expected-differences.json'), 'utf8'),
);
const knownFile = pathOf('different-lines.json');

function pathOf(name: string): string {
  return join(import.meta.dirname, name);
}

/** Returns the differences that are not deliberate. */
export function unexpected(differences: readonly LineDifference[]): LineDifference[] {
  return differences.filter((difference) => !expected.some((rule) => matches(rule, difference)));
}

function matches({file, ...patterns}: ExpectedDifference, difference: LineDifference): boolean {
  const fields = ['request', 'class', 'at', 'real', 'here'] as const;
  const isMatch = (pattern: string | undefined, text: string) => pattern === undefined || glob(pattern).test(text);
  return isMatch(file, difference.area) && fields.every((field) => isMatch(patterns[field], difference[field]));
}

function glob(pattern: string): RegExp {
  return new RegExp(`^${literalPattern(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.')}$`, 's');
}

/** Returns the lines of these differences, ascending. */
export function linesOf(differences: readonly LineDifference[]): number[] {
  return [...new Set(differences.map(({line}) => line))];
}

/** Returns the lines of each area that differ today, although they should not. */
export function readKnownLines(): Record<string, readonly number[]> {
  const texts: Record<string, string> = JSON.parse(readFileSync(knownFile, 'utf8'));
  return Object.fromEntries(Object.entries(texts).map(([area, lines]) => [area, lines.split(' ').map(Number)]));
}

/** Writes one line of text for each area. */
export function writeKnownLines(lines: Readonly<Record<string, readonly number[]>>): void {
  const areas = Object.entries(lines).filter(([, list]) => list.length > 0);
  const texts = areas.sort(([a], [b]) => (a < b ? -1 : 1)).map(([area, list]) => [area, list.join(' ')]);
  writeFileSync(knownFile, `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`);
}

export function differenceText({area, line, request, class: kind, at, real, here}: LineDifference): string {
  return `${area}:${line} ${request} | ${kind} ${at} | ${real} | ${here}`;
}
