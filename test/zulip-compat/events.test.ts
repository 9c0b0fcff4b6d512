import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {checkMessages, checkUnreads} from '#test/support/state-checks.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {decodeTolerantly} from '#wire/decode-tolerantly.ts';
import {endpoints} from '#wire/endpoints.ts';
import {decodeEvent} from '#wire/events.ts';
import {zulipEvents} from './events.ts';
import {malformedValues, pathsIn, withValueAt} from './malformed-values.ts';
import {firstId, registerResponse, zulipReleaseLevels} from './register.ts';

function stateAt(level: number): AccountState {
  const decoded = decodeTolerantly(endpoints.register.result, registerResponse(level));
  if (!decoded.ok) throw new Error(decoded.reason);
  return stateFromSnapshot(decoded.value, {url: 'https://chat.example.com', now: 1_700_000_010_000});
}

function stateAfter(level: number, raw: readonly unknown[]): AccountState {
  return raw.reduce<AccountState>((state, each) => {
    const event = decodeEvent(each);
    return event.type === 'unknown' ? state : applyEvent(state, event);
  }, stateAt(level));
}

describe.each(zulipReleaseLevels)('events at level %i', (level) => {
  const state = stateAfter(level, zulipEvents(level));

  test.each(zulipEvents(level).map((event) => [[event.type, event.op, event.id].join(' '), event]))(
    'are decoded without loss: %s',
    (_name, raw) => {
      const odd: unknown[] = [];
      const event = decodeEvent(raw, (oddity) => odd.push(oddity));
      expect(event).not.toMatchObject({type: 'unknown'});
      expect(odd.filter((oddity) => !JSON.stringify(oddity).includes('got null'))).toEqual([]);
    },
  );

  test('add messages, also from unknown senders, and move them', () => {
    checkMessages(state.messages);
    checkUnreads(state.unreads);
    // Unsubscribing from the private channel 2 removes its messages.
    expect(state.messages.byId.has(firstId + 500_000)).toBe(false);
    const isRemoval = ({type, op}: {type?: unknown; op?: unknown}) => type === 'subscription' && op === 'remove';
    const subscribed = stateAfter(
      level,
      zulipEvents(level).filter((event) => !isRemoval(event)),
    );
    expect(subscribed.messages.byId.get(firstId + 500_000)).toMatchObject({
      channelId: 2,
      topic: '✔ Trees',
      editedAt: undefined,
      movedAt: 1_700_000_050,
      reactions: [{userId: 77}, {userId: 13, emojiCode: 'zulip'}],
      submessages: [{id: 5}, {id: 6}],
    });
    expect(state.messages.byId.get(firstId + 500_002)).toMatchObject({
      userIds: [11, 88],
      names: {88: 'Person 88'},
      ...(level >= 500 && {content: 'Better', editedAt: 1_700_000_050}),
    });
    expect(state.messages.byId.get(firstId + 500_003)).toMatchObject({userIds: []});
    // Unsubscribing removed those of channel 2; read and deleted messages are removed too.
    expect([...state.unreads.byId.keys()]).toEqual([-9, 5, 7, 500_002, 500_003].map((distance) => firstId + distance));
    expect(state.starred.has(5)).toBe(true);
  });

  test('change the given fields of users', () => {
    expect(state.users.get(14)).toMatchObject({
      fullName: 'Neue Person',
      role: 300,
      timezone: 'Asia/Kolkata',
      email: 'neu@chat.example.com',
      profile: {1: {value: '123'}},
    });
    expect(state.users.get(12)).toMatchObject({isActive: false});
    expect(state.users.get(20)).toMatchObject({botOwnerId: 11});
    expect(state.presences.byUser.get(11)?.activeAt).toBe(1_700_000_100);
    expect(state.statuses.get(11)).toEqual(expect.objectContaining({emojiName: 'pizza'}));
    expect(state.groups.get(9)).toMatchObject({name: 'tree friends'});
  });

  test('change channels and ignore unknown properties', () => {
    expect(state.channels.get(6)).toMatchObject({description: 'New', isPrivate: true, streamPostPolicy: 2});
    expect(state.subscriptions.get(1)).toMatchObject({
      isMuted: true,
      color: '#c2c2c2',
      pushNotifications: null,
    });
    expect(state.channels.has(4)).toBe(false);
    expect(state.subscriptions.get(2)?.isSubscribed).toBe(false);
    expect([...state.defaultChannels]).toEqual([1]);
    expect([...state.userTopics.values()].map(({topic}) => topic)).not.toContain('noise');
  });

  test('change the organization and the user’s own data', () => {
    expect(state.realm).toMatchObject({name: 'Oak People', messageContentEditLimitSeconds: 600});
    expect([...state.emoji.keys()]).toEqual(['3']);
    expect(state.settings).toMatchObject({enterSends: true, defaultLanguage: 'en'});
    expect(state.attachments.get(1)).toMatchObject({createTime: 1_700_000_000, messageIds: [firstId]});
    expect([...state.drafts.keys()]).toEqual([7, 9]);
    expect(state.videoTokens).toMatchObject({zoom: true});
  });
});

test('Zulip events: an invalid value drops only its part of the event or the event, and no applier throws', () => {
  const levels = zulipReleaseLevels.map((level) => ({
    level,
    events: zulipEvents(level),
    state: stateAt(level),
  }));
  fc.assert(
    fc.property(
      fc.nat(levels.length - 1).chain((which) =>
        fc.nat((levels[which]?.events.length ?? 1) - 1).chain((index) =>
          fc.record({
            which: fc.constant(which),
            index: fc.constant(index),
            path: fc.constantFrom(...pathsIn(levels[which]?.events[index])),
            odd: fc.constantFrom(...malformedValues),
          }),
        ),
      ),
      ({which, index, path, odd}) => {
        const {events = [], state} = levels[which] ?? {};
        const [first, raw] = [events[0], events[index]];
        if (state === undefined || first === undefined || raw === undefined) throw new Error('no such event');
        const decoded = [first, withValueAt(raw, path, odd)].map((each) => decodeEvent(each));
        const end = decoded.reduce(
          (before, event) => (event.type === 'unknown' ? before : applyEvent(before, event)),
          state,
        );
        checkMessages(end.messages);
        checkUnreads(end.unreads);
      },
    ),
    {numRuns: fewOrAll(375, 1500)},
  );
});
