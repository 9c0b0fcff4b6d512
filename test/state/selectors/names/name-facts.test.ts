import {expect, test} from 'vitest';
import {nameFacts, withSpellings} from '#state/selectors/names/find-by-name.ts';
import * as eg from '#test/support/state-builders.ts';

test('name facts: a name means a user from the second in which they joined', () => {
  const joinedAt = Date.UTC(2026, 4, 12, 14, 30) / 1000;
  const zoe = eg.user({id: 11, fullName: 'Zoe', dateJoined: '2026-05-12T14:30:00+00:00'});
  const state = eg.state({users: eg.users(zoe)});
  const meaning = (timestamp: number) => nameFacts(state, {content: '@**Zoe**', timestamp}).facts?.users;
  expect(meaning(joinedAt)).toEqual({zoe: 11});
  expect(meaning(joinedAt - 1)).toBeUndefined();
});

test('name facts: what the server rendered gets the other spellings of its names in the text, and no other names', () => {
  const names = {users: {'|11': 11, zoe: 12}, channels: {general: 1}};
  expect(withSpellings({users: {zoe: 11}, groups: {crew: 3}}, names)).toEqual({
    users: {'|11': 11, zoe: 11},
    groups: {crew: 3},
  });
});
