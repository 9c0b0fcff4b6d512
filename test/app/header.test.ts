import {expect, test} from 'vitest';
import {headerLines, windowTitle} from '#app/header.ts';
import {messagesView} from '#app/view.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, type Narrow, topicNarrow} from '#state/model/narrow.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/eg.ts';
import {egFrame, egRect, textOf} from '#test/support/frame.ts';
import {backend, bo, listAccount, noonMs, random} from './lists/list-scene.ts';
import {scene} from './timeline/scene.ts';

type Parts = Parameters<typeof egFrame>[0] & {readonly slices?: Partial<AccountState>};

function header({slices = {}, size = '80x24', ...parts}: Parts = {}): string {
  const account = listAccount(slices);
  const frame = egFrame({account, size, view: deploy, now: noonMs, ...parts});
  return textOf(headerLines(frame, egRect(size)))[0] ?? '';
}

const deploy = messagesView(topicNarrow(backend, 'deploy'));
const followed: AccountState['userTopics'] = SortedMap.from([
  ['c1:deploy', {channelId: backend, topic: 'deploy', policy: 3, lastUpdated: 0}],
]);

test('where one is comes first, then what is unread there, the inbox, the connection and the time', () => {
  expect(header()).toMatch(/^ #backend › deploy +@1 unread {2}inbox 4 {2}● {2}12:00$/);
});

test('a wide screen says who one is, and puts the title above the main pane', () => {
  const line = header({size: '120x40', slices: {userTopics: followed}});
  expect(line).toMatch(
    /^ acme · Ann Lee {2,}#backend › deploy +following {2}@1 unread {2}inbox 4 {2}● {2}12:00$/,
  );
  expect(line.indexOf('#backend')).toBe(53);
});

test('the inbox counts conversations and messages where there is room', () => {
  expect(header({size: '120x40', view: {kind: 'inbox'}})).toContain('Inbox · 4 conversations, 4 messages');
  expect(header({view: {kind: 'inbox'}})).toMatch(/^ Inbox +inbox 4 {2}● {2}12:00$/);
});

test('among messages of many conversations that of the selected one is named', () => {
  const messages = [
    eg.message({id: 1, channelId: 1, topic: 'logs'}),
    eg.message({id: 2, channelId: 2, topic: 'css'}),
  ];
  const shown = (narrow: Narrow, selected: number, size = '80x24') => {
    const frame = scene({messages, narrow, state: {selected, opening: undefined}, frame: {size}});
    return textOf(headerLines(frame, egRect(size)))[0];
  };
  expect(shown([], 1)).toMatch(/^ Combined feed · #backend › logs /);
  expect(shown([], 2)).toMatch(/^ Combined feed · #web › css /);
  expect(shown(channelNarrow(1), 1)).toMatch(/^ #backend · logs /);
  expect(shown([], 2, '40x15')).toMatch(/^Combined feed$/);
});

test('the narrowest screen keeps to the conversation and two numbers', () => {
  expect(header({size: '40x15'})).toBe('#backend › deploy                @1 · 4');
});

test('the account is named everywhere when there is a choice', () => {
  expect(header({facts: {accountName: 'work', accountCount: 2}})).toMatch(
    /^ work {2}#backend › deploy .*2 accounts/,
  );
});

test('a muted conversation, an exploring one and a read-only one say so', () => {
  expect(header({view: messagesView(topicNarrow(random, 'cats'))})).toContain('muted');
  expect(header({facts: {isExploring: true}})).toContain('EXPLORE');
  expect(header({facts: {isReadOnly: true}})).toContain('READ-ONLY');
});

test('what is shown from disk says of when it is, and its counts are about', () => {
  const line = header({slices: {connection: {phase: 'starting', savedAt: noonMs - 3_600_000}}});
  expect(line).toMatch(/inbox ≈4 {2}cached 11:00 {2}12:00$/);
});

const offline = {
  phase: 'offline',
  since: noonMs - 60_000,
  retryAt: undefined,
  problem: 'No answer.',
  savedAt: undefined,
} as const;

test('a lost connection counts its first seconds, then says since when', () => {
  const slices = {connection: offline};
  expect(header({slices, screen: {offlineSeconds: 4}})).toContain('◌ reconnecting 4 s');
  expect(header({slices})).toContain('offline since 11:59');
  expect(header({slices: {...slices, outbox: [entry('queued'), entry('sending')]}})).toContain(
    'offline since 11:59 · 2 messages waiting',
  );
  expect(header({slices, size: '40x15'})).toContain('offline');
});

test('messages that were not sent are counted', () => {
  expect(header({slices: {outbox: [entry('failed'), entry('sent')]}})).toContain('1 failed');
});

test('whoever is signed out reads what to do, over the whole line', () => {
  const slices = {connection: {phase: 'signedOut', problem: 'The key is no longer good.'}} as const;
  expect(header({slices, size: '140x40'})).toBe(
    ' Signed out: The key is no longer good. What you wrote is kept; “parley login” signs in again.',
  );
});

test.each([30, 40, 60, 80, 100, 120, 200])('no header is wider than %i columns', (columns) => {
  const slices = {connection: offline, outbox: [entry('failed'), entry('queued')], userTopics: followed};
  const frame = egFrame({
    account: listAccount(slices),
    size: `${columns}x24`,
    view: messagesView(topicNarrow(backend, 'a very long topic about which nobody can stop talking')),
    facts: {accountCount: 3, isExploring: true},
    now: noonMs,
  });
  for (const line of headerLines(frame, egRect(`${columns}x24`)))
    expect(line.width).toBeLessThanOrEqual(columns);
});

test('a search is named in words, also where it was not written', () => {
  const titled = (narrow: Narrow) => header({view: messagesView(narrow)}).split('  ')[0];
  expect(titled([{operator: 'sender', operand: bo}])).toBe(' Messages of Bo Wu');
  expect(
    titled([
      {operator: 'sender', operand: bo},
      {operator: 'has', operand: 'link'},
    ]),
  ).toMatch(/^ Search: sender:.*Bo.* has:link$/);
});

test('the terminal’s title names the place and what waits', () => {
  const frame = egFrame({account: listAccount(), view: deploy});
  expect(windowTitle(frame)).toBe('(4) #backend › deploy — acme');
});

function entry(status: OutboxStatus): OutboxEntry {
  return {
    id: status,
    order: 1,
    conversation: topicConversation(backend, 'deploy'),
    content: 'hello',
    createdAt: noonMs,
    status,
    owner: undefined,
    sentAt: undefined,
    afterMessageId: undefined,
    messageId: undefined,
    problem: undefined,
    draftId: undefined,
  };
}
