import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {checkUnreads} from '#test/support/state-checks.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {decodeTolerantly} from '#wire/decode-tolerantly.ts';
import {endpoints} from '#wire/endpoints.ts';
import {decode} from '#wire/schema.ts';
import {malformedValues, pathsIn, withValueAt} from './malformed-values.ts';
import {firstId, registerResponse, zulipReleaseLevels} from './register.ts';

const schema = endpoints.register.result;

function stateOf(answer: unknown): AccountState {
  const decoded = decodeTolerantly(schema, answer);
  if (!decoded.ok) throw new Error(decoded.reason);
  return stateFromSnapshot(decoded.value, {url: 'https://chat.example.com', now: 1_700_000_010_000});
}

describe.each(zulipReleaseLevels)('a registration at level %i', (level) => {
  const state = stateOf(registerResponse(level));

  test('is decoded without loss, also in strict mode', () => {
    const answer = registerResponse(level);
    const decoded = decodeTolerantly(schema, answer);
    expect(decoded.issues.recorded).toEqual([]);
    expect(decoded).toMatchObject({ok: true});
    expect(decode(schema, answer)).toMatchObject({ok: true});
  });

  test('has level and URL under their public names', () => {
    expect(state.server).toMatchObject({level, extraEmojiType: 'zulip_extra_emoji'});
    expect(state.server.version).toMatch(/^\d+\.\d+/);
    expect(state.realm.url).toBe('https://chat.example.com');
    expect(state.self.userId).toBe(10);
  });

  test('marks users as active by the list that contains them', () => {
    const active = [...state.users.values()].filter(({isActive}) => isActive).map(({id}) => id);
    expect(active).toEqual([3, 4, 10, 11, 12, 13, 20, 21]);
    expect(state.users.get(30)).toMatchObject({isActive: false, fullName: 'Left Long Ago', role: 400});
    expect(state.users.get(4)).toMatchObject({isSystemBot: true, isBot: true, isActive: true});
    expect(state.users.get(20)).toMatchObject({isBot: true, botOwnerId: 10, deliveryEmail: undefined});
    expect(state.users.get(10)?.profile['6']).toEqual({value: '[11,12]', renderedValue: undefined});
  });

  test('has the channels, including archived ones', () => {
    expect(state.channels.get(2)).toMatchObject({name: 'Größe & Gewicht', isPrivate: true});
    expect(state.subscriptions.get(2)).toMatchObject({isMuted: true, isSubscribed: true});
    expect(state.subscriptions.get(3)).toMatchObject({isSubscribed: false, pinToTop: true});
    expect(state.channels.get(5)?.isArchived).toBe(level >= 315 ? true : undefined);
    expect([...state.defaultChannels]).toEqual([1, 4]);
    expect(state.channels.get(1)?.subscriberCount).toBe(3);
  });

  test('counts unread messages, merges spellings of a topic and skips unreadable channels', () => {
    expect([...state.unreads.byId.keys()]).toEqual(
      [1, 2, 3, 5, 7, 90_001, 400_000].map((distance) => firstId + distance),
    );
    expect([...state.unreads.mentions]).toEqual([firstId + 3, firstId + 400_000]);
    const topics = [...state.unreads.conversations.values()].map(({conversation, ids}) => [
      conversation.kind === 'topic' ? conversation.topic : conversation.userIds,
      ids.size,
    ]);
    expect(topics).toContainEqual(['trees', 2]);
    expect(topics).toContainEqual([[11, 77], 1]);
    expect(topics).toContainEqual([level >= 334 ? '' : '(no topic)', 2]);
    expect(state.unreads.oldMissing).toBe(true);
  });

  test('reads the remaining state in the level’s format', () => {
    expect([...state.userTopics.values()]).toContainEqual(
      expect.objectContaining({channelId: 1, topic: 'noise', policy: 1}),
    );
    expect(state.linkifiers[0]?.urlTemplate).toMatch(/^https:\/\/tickets\.example\/\{\+?nr\}$/);
    expect(state.playgrounds[0]?.urlTemplate).toBe('https://play.example/?code={code}');
    expect(state.realm).toMatchObject({
      topicsPolicy: 'disable_empty_topic',
      messageContentEditLimitSeconds: null,
      messageEditHistoryVisibilityPolicy: level >= 358 ? 'moves' : 'none',
      newStreamAnnouncementsStreamId: 1,
    });
    expect(state.server.serverJitsiServerUrl).toBe('https://meet.jit.si');
    expect(state.presences.byUser.get(12)?.idleAt).toBe(1_699_999_000);
    expect(state.presences.serverOffset).toBeCloseTo(0.652);
    expect([...state.drafts.values()].map(({target}) => target.kind)).toEqual(['topic', 'none']);
    expect(state.emoji.get('2')).toMatchObject({name: 'dance', deactivated: true});
    expect(state.directs.size).toBe(3);
    expect(state.statuses.has(12)).toBe(true);
    expect(state.groups.get(2)).toMatchObject({name: 'role:members', isSystemGroup: true});
    expect(state.groups.get(9)).toMatchObject({name: 'tree lovers', isDeactivated: false});
  });
});

test('registration: one invalid value drops at most its record', () => {
  const responses = zulipReleaseLevels.map((level) => registerResponse(level));
  const states = responses.map(stateOf);
  const paths = responses.map((answer) =>
    pathsIn(answer).filter(([top = '']) => !['queue_id', 'last_event_id', 'result', 'msg'].includes(top)),
  );
  const sizes = (state: AccountState) => [
    state.users.size,
    state.channels.size,
    state.subscriptions.size,
    state.groups.size,
    state.unreads.conversations.size,
    state.userTopics.size,
    state.drafts.size,
    state.emoji.size,
    state.presences.byUser.size,
  ];
  fc.assert(
    fc.property(
      fc.nat(responses.length - 1).chain((which) =>
        fc.record({
          which: fc.constant(which),
          path: fc.constantFrom(...(paths[which] ?? [])),
          odd: fc.constantFrom(...malformedValues),
        }),
      ),
      ({which, path, odd}) => {
        const [answer, whole] = [responses[which], states[which]];
        if (answer === undefined || whole === undefined) throw new Error('no such answer');
        const state = stateOf(withValueAt(answer, path, odd));
        checkUnreads(state.unreads);
        if (path.length < 3 || path[0] === 'unread_msgs') return;
        // Deeper than a whole block, so at most one record of each kind is dropped.
        const lost = sizes(whole).map((size, i) => size - (sizes(state)[i] ?? 0));
        for (const count of lost) expect(count).toBeLessThanOrEqual(path[0] === 'subscriptions' ? 4 : 1);
      },
    ),
    {numRuns: fewOrAll(120, 1000)},
  );
});

test('registration: one invalid user among 20,000 is dropped and reported, the others stay', () => {
  const answer = registerResponse(500);
  const [model] = answer.realm_users as object[];
  const crowd = Array.from({length: 20_000}, (_, i) => ({...model, user_id: 1000 + i}));
  Object.assign(crowd[7] ?? {}, {full_name: null});
  Object.assign(crowd[9] ?? {}, {role: 'boss', timezone: 3.5});
  const decoded = decodeTolerantly(schema, {...answer, realm_users: crowd});
  expect(decoded.issues.recorded).toEqual([
    {path: 'realm_users[7].full_name', reason: 'expected a text, got null'},
    {path: 'realm_users[9].role', reason: 'expected a whole number, got a string'},
    {path: 'realm_users[9].timezone', reason: 'expected a text, got a number'},
  ]);
  const state = stateOf({...answer, realm_users: crowd});
  expect(state.users.has(1007)).toBe(false);
  expect(state.users.get(1009)).toMatchObject({role: 400, timezone: ''});
  expect(state.users.size).toBeGreaterThanOrEqual(19_999);
});
