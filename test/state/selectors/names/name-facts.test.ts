import {expect, test} from 'vitest';
import {nameFacts} from '#state/selectors/names/find-by-name.ts';
import * as eg from '#test/support/state-builders.ts';

test('name facts: a name means a user from the second in which they joined', () => {
  const joinedAt = Date.UTC(2026, 4, 12, 14, 30) / 1000;
  const zoe = eg.user({id: 11, fullName: 'Zoe', dateJoined: '2026-05-12T14:30:00+00:00'});
  const state = eg.state({users: eg.users(zoe)});
  const meaning = (timestamp: number) => nameFacts(state, {content: '@**Zoe**', timestamp}).facts?.users;
  expect(meaning(joinedAt)).toEqual({zoe: 11});
  expect(meaning(joinedAt - 1)).toBeUndefined();
});
