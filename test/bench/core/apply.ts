import {applyEvent} from '#state/apply-event.ts';
import type {StateEvent} from '#state/local-events.ts';
import type {Message} from '#state/model/message.ts';
import {everythingNarrow, topicNarrow} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {printTable, summary} from '#test/bench/table.ts';
import * as eg from '#test/support/state-builders.ts';

interface Size {
  readonly messages: number;
  readonly users: number;
  readonly unread: number;
}

const small: Size = {messages: 1000, users: 1000, unread: 1000};
const big: Size = {messages: 100_000, users: 50_000, unread: 50_000};
const channelCount = 100;
const topicCount = 20;
const openTopics = 20;

function placeOf(id: number): {channelId: number; topic: string} {
  return {channelId: 1 + (id % channelCount), topic: `topic ${Math.floor(id / channelCount) % topicCount}`};
}

function loadedMessages(count: number): Message[] {
  return Array.from({length: count}, (_, index) =>
    eg.message({
      id: index + 1,
      senderId: 100 + (index % 50),
      content: `message ${index}`,
      ...placeOf(index + 1),
    }),
  );
}

/** Opens many views and twenty topics, so that updating views is part of the cost. */
function loaded(size: Size): AccountState {
  const channels = Array.from({length: channelCount}, (_, index) => index + 1);
  const before = eg.state({
    users: eg.users(...Array.from({length: size.users}, (_, index) => eg.user({id: 10 + index}))),
    channels: eg.byId(...channels.map((id) => eg.channel({id}))),
    subscriptions: eg.subscribed(...channels.map((channelId) => eg.subscription({channelId}))),
    presences: {
      byUser: SortedMap.from(
        Array.from({length: size.users}, (_, index) => [10 + index, {activeAt: 1, idleAt: 1}] as const),
      ),
      lastUpdateId: 1,
      serverOffset: 0,
    },
    // Unread ids of fetched messages count only when the index is known to be incomplete.
    unreads: {...noUnreads, oldMissing: true},
  });
  const messages = loadedMessages(size.messages);
  const unreadIds = messages.slice(-size.unread).map(({id}) => id);
  const whole = {
    joins: 'replace',
    anchor: undefined,
    foundOldest: true,
    foundNewest: true,
    matches: [],
  } as const;
  const topics = channels.slice(0, openTopics).map((id) => topicNarrow(id, 'topic 0'));
  const events: StateEvent[] = [
    {
      type: 'messages_fetched',
      messages,
      unreadIds,
      since: undefined,
      page: {narrow: everythingNarrow, ...whole},
    },
    ...topics.map(
      (narrow): StateEvent => ({
        type: 'messages_fetched',
        messages: messages.filter(
          ({id}) => narrow[0]?.operand === placeOf(id).channelId && placeOf(id).topic === 'topic 0',
        ),
        unreadIds: [],
        since: undefined,
        page: {narrow, ...whole},
      }),
    ),
  ];
  return events.reduce(applyEvent, before);
}

type Make = (index: number, size: Size) => StateEvent;

function wireMessage(id: number) {
  const {channelId, topic} = placeOf(id);
  return {
    id,
    type: 'stream' as const,
    sender_id: 100,
    sender_email: 'person100@example.com',
    sender_full_name: 'Person 100',
    content: 'hello',
    timestamp: 1_767_225_600,
    subject: topic,
    stream_id: channelId,
    display_recipient: `channel ${channelId}`,
    reactions: [],
    submessages: [],
    topic_links: [],
  };
}

/** Picks messages spread over everything that is loaded, so that no part stays in the processor cache. */
function spread(index: number, size: Size): number {
  return 1 + ((index * 7919) % size.messages);
}

const kinds: Readonly<Record<string, Make>> = {
  'nothing (floor)': (index) => ({type: 'heartbeat', id: index}),
  message: (index, size) => ({
    type: 'message',
    id: index,
    message: wireMessage(size.messages + 1 + index),
    flags: [],
  }),
  'flag: read': (index, size) => ({
    type: 'update_message_flags',
    op: 'add',
    id: index,
    flag: 'read',
    messages: [size.messages - size.unread + 1 + ((index * 7919) % size.unread)],
    all: false,
  }),
  'flag: starred': (index, size) => ({
    type: 'update_message_flags',
    op: 'add',
    id: index,
    flag: 'starred',
    messages: [spread(index, size)],
    all: false,
  }),
  reaction: (index, size) => ({
    type: 'reaction',
    op: 'add',
    id: index,
    message_id: spread(index, size),
    user_id: 100 + (index % 50),
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
  }),
  'content edit': (index, size) => ({
    type: 'update_message',
    id: index,
    user_id: 100,
    rendering_only: false,
    message_id: spread(index, size),
    message_ids: [spread(index, size)],
    flags: [],
    edit_timestamp: 1_767_225_700,
    content: 'better',
  }),
  presence: (index, size) => ({
    type: 'presence',
    id: index,
    presences: {
      [10 + ((index * 7919) % size.users)]: {active_timestamp: 10 + index, idle_timestamp: 10 + index},
    },
  }),
};

const batch = 20;
const batches = 45;

/** Returns microseconds per event: the median of many short batches. */
function cost(state: AccountState, size: Size, make: Make): number {
  const samples: number[] = [];
  let current = state;
  for (let round = 0; round < batches; round++) {
    const events = Array.from({length: batch}, (_, index) => make(round * batch + index, size));
    const start = performance.now();
    for (const event of events) current = applyEvent(current, event);
    samples.push(((performance.now() - start) * 1000) / batch);
  }
  return summary(samples).p50;
}

export function applyCosts(): void {
  const states = {small: loaded(small), big: loaded(big)};
  // The first rounds warm up the compiler.
  for (const make of Object.values(kinds)) {
    cost(states.small, small, make);
    cost(states.big, big, make);
  }
  const rows = Object.entries(kinds).map(([name, make]) => {
    const [few, many] = [cost(states.small, small, make), cost(states.big, big, make)];
    return [
      name,
      few.toFixed(2),
      many.toFixed(2),
      (many / few).toFixed(2),
      Math.round(1e6 / many).toLocaleString('en'),
    ];
  });
  printTable(
    'Applying an event, µs (everything and 20 topics open)',
    ['event', '1,000 of each', '100,000 messages, 50,000 users, 50,000 unread', 'ratio', 'events/s'],
    rows,
  );
}
