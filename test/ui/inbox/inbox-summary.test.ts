import {expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import {conversationKey, topicConversation} from '#state/model/conversation.ts';
import {noUnreads} from '#state/model/unread.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import type {TriageActionKind} from '#ui/inbox/inbox-state.ts';
import {inboxSummary, summaryLines} from '#ui/inbox/inbox-summary.ts';
import type {Snooze} from '#ui/inbox/snooze/snooze.ts';

const now = Date.UTC(2026, 0, 1, 12);
const topics = Array.from({length: 10}, (_, at) => topicConversation(1, `topic ${at}`));
const keyOf = (at: number) => conversationKey(topics[at] ?? topicConversation(1, ''));

interface Done {
  readonly log?: readonly (readonly [TriageActionKind, ...number[]])[];
  readonly snoozes?: readonly Snooze['until'][];
  readonly connection?: 'online' | 'offline';
}

/** The lines of the empty inbox: the first topics are snoozed, and the actions took two minutes. */
function summary({log = [], snoozes = [], connection = 'online'}: Done): readonly string[] {
  const unread = snoozes.map((_, at) => ({
    id: at + 1,
    conversation: topics[at] ?? topicConversation(1, ''),
    isMention: false,
  }));
  const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;
  const account = eg.state({
    connection: connection === 'online' ? {phase: 'online'} : offline,
    channels: eg.byId(eg.channel({id: 1, name: 'web'})),
    subscriptions: eg.subscribed(eg.subscription({channelId: 1})),
    settings: {...eg.state().settings, twentyFourHourTime: true},
    unreads: addUnreads(noUnreads, unread),
  });
  const frame = egFrame({account, now});
  const inbox = {
    ...frame.screen.inbox,
    snoozes: new Map(snoozes.map((until, at) => [keyOf(at), {key: keyOf(at), until, newestId: at + 1, since: 0}])),
    log: log.map(([actionKind, ...done]) => ({actionKind, keys: done.map(keyOf), at: now, undoable: undefined})),
    startedAt: now - 120_000,
  };
  const lines = summaryLines(inboxSummary({...frame, screen: {...frame.screen, inbox}}), 80).map(lineToText);
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

const at = (hour: number) => ({kind: 'time', at: now + 3_600_000 * hour}) as const;

test('inbox summary: with nothing done it says what is snoozed, and since when nothing is unread is known', () => {
  expect(summary({})).toEqual(['Nothing unread.']);
  expect(summary({connection: 'offline'})).toEqual(['Nothing unread as of the last connection.']);
  expect(summary({snoozes: [{kind: 'message'}]})).toEqual([
    'Nothing unread. 1 snoozed (returns with the next message).',
    'next message  #web › topic 0',
  ]);
  expect(summary({snoozes: [at(2), at(1)]})).toEqual([
    'Nothing unread. 2 snoozed (first returns 13:00).',
    '13:00  #web › topic 1',
    '14:00  #web › topic 0',
  ]);
});

test('inbox summary: of many snoozed conversations eight are listed, and the others counted', () => {
  const lines = summary({snoozes: Array.from({length: 10}, (_, hour) => at(hour + 1))});
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe('and 2 more');
  expect(summary({snoozes: Array.from({length: 8}, (_, hour) => at(hour + 1))}).at(-1)).toBe('20:00  #web › topic 7');
});

test('inbox summary: the last decision about a conversation counts, and what was snoozed before is a line of its own', () => {
  const counts = (...log: NonNullable<Done['log']>) => summary({log});
  expect(counts(['done', 0, 1], ['replied', 2])).toEqual(['Inbox zero · 2 min', '3 conversations: 2 done · 1 replied']);
  expect(counts(['snoozed', 0], ['done', 0])[1]).toBe('1 conversation: 1 done');
  expect(counts(['done', 0], ['starred', 0], ['reacted', 1], ['followed', 1])[1]).toBe(
    '2 conversations: 1 done · 1 followed',
  );
  expect(counts(['muted', 0], ['other', 0], ['done', 1])[1]).toBe('1 conversation: 1 done');
  const before = summary({log: [['done', 5]], snoozes: [at(2)]});
  expect(before.slice(1)).toEqual(['1 conversation: 1 done', '1 snoozed (returns 14:00)', '14:00  #web › topic 0']);
  const snoozed = summary({log: [['snoozed', 0]], snoozes: [at(2)]});
  expect(snoozed.slice(1)).toEqual(['1 conversation: 1 snoozed (returns 14:00)', '14:00  #web › topic 0']);
});
