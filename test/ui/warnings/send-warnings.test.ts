import {expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {completionState, here, ids, nowMs} from '#test/ui/completion-menu/completion-fixture.ts';
import {secretIn} from '#ui/warnings/secrets.ts';
import {editWarnings, lengthCounter, type SendContext, sendWarnings} from '#ui/warnings/send-warnings.ts';
import type {Warning} from '#ui/warnings/warning.ts';

function warningsFor(
  text: string,
  to: Conversation = here,
  state: AccountState = completionState(),
  context: Partial<SendContext> = {},
): readonly Warning[] {
  return sendWarnings(state, to, text, {nowMs, ...context});
}

function kinds(...args: Parameters<typeof warningsFor>): readonly string[] {
  return warningsFor(...args).map(({kind}) => kind);
}

function withReaders(count: number): AccountState {
  const readers = Array.from({length: count}, (_, index) => 10 + index);
  const subscribers = new Map([[1, {ids: SortedSet.from(readers), complete: true}]]);
  return completionState({
    subscribers: SortedMap.from(subscribers),
    realm: {...completionState().realm, wildcardMentionPolicy: 1},
  });
}

test('send warnings: an ordinary message has none', () => {
  expect(warningsFor('hello @**Bo Andersson**, see #**design>launch**')).toEqual([]);
});

test('send warnings: a wildcard for more than fifteen people shows the count', () => {
  expect(warningsFor('@**all** lunch', here, withReaders(16))).toEqual([
    {kind: 'wildcard', text: '@all notifies 16 people.', isBlocking: false},
  ]);
  expect(kinds('@**all** lunch', here, withReaders(15))).toEqual([]);
});

test('send warnings: a group shows how many people it reaches, with those of the groups in it', () => {
  const people = Array.from({length: 16}, (_, index) => eg.user({id: 100 + index, fullName: `Sailor ${index}`}));
  const [outer, inner] = [
    eg.group({id: 50, name: 'crew', members: SortedSet.from([100]), subgroupIds: SortedSet.from([51])}),
    eg.group({id: 51, name: 'divers', members: SortedSet.from(people.map(({id}) => id))}),
  ];
  const base = completionState();
  const state = {...base, users: eg.users(...base.users.values(), ...people), groups: eg.byId(outer, inner)};
  expect(warningsFor('@*crew* all hands', here, state)).toEqual([
    {kind: 'wildcard', text: '@crew notifies 16 people.', isBlocking: false},
  ]);
  const subscribers = SortedMap.from(new Map([[1, {ids: SortedSet.from<number>([100, 101]), complete: true}]]));
  const channels = base.channels.with(1, eg.channel({id: 1, isPrivate: true}));
  expect(kinds('@*crew* all hands', here, {...state, subscribers, channels})).toEqual([]);
});

test('send warnings: silent mentions and those in code or quotes do not count', () => {
  const state = withReaders(50);
  for (const text of ['`@**all**`', '```\n@**all**\n```', '> @**all**', '@_**all**', '    @**all**']) {
    expect([text, kinds(text, here, state)]).toEqual([text, []]);
  }
  expect(kinds('* one\n* @**everyone**', here, state)).toEqual(['wildcard']);
});

test('send warnings: @topic counts the known participants', () => {
  const talk = Array.from({length: 20}, (_, index) =>
    eg.message({id: 300 + index, topic: 'launch', senderId: 50 + index}),
  );
  const members = SortedSet.from(talk.map(({senderId}) => senderId));
  const state = completionState({
    messages: withMessages(initialState.messages, talk),
    subscribers: SortedMap.from([[1, {ids: members, complete: true}]]),
    realm: {...completionState().realm, wildcardMentionPolicy: 1},
  });
  const strict = {...state, realm: {...state.realm, wildcardMentionPolicy: 6}};
  expect(warningsFor('@**topic** so?', here, strict)).toMatchObject([{kind: 'forbidden', isBlocking: true}]);
  expect(warningsFor('@**topic** so?', here, state)).toMatchObject([{text: '@topic notifies at least 20 people.'}]);
});

test('send warnings: a forbidden wildcard blocks sending; in the same channel the few people of a topic may be mentioned', () => {
  const state = withReaders(16);
  const strict = {...state, realm: {...state.realm, wildcardMentionPolicy: 6}};
  expect(warningsFor('@**all**', here, strict)).toMatchObject([{kind: 'forbidden', isBlocking: true}]);
  expect(kinds('@**topic**', here, strict)).toEqual([]);
});

test('send warnings: people who are not subscribed are named, and can be subscribed', () => {
  expect(warningsFor('@**Ann Lee** and @**Anna Bell**')).toEqual([
    {
      kind: 'not_subscribed',
      text: 'Ann Lee and Anna Bell are not in #design and may not see this.',
      isBlocking: false,
      fix: {kind: 'subscribe', channelId: 1, userIds: [ids.ann, ids.anna]},
    },
  ]);
  expect(kinds('@_**Ann Lee**')).toEqual([]);
  expect(kinds('@**Andbot**')).toEqual([]);
  expect(warningsFor('@**Ann Lee**', topicConversation(3, 'x'))[0]?.text).toContain('will not see this');
});

test('send warnings: a link to a private channel warns unless all readers are in it', () => {
  expect(kinds('see #**secret plans**')).toEqual(['private_channel']);
  expect(kinds('see #**secret plans>x**')).toEqual(['private_channel']);
  expect(kinds('see [this](#narrow/channel/3-secret-plans)')).toEqual(['private_channel']);
  expect(kinds('see #**secret plans**', topicConversation(3, 'x'))).toEqual([]);
  expect(kinds('see #**secret plans**', directConversation([ids.bo], ids.self))).toEqual([]);
  expect(kinds('see #**secret plans**', directConversation([ids.ann], ids.self))).toEqual(['private_channel']);
  expect(kinds('see #**secret plans**', directConversation([ids.ann, ids.bo], ids.self))).toEqual(['private_channel']);
});

test('send warnings: of many people who are not subscribed three are named, and the writer is none of them', () => {
  const names = ['Ann Lee', 'Anna Bell', 'Bo Andersson', 'Sam Twin', 'Anders Muted'];
  const text = (...mentioned: readonly string[]) =>
    warningsFor(mentioned.map((name) => `@**${name}**`).join(' '), here, nobodyThere)[0]?.text;
  const nobodyThere = completionState({
    subscribers: SortedMap.from([[1, {ids: SortedSet.empty<number>(), complete: true}]]),
  });
  expect(text('Me Myself')).toBeUndefined();
  expect(text('Me Myself', 'Ann Lee')).toBe('Ann Lee is not in #design and may not see this.');
  expect(text(...names.slice(0, 4))).toMatch(/^Ann Lee, Anna Bell, Bo Andersson and 1 other are not in/);
  expect(text(...names)).toMatch(/^Ann Lee, Anna Bell, Bo Andersson and 2 others are not in/);
});

test('send warnings: of two people with one name, the active one is meant', () => {
  const base = completionState();
  const left = eg.user({id: ids.otherTwin, fullName: 'Sam Twin', isActive: false});
  const state = {...base, users: base.users.with(ids.otherTwin, left)};
  expect(warningsFor('@**Sam Twin**', here, state)).toMatchObject([{fix: {userIds: [ids.twin]}}]);
});

test('send warnings: a text that is scheduled already is named, where it would be sent again', () => {
  const scheduled = eg.byId({
    id: 1,
    conversation: here,
    content: 'lunch? ',
    scheduledDeliveryTimestamp: 0,
    failed: false,
  });
  const state = completionState({scheduled});
  expect(warningsFor(' lunch?', here, state)).toMatchObject([{kind: 'scheduled', isBlocking: false}]);
  expect(kinds('dinner?', here, state)).toEqual([]);
  expect(kinds('lunch?', topicConversation(1, 'logo'), state)).toEqual([]);
});

test('send warnings: where the user may not unresolve a topic, that is not offered', () => {
  const nobody = {direct_members: [], direct_subgroups: []};
  const state = completionState({realm: {...completionState().realm, canResolveTopicsGroup: nobody}});
  const [warning] = warningsFor('wait', topicConversation(1, '✔ old logo'), state);
  expect(warning).toEqual({kind: 'resolved', text: 'This topic is resolved.', isBlocking: false});
});

test('send warnings: a resolved topic is mentioned, and can be unresolved', () => {
  const to = topicConversation(1, '✔ old logo');
  expect(warningsFor('wait', to)).toMatchObject([
    {kind: 'resolved', isBlocking: false, fix: {kind: 'unresolve', channelId: 1, topic: '✔ old logo'}},
  ]);
});

test('send warnings: an empty message blocks, unless a file is attached', () => {
  expect(warningsFor(' \n')).toEqual([{kind: 'empty', text: 'Nothing to send yet.', isBlocking: true}]);
  expect(kinds('', here, completionState(), {hasAttachment: true})).toEqual([]);
});

test('send warnings: a message that is too long blocks; the counter shows before', () => {
  const state = completionState({server: {...eg.server(), maxMessageLength: 10}});
  expect(warningsFor('x'.repeat(12), here, state)).toEqual([
    {
      kind: 'too_long',
      text: 'This is 2 characters too long: at most 10 fit into one message.',
      isBlocking: true,
    },
  ]);
  expect(lengthCounter(state, '1234567')).toBeUndefined();
  expect(lengthCounter(state, '12345678')).toEqual({count: 8, limit: 10, left: 2});
  expect(lengthCounter(state, '👍'.repeat(10))).toEqual({count: 10, limit: 10, left: 0});
  expect(lengthCounter(state, `${' '.repeat(50)}hi`)).toBeUndefined();
});

test('send warnings: missing permission blocks with the reason', () => {
  expect(warningsFor('hi', topicConversation(5, 'x'))).toMatchObject([
    {kind: 'forbidden', text: '#demolished is archived: you cannot post there.', isBlocking: true},
  ]);
});

test('send warnings: deactivated recipients block', () => {
  expect(warningsFor('hi', directConversation([ids.gone, ids.ann], ids.self))).toEqual([
    {
      kind: 'deactivated',
      text: 'Andy Gone has left this organization and cannot be written to.',
      isBlocking: true,
    },
  ]);
});

test('send warnings: a changed destination is named', () => {
  const begunFor = topicConversation(1, 'logo');
  expect(warningsFor('hi', here, completionState(), {begunFor})).toMatchObject([
    {
      kind: 'destination_changed',
      text: 'Written for #design › logo, but goes to #design › launch.',
    },
  ]);
  expect(kinds('hi', here, completionState(), {begunFor: here})).toEqual([]);
});

const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6';

test('secretIn: names the kind of secret', () => {
  expect(secretIn('-----BEGIN OPENSSH PRIVATE KEY-----\nabc')).toBe('a private key');
  expect(secretIn(`[api]\nemail=a@b.c\nkey=${letters.slice(0, 32)}\nsite=https://x`)).toBe(
    'an API key from a zuliprc file',
  );
  expect(secretIn(`use ghp_${letters}`)).toBe('a GitHub token');
  expect(secretIn(`github_pat_${letters}_${letters}`)).toBe('a GitHub token');
  expect(secretIn(`glpat-${letters}`)).toBe('a GitLab token');
  expect(secretIn(`(xoxb-${letters})`)).toBe('a Slack token');
  expect(secretIn(`AIza${letters}`)).toBe('a Google API key');
  expect(secretIn(`sk_live_${letters}`)).toBe('a Stripe secret key');
  expect(secretIn(`npm_${letters}`)).toBe('an npm token');
  expect(secretIn(`Bearer eyJ${letters}.eyJ${letters}.${letters}`)).toBe('an access token');
  expect(secretIn('AKIAIOSFODNN7EXAMPLE')).toBe('an AWS access key');
  expect(secretIn('postgres://me:hunter2@db/x')).toBe('a password in a web address');
  expect(warningsFor('-----BEGIN RSA PRIVATE KEY-----')).toMatchObject([{kind: 'secret', isBlocking: false}]);
});

test('secretIn: ordinary texts contain none', () => {
  for (const text of [
    'the key=value format',
    `commit ${letters.toLowerCase()}`,
    '-----BEGIN PUBLIC KEY-----',
    'https://example.com:8080/a@b',
    'ssh://git@example.com/repo',
    'key: see the docs',
  ]) {
    expect([text, secretIn(text)]).toEqual([text, undefined]);
  }
});

test('send warnings: a mention that names nobody is named, whether of a person, a group or in the wrong case with an id', () => {
  const name = 'unknown_mention';
  expect(warningsFor('hi @**Nobody Here** and @*nogroup*')).toEqual([
    {kind: name, text: '“@Nobody Here” is nobody here: no one is notified.', isBlocking: false},
    {kind: name, text: '“@nogroup” is nobody here: no one is notified.', isBlocking: false},
  ]);
  const {id = 0} = [...completionState().users.values()].find(({fullName}) => fullName === 'Bo Andersson') ?? {};
  expect(kinds(`@**bo andersson|${id}**`)).toEqual([name]);
  expect(kinds(`@**Bo Andersson|${id}** @_**Nobody Here** \`@**Nobody**\` a@*b* **bold** @ **bold**`)).toEqual([]);
});

test.each([
  ['@**Ann Lee hello', '“@**Ann Lee”', '@**Ann Lee** hello'],
  ['see #**design>', '“#**design>”', 'see #**design**'],
  ['see #**design>tomorrow at 9', '“#**design>”', 'see #**design** tomorrow at 9'],
  ['see #**design>Lunch.', '“#**design>Lunch”', 'see #**design>Lunch**.'],
  ['see #**dev > tools for it', '“#**dev > tools”', 'see #**dev > tools** for it'],
  ['@_**Bo Andersson said', '“@_**Bo Andersson”', '@_**Bo Andersson** said'],
  ['@**Ann Lee see #**design** now', '“@**Ann Lee”', '@**Ann Lee** see #**design** now'],
  ['@**Nobody at all', '“@**Nobody”', undefined],
])('send warnings: %j is not closed: it is named, and closed if its name is known', (text, shown, closed) => {
  const [warning, ...others] = warningsFor(text);
  expect(others).toEqual([]);
  expect(warning).toMatchObject({kind: 'not_closed', isBlocking: false});
  expect(warning?.text).toBe(`${shown} has no ** at the end: it is sent as plain text.`);
  expect(warning?.fix).toEqual(closed && {kind: 'close', text: closed});
});

test.each([
  ['@*crew see you', '“@*crew” has no * at the end', '@*crew* see you'],
  ['@_*crew: see you', '“@_*crew” has no * at the end', '@_*crew*: see you'],
  ['@*nogroup see *this*', '“@*nogroup” has no * at the end', undefined],
  [
    'at <time:2026-05-12T14:00+02:00 sharp',
    '“<time:2026-05-12T14:00+02:00” has no > at the end',
    'at <time:2026-05-12T14:00+02:00> sharp',
  ],
  ['at <time:2026-05-12T14:00', '“<time:2026-05-12T14:00” has no > at the end', 'at <time:2026-05-12T14:00>'],
  ['at <time:tomorrow evening', '“<time:tomorrow” has no > at the end', undefined],
])(
  'send warnings: the group or time %j is not closed: it is named, and closed if it is known',
  (text, shown, closed) => {
    const state = {...completionState(), groups: eg.byId(eg.group({id: 50, name: 'crew'}))};
    const [warning, ...others] = warningsFor(text, here, state);
    expect(others).toEqual([]);
    expect(warning?.text).toBe(`${shown}: it is sent as plain text.`);
    expect(warning?.fix).toEqual(closed && {kind: 'close', text: closed});
  },
);

test('send warnings: what has different ends is named apart, and one key closes all', () => {
  const warnings = warningsFor('@**Ann Lee and <time:2026-05-12T14:00');
  expect(warnings.map(({text}) => text)).toEqual([
    '“@**Ann Lee” has no ** at the end: it is sent as plain text.',
    '“<time:2026-05-12T14:00” has no > at the end: it is sent as plain text.',
  ]);
  expect(warnings.flatMap(({fix}) => fix ?? [])).toEqual([
    {kind: 'close', text: '@**Ann Lee** and <time:2026-05-12T14:00>'},
  ]);
});

test('edit warnings: what the text had before is not named again', () => {
  const edit = {before: '@**Nobody** hi', after: '@**Nobody** hi @**Somebody** @*crew'};
  const texts = editWarnings(completionState(), here, edit, {nowMs}).map(({text}) => text);
  expect(texts).toEqual([
    '“@*crew” has no * at the end: it is sent as plain text.',
    '“@Somebody” is nobody here: no one is notified.',
  ]);
});

test('send warnings: asterisks that begin no mention or link are not named', () => {
  expect(kinds('a@**b #** c `@**Ann Lee` 2**3 **bold @ #** a@*b @* `<time:2026` <time:2026-05-12T14:00>')).toEqual([]);
});
