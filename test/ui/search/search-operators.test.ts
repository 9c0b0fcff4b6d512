import {expect, test} from 'vitest';
import {parseSearch} from '#state/selectors/search/parse-search.ts';
import * as eg from '#test/support/state-builders.ts';
import {completionState, labels, offered} from '#test/ui/completion-menu/completion-fixture.ts';
import type {Completion} from '#ui/search/completion.ts';
import {fixedOperands, problemsSoFar, searchOperators, searchProblems} from '#ui/search/search-operands.ts';
import {operands} from '#wire/narrow.ts';

function at(written: string, state = completionState()): Completion | undefined {
  return offered(written, {field: 'search', conversation: undefined}, state);
}

function inserts(written: string): readonly string[] {
  return at(written)?.options.map(({insert}) => insert) ?? [];
}

test('search completion: an empty box offers every operator, with none selected', () => {
  expect(at('|')).toMatchObject({selects: 'none', start: 0, end: 0});
  expect(labels(at('|'))).toEqual(searchOperators.map(({operator}) => `${operator}:`));
  expect(labels(at('hello |'))[0]).toBe('channel:');
});

test('search completion: completes operators, also negated', () => {
  expect(labels(at('chan|'))).toEqual(expect.arrayContaining(['channel:', 'channels:']));
  expect(labels(at('-sen|'))[0]).toBe('-sender:');
});

test('search completion: a word offers the terms it could belong to', () => {
  expect(labels(at('unre|'))).toContain('is:unread');
  expect(labels(at('-image|'))).toContain('-has:image');
  expect(labels(at('ann|'))).toEqual(expect.arrayContaining(['sender:Ann Lee', 'dm:Ann Lee']));
  expect(labels(at('desi|'))).toContain('channel:design');
  expect(labels(at('laun|'))).toContain('topic:launch');
  expect(at('"ann|')).toBeUndefined();
});

test('search completion: operands match the operator', () => {
  expect(inserts('channel:des|')).toEqual(['channel:design ', 'channel:desserts ']);
  expect(inserts('-channel:"secret pl|')).toEqual(['-channel:"secret plans" ']);
  expect(inserts('sender:ann|')).toContain('sender:"Ann Lee" ');
  expect(inserts('sender:m|')[0]).toBe('sender:me ');
  expect(inserts('dm:"Ann Lee,bo|')[0]).toBe('dm:"Ann Lee,Bo Andersson" ');
  expect(inserts('has:im|')).toEqual(['has:image ']);
  expect(inserts('is:|')).toContain('is:starred ');
  expect(at('near:1|')).toBeUndefined();
});

test('search completion: topics of the named channel; else of any, with the channel', () => {
  expect(inserts('channel:design topic:lo|')).toEqual(['topic:logo ', 'topic:"✔ old logo" ']);
  expect(inserts('topic:lint|')).toEqual(['channel:"dev > tools" topic:linters ']);
});

test('search completion: a complete term is not selected again', () => {
  expect(at('is:unread|')?.selects).toBe('none');
  expect(at('channel:design|')?.selects).toBe('none');
  expect(at('channel:desig|')?.selects).toBe('first');
});

test('search completion: every offered term is valid', () => {
  const state = completionState();
  for (const written of [
    'channel:|',
    'topic:|',
    'sender:|',
    'dm:|',
    'is:|',
    'has:|',
    'in:|',
    'channels:|',
    'mentions:|',
  ]) {
    for (const insert of inserts(written)) expect([insert, searchProblems(state, insert)]).toEqual([insert, []]);
  }
});

test('search completion: older servers get no operators they do not know', () => {
  const older = completionState({server: eg.server(120)});
  expect(labels(at('is:|', older))).not.toContain('followed');
  expect(labels(at('|', older))).not.toContain('mentions:');
});

test('search help: every fixed operand has a description', () => {
  const known = Object.entries(operands).flatMap(([operator, texts]) =>
    Object.keys(texts).map((word) => `${operator}:${word}`),
  );
  expect(fixedOperands.map(({operator, operand}) => `${operator}:${operand}`).sort()).toEqual(known.sort());
});

test('search problems: are reported as sentences', () => {
  expect(searchProblems(completionState(), 'is:red')).toEqual([expect.stringContaining('“is:” can be')]);
  expect(searchProblems(completionState(), 'channel:desing')).toEqual([
    expect.stringContaining('Did you mean “design”?'),
  ]);
  expect(parseSearch(completionState(), 'hello').problems).toEqual([]);
});

test.each([
  'fox OR hound',
  'is:unread OR channel:design is:starred',
  'channel:design topic:logo OR sender:"Ann Lee" OR "two words"',
])('search problems: while %j is typed, no key shows a problem', (text) => {
  const state = completionState();
  expect(searchProblems(state, text)).toEqual([]);
  const shown = Array.from(text, (_, at) => problemsSoFar(state, text.slice(0, at + 1)));
  expect(shown.flat()).toEqual([]);
});

test.each(['OR fox', 'fox OR OR hound', 'OR '])('search problems: %j shows while it is typed what OR needs', (text) => {
  expect(problemsSoFar(completionState(), text)[0]).toMatch(/^“OR” needs a search on both sides/);
});
