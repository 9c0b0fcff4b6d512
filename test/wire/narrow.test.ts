import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  narrow,
  normalizeTerm,
  type Operator,
  operatorName,
  operators,
  splitDateTerms,
  termForLevel,
} from '#wire/narrow.ts';
import {decode} from '#wire/schema.ts';

describe('narrow terms', () => {
  test('are objects or pairs of operator and operand', () => {
    const terms = [{operator: 'channel', operand: 3, negated: true}, ['topic', 'x'], {operator: 'dm', operand: [1, 2]}];
    expect(decode(narrow, terms)).toEqual({ok: true, value: terms});
    expect(decode(narrow, [{operator: 'topic'}]).ok).toBe(false);
  });

  test.each([
    [
      {operator: 'stream', operand: 'design'},
      {operator: 'channel', operand: 'design'},
    ],
    [
      {operator: 'subject', operand: 'x', negated: true},
      {operator: 'topic', operand: 'x', negated: true},
    ],
    [
      {operator: 'is', operand: 'private', negated: false},
      {operator: 'is', operand: 'dm'},
    ],
    [
      {operator: 'telepathy', operand: 'x'},
      {operator: 'telepathy', operand: 'x'},
    ],
  ])('%j is normalized to current names', (typed, expected) => {
    expect(normalizeTerm(typed)).toEqual(expected);
  });

  test('a pair becomes an object', () => {
    expect(normalizeTerm(['pm-with', 'a@b.example'])).toEqual({operator: 'dm', operand: 'a@b.example'});
  });

  test('normalizing twice equals normalizing once', () => {
    const names = Object.keys(operators).flatMap((name) => [name, ...operators[name as Operator].aliases]);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.oneof(fc.string(), fc.nat()), (operator, operand) => {
        const once = normalizeTerm({operator, operand});
        expect(normalizeTerm(once)).toEqual(once);
        expect(operatorName(once.operator)).toBe(once.operator);
      }),
    );
  });

  test('are converted to the names of an older server', () => {
    expect(termForLevel({operator: 'channel', operand: 3}, 249).operator).toBe('stream');
    expect(termForLevel({operator: 'channel', operand: 3}, 250).operator).toBe('channel');
    expect(termForLevel({operator: 'dm', operand: [3]}, 122).operator).toBe('pm-with');
    expect(termForLevel({operator: 'is', operand: 'dm'}, 176).operand).toBe('private');
    expect(termForLevel({operator: 'telepathy', operand: 5}, 122)).toEqual({
      operator: 'telepathy',
      operand: 5,
    });
  });

  test('the id of a message is sent as text at every level', () => {
    for (const operator of ['id', 'near']) {
      for (const level of [122, 193, 194, 509]) {
        expect(termForLevel({operator, operand: 5}, level).operand).toBe('5');
      }
    }
  });

  test('converting to an older level and normalizing gives the original term', () => {
    fc.assert(
      fc.property(fc.constantFrom('channel', 'channels', 'dm', 'topic', 'sender'), fc.nat(509), (operator, level) => {
        const terms = {operator, operand: 'x'};
        expect(normalizeTerm(termForLevel(terms, level))).toEqual(terms);
      }),
    );
  });
});

test('date terms: of several bounds the closest ones count, and what is not after a date is before it', () => {
  const term = (operator: string, operand: number, negated = false) => ({operator, operand, negated});
  const search = {operator: 'search', operand: 'tea'};
  const dates = [term('after', 20), term('after', 10), term('before', 40), term('before', 50)];
  expect(splitDateTerms([search, ...dates])).toEqual({terms: [search], bounds: {after: 20, before: 40}});
  expect(splitDateTerms([term('after', 30, true), term('before', 5, true)]).bounds).toEqual({after: 5, before: 30});
  expect(splitDateTerms([search]).bounds).toBeUndefined();
});
