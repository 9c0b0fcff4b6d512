import fc from 'fast-check';
import {expect, test} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {
  conversationKey,
  directConversation,
  topicConversation,
  topicConversationKey,
} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {completionState, ids} from '#test/ui/completion-menu/completion-fixture.ts';
import {ConversationIndex} from '#ui/search/find-conversations.ts';
import {type Omnibox, type OmniboxSources, omnibox} from '#ui/search/omnibox.ts';

const commands = [
  {id: 'topic.follow', title: 'Follow or unfollow this topic', detail: 'F'},
  {id: 'view.inbox', title: 'Inbox', detail: 'I'},
];

const sources: OmniboxSources = {
  commands,
  help: [{id: 'search', title: 'How to search'}],
  accounts: [{id: 'work', title: 'Work', detail: 'chat.example.com'}],
  visits: [],
};

function rows(
  query: string,
  overrides: Partial<OmniboxSources> = {},
  state: AccountState = completionState(),
): readonly string[] {
  const all = omnibox(state, query, {...sources, ...overrides}).rows.map(({title}) => title);
  return all.filter((title) => !title.startsWith('Search messages for'));
}

function target(query: string, state: AccountState = completionState()): Omnibox['rows'][number]['target'] | undefined {
  return omnibox(state, query, sources).rows[0]?.target;
}

test('palette rows: topics, channels and people by name, prefix matches first', () => {
  expect(rows('lau')).toEqual(['#design › launch']);
  expect(rows('logo')).toEqual(['#design › logo', '#design › old logo']);
  expect(rows('desi')[0]).toBe('#design');
  expect(rows('design launch')).toEqual(['#design › launch']);
  expect(rows('launch design')).toEqual(['#design › launch']);
  expect(rows('design>lau')).toEqual(['#design › launch']);
  expect(rows('anna')[0]).toBe('Anna Bell');
  expect(rows('ann l')[0]).toBe('Ann Lee');
});

test.each(['lau', 'zebra crossing', 'sender:anna logo'])(
  'palette rows: the last one searches messages for %s',
  (text) => {
    const {rows: all} = omnibox(completionState(), ` ${text} `, sources);
    expect(all.at(-1)).toMatchObject({title: `Search messages for ${text}`, target: {kind: 'search', text}});
  },
);

test('palette rows: topics by the people who wrote there last, after those with the name in the title', () => {
  const state = completionState();
  const wrote = (id: number, topic: string) => eg.message({id, channelId: 1, topic, senderId: ids.bo});
  const messages = withMessages(state.messages, [wrote(901, 'Lunch'), wrote(902, 'talk with Bo')]);
  const found = rows('bo', {}, {...state, messages});
  expect(found.filter((title) => title.includes('›')).slice(0, 2)).toEqual([
    '#design › talk with Bo',
    '#design › Lunch',
  ]);
  expect(rows('andersson lunch', {}, {...state, messages})[0]).toBe('#design › Lunch');
});

test('palette rows: topics are found by the new name of a person who wrote there last', () => {
  const state = completionState();
  const lunch = eg.message({id: 901, channelId: 1, topic: 'Lunch', senderId: ids.bo});
  const before = {...state, messages: withMessages(state.messages, [lunch])};
  expect(rows('andersson lunch', {}, before)).toContain('#design › Lunch');
  const person = {user_id: ids.bo, full_name: 'Bo Berg'};
  const after = applyEvent(before, {type: 'realm_user', op: 'update', id: 1, person});
  expect(rows('berg lunch', {}, after)).toContain('#design › Lunch');
  expect(rows('andersson lunch', {}, after)).not.toContain('#design › Lunch');
});

test('palette rows: recently visited conversations win ties', () => {
  expect(rows('l')[0]).toBe('#design › logo');
  expect(rows('l', {visits: [topicConversationKey(1, 'launch')]})[0]).toBe('#design › launch');
});

test('palette rows: people with whom there is a conversation are found once, and the user never', () => {
  expect(rows('anna')).toEqual(['Anna Bell', 'Search for anna'].slice(0, 1));
  expect(rows('myself')).toEqual([]);
});

test('palette rows: a link to a conversation of which one person is unknown says so', () => {
  const link = (...people: readonly number[]) =>
    omnibox(completionState(), `#narrow/dm/${people.join()}-group`, sources);
  expect(link(ids.self, ids.ann, ids.bo).rows[0]).toMatchObject({kind: 'link', title: 'Ann Lee, Bo Andersson'});
  expect(link(ids.self, ids.ann, 99).rows[0]).toMatchObject({problem: 'This link names an unknown user.'});
});

test('palette rows: the first character selects the source', () => {
  const sourceOf = (query: string) => omnibox(completionState(), query, sources).source;
  expect(['', '>', '#', '@', '/', '?', '!', 'x'].map(sourceOf)).toEqual([
    'conversations',
    'commands',
    'channels',
    'people',
    'search',
    'help',
    'accounts',
    'conversations',
  ]);
});

test('palette rows: commands with their keys, help pages and accounts', () => {
  expect(omnibox(completionState(), '>foll', sources).rows).toEqual([
    {
      kind: 'command',
      title: 'Follow or unfollow this topic',
      detail: 'F',
      target: {kind: 'command', id: 'topic.follow'},
      ranges: [[0, 4]],
    },
  ]);
  expect(rows('>')).toEqual(commands.map(({title}) => title));
  expect(target('?search')).toEqual({kind: 'help', id: 'search'});
  expect(target('!wor')).toEqual({kind: 'account', id: 'work'});
});

test('palette rows: a channel, then its topics', () => {
  const [design] = omnibox(completionState(), '#des', sources).rows;
  expect(design).toMatchObject({title: '#design', drill: '#design>', ranges: [[1, 4]]});
  expect(rows('#design>')).toEqual(['#design › old logo', '#design › launch', '#design › Lunch', '#design › logo']);
  expect(rows('#desi>lau')).toEqual(['#design › launch']);
  expect(target('#design>lau')).toEqual({kind: 'conversation', conversation: topicConversation(1, 'launch')});
  expect(rows('#dev > tools>lin')).toEqual(['#dev > tools › linters']);
});

test('palette rows: a person opens the direct conversation', () => {
  expect(target('@ann l')).toEqual({
    kind: 'conversation',
    conversation: directConversation([ids.ann], ids.self),
  });
});

test('palette rows: a search shows what it did not understand', () => {
  expect(omnibox(completionState(), '/is:red ', sources).rows).toMatchObject([
    {target: {kind: 'search', text: 'is:red'}, detail: expect.stringContaining('“is:” can be')},
  ]);
  expect(omnibox(completionState(), '/is:re', sources).rows[0]?.detail).toBeUndefined();
  expect(rows('/')).toEqual([]);
});

test('palette rows: without a query, the previous conversation, which Enter opens, then other recent ones, unread first', () => {
  const state = applyEvent(completionState(), {type: 'message', id: 1, flags: [], message: wireMessage(200)});
  const visits = [topicConversationKey(1, 'logo'), topicConversationKey(1, 'launch')];
  const {rows: shown} = omnibox(state, '', {...sources, visits});
  expect(shown.map(({title}) => title).slice(0, 3)).toEqual(['#design › logo', '#design › Lunch', '#design › launch']);
  expect(shown[1]?.unreads?.count).toBe(1);
  expect(shown.length).toBeLessThanOrEqual(20);
});

test('palette rows: unread messages of an archived channel are not counted, and do not come first', () => {
  const unread = applyEvent(completionState(), {type: 'message', id: 1, flags: [], message: wireMessage(200)});
  const archived = {
    id: 2,
    type: 'stream',
    op: 'update',
    stream_id: 1,
    name: 'design',
    property: 'is_archived',
  } as const;
  const state = applyEvent(unread, {...archived, value: true});
  const visits = [topicConversationKey(1, 'logo')];
  const {rows: shown} = omnibox(state, '', {...sources, visits});
  expect(shown[0]?.title).toBe('#design › logo');
  expect(shown.map(({unreads}) => unreads?.count)).not.toContain(1);
});

function wireMessage(id: number) {
  return {
    type: 'stream' as const,
    id,
    stream_id: 1,
    subject: 'Lunch',
    sender_id: ids.bo,
    sender_full_name: 'Bo Andersson',
    sender_email: 'bo@example.com',
    display_recipient: 'design',
    content: 'now?',
    timestamp: 1_767_225_600,
    reactions: [],
  };
}

test('palette rows: match ranges point into the title', () => {
  for (const {title, ranges} of omnibox(completionState(), 'lo', sources).rows.slice(0, -1)) {
    expect(ranges.map(([start, end]) => title.slice(start, end).toLowerCase()).join('')).toBe('lo');
  }
  for (const {title, ranges} of omnibox(completionState(), '#design>lo', sources).rows) {
    expect(ranges.map(([start, end]) => title.slice(start, end)).join('')).toBe('lo');
  }
});

test('conversation index: after any changes it equals a new index', () => {
  const location = fc.record({
    channelId: fc.integer({min: 1, max: 3}),
    topic: fc.constantFrom('a', 'B', 'b', 'c'),
  });
  const change = fc.oneof(
    fc.record({kind: fc.constant('messages' as const), location}),
    fc.record({
      kind: fc.constant('rename' as const),
      channelId: fc.integer({min: 1, max: 3}),
      name: fc.string(),
    }),
    fc.record({
      kind: fc.constant('person' as const),
      userId: fc.constantFrom(ids.ann, ids.anna),
      name: fc.oneof(fc.constant('Anna Bell'), fc.string()),
    }),
    fc.record({kind: fc.constant('mute' as const), userId: fc.constantFrom(ids.ann, ids.anna)}),
    fc.record({kind: fc.constant('forget' as const)}),
  );
  fc.assert(
    fc.property(fc.array(change, {maxLength: 12}), (changes) => {
      const index = new ConversationIndex();
      let state = completionState();
      let id = 1000;
      for (const step of changes) {
        state = changed(state, step, id);
        id += 1;
        index.update(state);
      }
      const byKey = (one: ConversationIndex) => {
        one.update(state);
        return [one.byTitle, one.byPeople].map((part) => [...part.items()].sort((a, b) => (a.key < b.key ? -1 : 1)));
      };
      expect(byKey(index)).toEqual(byKey(new ConversationIndex()));
    }),
    {numRuns: 60},
  );
});

type Step =
  | {readonly kind: 'messages'; readonly location: {readonly channelId: number; readonly topic: string}}
  | {readonly kind: 'rename'; readonly channelId: number; readonly name: string}
  | {readonly kind: 'person'; readonly userId: number; readonly name: string}
  | {readonly kind: 'mute'; readonly userId: number}
  | {readonly kind: 'forget'};

function changed(state: AccountState, step: Step, id: number): AccountState {
  switch (step.kind) {
    case 'messages':
      return {...state, messages: withMessages(state.messages, [eg.message({id, ...step.location})])};
    case 'rename':
      return {
        ...state,
        channels: state.channels.with(step.channelId, eg.channel({id: step.channelId, name: step.name})),
      };
    case 'person':
      return {...state, users: state.users.with(step.userId, eg.user({id: step.userId, fullName: step.name}))};
    case 'mute':
      return {...state, mutedUsers: eg.byId({id: step.userId, timestamp: 0})};
    case 'forget':
      return {...state, messages: initialState.messages, topics: SortedMap.empty()};
  }
}

test('palette rows: a found conversation has the same key', () => {
  const [row] = omnibox(completionState(), 'lau', sources).rows;
  const found = row?.target.kind === 'conversation' ? row.target.conversation : topicConversation(0, '');
  expect(conversationKey(found)).toBe(topicConversationKey(1, 'launch'));
});
