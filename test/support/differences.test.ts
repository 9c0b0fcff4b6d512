import {isDeepStrictEqual} from 'node:util';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {differences, expectSame} from './differences.ts';

test('differences: each place is one line, with the ids of list items and the keys of pairs', () => {
  const here = {
    unread: [
      [4, 'a'],
      [7, 'b'],
    ],
    users: [{id: 1, name: 'Meg'}],
    tabs: ['a', 'b'],
  };
  const there = {
    unread: [
      [7, 'c'],
      [9, 'd'],
    ],
    users: [{id: 1, name: 'Otto'}],
    tabs: ['b', 'a'],
  };
  expect(differences(here, there)).toEqual([
    'unread.4: "a", expected nothing',
    'unread.7: "b", expected "c"',
    'unread.9: nothing, expected "d"',
    'users.1.name: "Meg", expected "Otto"',
    'tabs: another order: a,b, expected b,a',
  ]);
  expect(differences([3, 5], [5, 8])).toEqual(['3: 3, expected nothing', '8: nothing, expected 8']);
});

test('differences: there is one exactly when the values are not equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(differences(one, one)).toEqual([]);
      expect(differences(one, other).length > 0).toBe(!isDeepStrictEqual(one, other));
    }),
  );
});

test('same values: a failure begins with what differs, also in a large value and in a property', () => {
  const large = Object.fromEntries(Array.from({length: 500}, (_, index) => [`key${index}`, index]));
  const failure = () => expectSame({...large, key250: 'x'}, large, 'after the action');
  expect(failure).toThrow(/^different from what is expected\n {2}key250: "x", expected 250\n {2}after the action$/);
  const property = () => fc.assert(fc.property(fc.constant(large), (value) => expectSame({...value, key7: 0}, large)));
  expect(property).toThrow(/^different from what is expected\n {2}key7: 0, expected 7/);
});
