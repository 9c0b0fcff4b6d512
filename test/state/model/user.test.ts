import fc from 'fast-check';
import {expect, test} from 'vitest';
import {foldName, type User, usersFrom, usersFromText, usersFromWire} from '#state/model/user.ts';
import {anyText} from '#test/support/any-text.ts';
import * as eg from '#test/support/state-builders.ts';
import {fewOrAll} from '#test/support/tier.ts';

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, {nil: undefined});
const text = fc.oneof(fc.string(), anyText());
const ordinary = {noNullPrototype: true};
const profileValue = fc.record({value: text, renderedValue: maybe(text)}, ordinary);
const address = fc.constantFrom('a@example.com', 'b@example.com');
const fields = {
  id: fc.nat(),
  fullName: text,
  email: address,
  deliveryEmail: maybe(address),
  role: fc.constantFrom(100, 400, 600),
  isActive: fc.boolean(),
  isBot: fc.boolean(),
  isSystemBot: fc.boolean(),
  botType: maybe(fc.nat()),
  botOwnerId: maybe(fc.nat()),
  timezone: text,
  dateJoined: maybe(text),
  isImportedStub: fc.boolean(),
  isDeleted: fc.boolean(),
  profile: fc.dictionary(fc.nat().map(String), profileValue, ordinary),
};
const anyUser: fc.Arbitrary<User> = fc.record(fields, ordinary);

test('users: every field of a user is the same after packing, and after saving', () => {
  fc.assert(
    fc.property(anyUser, (user) => {
      const users = usersFrom([user]);
      expect(users.get(user.id)).toStrictEqual(user);
      expect(usersFromText(Buffer.from(users.toBytes()).toString())?.get(user.id)).toStrictEqual(user);
    }),
    {numRuns: fewOrAll(50, 200)},
  );
});

test('users: a user has the profile fields that the server sent', () => {
  const profile = {'1': {value: '+4712', rendered_value: '<p>+4712</p>'}, '2': {value: 'Oslo'}};
  expect(usersFromWire([eg.wireUser({user_id: 12, profile_data: profile})]).get(12)?.profile).toEqual({
    '1': {value: '+4712', renderedValue: '<p>+4712</p>'},
    '2': {value: 'Oslo', renderedValue: undefined},
  });
});

test('users: a registration without changes keeps the known users', () => {
  const records = [eg.wireUser({user_id: 12}), eg.wireUser({user_id: 11, full_name: 'Möwe'})];
  const known = usersFromWire(records);
  expect(usersFromWire(structuredClone(records), known)).toBe(known);
  const renamed = usersFromWire([eg.wireUser({user_id: 12, full_name: 'Ida'}), eg.wireUser({user_id: 11})], known);
  expect(renamed.get(12)?.fullName).toBe('Ida');
});

test('users: names are folded alike, whether their letters have one form in Unicode or several', () => {
  const slowly = (name: string) => name.trim().replaceAll(/\s+/g, ' ').normalize('NFC').toLowerCase();
  fc.assert(fc.property(text, (name) => foldName(name) === slowly(name)));
  for (let code = 0; code < 0x10000; code++) {
    const name = `A${String.fromCharCode(code)} B`;
    if (foldName(name) !== slowly(name)) expect.fail(`U+${code.toString(16)}`);
  }
  for (const mark of ['\u0301', '\u0327', '\u3099', '\u11a8', '\u1161', '\u0345']) {
    for (const letter of ['e', 'é', 'か', '가', 'ᄀ', 'ß', 'İ'])
      expect(foldName(letter + mark)).toBe(slowly(letter + mark));
  }
});
