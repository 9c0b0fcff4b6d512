import fc from 'fast-check';
import {expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {conversationKey, topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, combinedFeedNarrow, conversationNarrow, type Narrow, topicNarrow} from '#state/model/narrow.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {arbitraryAccountState} from '#test/state/selectors/selector-builders.ts';
import {egFrame, egRect, textOf} from '#test/support/frame-fixture.ts';
import {headerLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {backend, bo, listAccount, listsWith, noonMs, random} from '#test/ui/lists/list-fixture.ts';
import {timelineFrame} from '#test/ui/message-pane/timeline-frame.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {messagesView, type View} from '#ui/core/frame.ts';
import {windowTitle} from '#ui/header/header-line.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import type {RowTarget} from '#ui/lists/list-source.ts';
import {unreadCountText, unreadCountWords} from '#wording/counted-noun.ts';

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

test('header: shows the conversation, its unread count, the inbox count, the connection and the time', () => {
  expect(header()).toMatch(/^ #backend › deploy +1 unread mention {2}inbox 1 mention · 4 unread {2}● {2}12:00$/);
});

test('header: a wide screen shows the user, and the title above the main pane', () => {
  const line = header({size: '120x40', slices: {userTopics: followed}});
  expect(line).toMatch(/^ acme · Ann Lee {2,}#backend › deploy +following {2}@1 unread {2}inbox @1 4 {2}● {2}12:00$/);
  expect(line.indexOf('#backend')).toBe(54);
});

test('header: the inbox shows its counts in words, and as marks on the smallest screens', () => {
  expect(header({size: '120x40', view: {kind: 'inbox'}})).toContain('Inbox · 1 mention · 4 unread in 4 conversations');
  expect(header({view: {kind: 'inbox'}})).toMatch(/^ Inbox +1 mention · 4 unread in 4 conversations {2}● {2}12:00$/);
  expect(header({view: {kind: 'inbox'}, size: '40x15'})).toMatch(/^Inbox +@1 4$/);
});

test('header: snoozed conversations are not counted', () => {
  const before = egFrame({account: listAccount(), size: '120x40', now: noonMs});
  expect(textOf(headerLines(before, egRect('120x40')))[0]).toContain('4 unread in 4 conversations');
  const key = conversationKey(topicConversation(backend, 'logs'));
  const snoozes = new Map([[key, {key, until: {kind: 'message'}, newestId: 3, since: 0}]] as const);
  const {screen} = before;
  const after = {...before, screen: {...screen, inbox: {...screen.inbox, snoozes}}};
  expect(textOf(headerLines(after, egRect('120x40')))[0]).toContain('3 unread in 3 conversations');
});

test('header: a feed names the selected message’s conversation', () => {
  const messages = [eg.message({id: 1, channelId: 1, topic: 'logs'}), eg.message({id: 2, channelId: 2, topic: 'css'})];
  const shown = (narrow: Narrow, selected: number, size = '80x24') => {
    const frame = timelineFrame({messages, narrow, state: {selected, openAt: undefined}, frame: {size}});
    return textOf(headerLines(frame, egRect(size)))[0];
  };
  expect(shown(combinedFeedNarrow, 1)).toMatch(/^ Combined feed · #backend › logs /);
  expect(shown(combinedFeedNarrow, 2)).toMatch(/^ Combined feed · #web › css /);
  expect(shown(channelNarrow(1), 1)).toMatch(/^ #backend · logs /);
  expect(shown(combinedFeedNarrow, 2, '40x15')).toMatch(/^Combined feed$/);
});

test('header: the narrowest screen shows the conversation and two counts', () => {
  expect(header({size: '40x15'})).toBe('#backend › deploy             @1 · @1 4');
});

test.each(['200x50', '120x40', '80x24', '60x20', '40x15'])(
  'header: at %s the right parts are dropped before the title is cut, except an outage',
  (size) => {
    const [columns = 0] = size.split('x').map(Number);
    for (const length of [4, 20, 28, 40, 59]) {
      const topic = 'abcdefghij'.repeat(6).slice(0, length);
      const view = messagesView(topicNarrow(backend, topic));
      const title = `#backend › ${topic}`;
      const line = header({size, view, slices: {userTopics: followed}});
      if (title.length < columns - 2) expect(line).toContain(title);
      else expect(line.length).toBeGreaterThan(columns - 3);
      const offline = header({
        size,
        view,
        slices: {connection: {phase: 'offline', since: noonMs, retryAt: undefined, savedAt: undefined, problem: ''}},
      });
      expect(offline).toMatch(/offline/);
    }
    expect(header({size})).toMatch(columns < 60 ? /@1 4/ : /inbox (?:@1 4|1 mention · 4 unread) /);
  },
);

test('header: names the account when there are several', () => {
  expect(header({info: {accountName: 'work', accountCount: 2}})).toMatch(/^ work {2}#backend › deploy .*2 accounts/);
});

test('header: an account opened by its file is called by its organization and leaves room for the title', () => {
  const info = {accountName: '/home/meg/.config/parley/work.zuliprc', accountCount: 2};
  expect(header({info, size: '40x15'})).toMatch(/^ acme {2}#backend › deploy/);
  expect(header({info: {...info, accountName: 'a name that is far too long'}, size: '40x15'})).toContain('#backend');
});

test('header: marks muted conversations, explore and read-only sessions', () => {
  expect(header({view: messagesView(topicNarrow(random, 'cats'))})).toContain('muted');
  expect(header({info: {isExploring: true}})).toContain('EXPLORE');
  expect(header({info: {isReadOnly: true}})).toContain('READ-ONLY');
});

test('header: cached state shows its time, and counts are approximate', () => {
  const line = header({slices: {connection: {phase: 'starting', savedAt: noonMs - 3_600_000}}});
  expect(line).toMatch(/1 unread mention {2}inbox ≈@1 4 {2}cached 11:00 {2}12:00$/);
});

const offline = {
  phase: 'offline',
  since: noonMs - 60_000,
  retryAt: undefined,
  problem: 'No answer.',
  savedAt: undefined,
} as const;

test('header: a lost connection shows the next retry first, then since when', () => {
  const slices = {connection: offline};
  expect(header({slices, screen: {outage: {isFresh: true, retryIn: 4}}})).toContain('◌ reconnecting in 4 s');
  const trying = {isFresh: true, retryIn: undefined};
  expect(header({slices, screen: {outage: trying}})).toMatch(/◌ reconnecting {2}12:00$/);
  expect(header({slices})).toContain('offline since 11:59');
  expect(header({slices: {...slices, outbox: [entry('queued'), entry('sending')]}})).toContain(
    'offline since 11:59 · 2 messages waiting',
  );
  expect(header({slices, size: '40x15'})).toContain('offline');
});

test('header: a server that answers with errors is shown as busy, not offline', () => {
  const slices = {connection: {...offline, answered: 'busy'}} as const;
  const status = (retryIn: number | undefined, size = '80x24') =>
    header({slices, size, screen: {outage: {isFresh: false, retryIn}}});
  expect(status(7)).toContain('◌ server busy, retrying in 7 s');
  expect(status(300)).toContain('retrying in 5 min');
  expect(status(undefined)).toMatch(/server busy, retrying {2}/);
  expect(status(7, '40x15')).toContain('◌ busy in 7 s');
});

test('header: a web page or an unreadable response is said in plain words', () => {
  const status = (answered: 'webPage' | 'unreadable', size = '80x24') =>
    header({slices: {connection: {...offline, answered}}, size, screen: {outage: {isFresh: false, retryIn: 7}}});
  expect(status('webPage')).toContain('◌ got a web page, not Zulip, retrying in 7 s');
  expect(status('unreadable')).toContain('◌ unreadable response, retrying in 7 s');
  expect(status('webPage', '40x15')).toContain('◌ web page in 7 s');
});

test('header: requests without a response replace the online mark by the seconds', () => {
  const silent = (silentFor: number, phase: 'online' | 'starting', size = '80x24') =>
    header({
      slices: {connection: {phase, savedAt: undefined, silentSince: noonMs}},
      size,
      screen: {outage: {isFresh: false, retryIn: undefined, silentFor}},
    });
  expect(silent(30, 'online')).toMatch(/◌ no answer for 30 s {2}12:00$/);
  expect(silent(31, 'starting')).toContain('◌ no answer for 31 s');
  expect(silent(30, 'online', '40x15')).toContain('no answer for 30 s');
});

test('header: the focused connection shows the next retry and the key to retry now', () => {
  const screen = {focus: 'connection', outage: {isFresh: false, retryIn: 12}} as const;
  const line = header({slices: {connection: offline}, size: '120x40', screen});
  expect(line).toContain('▌offline since 11:59 · again in 12 s · Enter reconnects');
  const small = header({slices: {connection: offline}, size: '40x15', screen});
  expect(small).toContain('▌Enter reconnects');
});

test('header: unsent messages are counted', () => {
  expect(header({slices: {outbox: [entry('failed'), entry('sent')]}})).toContain('1 failed');
  const all = (['queued', 'sending', 'held', 'sent', 'failed', 'unconfirmed'] as const).map(entry);
  const line = header({slices: {outbox: all, connection: offline}, size: '140x40'});
  expect(line).toContain('2 failed');
  expect(line).toContain('3 messages waiting');
  expect(header({slices: {outbox: all.slice(2, 3), connection: offline}, size: '140x40'})).toContain(
    '1 message waiting',
  );
});

test('header: selected rows are counted where no status line does', () => {
  const lists = listsWith(inboxList, {selected: new Set(['c1:logs', 'c2:css'])});
  const shown = (size: string) => header({view: {kind: 'inbox'}, size, screen: {lists}});
  expect(shown('80x15')).toMatch(/^ 2 selected · Inbox/);
  expect(shown('80x16')).toMatch(/^ Inbox/);
});

test('header: signed out, the whole line says what to do', () => {
  const slices = {connection: {phase: 'signedOut', problem: 'The key is no longer good.'}} as const;
  expect(header({slices, size: '140x40', info: {canLogIn: true}})).toBe(
    ' Signed out — Tab Enter logs in again · The key is no longer good. What you wrote is saved.',
  );
  const screen = {focus: 'connection'} as const;
  expect(header({slices, size: '40x15', info: {canLogIn: true}, screen})).toMatch(/^▌Signed out — Enter logs in again/);
  expect(header({slices, size: '140x40'})).toBe(
    ' Signed out — Tab Enter reconnects · The key is no longer good. “parley login” gets a new key. What you wrote is saved.',
  );
  const deactivated = {phase: 'signedOut', problem: 'Account is deactivated.', isDeactivated: true} as const;
  expect(header({slices: {connection: deactivated}, size: '140x40', info: {canLogIn: true}})).toBe(
    ' Signed out — Tab Enter reconnects · Account is deactivated. Parley keeps trying. What you wrote is saved.',
  );
});

test.each([30, 40, 60, 80, 100, 120, 200])('header: fits into %i columns', (columns) => {
  const slices = {connection: offline, outbox: [entry('failed'), entry('queued')], userTopics: followed};
  const frame = egFrame({
    account: listAccount(slices),
    size: `${columns}x24`,
    view: messagesView(topicNarrow(backend, 'a very long topic about which nobody can stop talking')),
    info: {accountCount: 3, isExploring: true},
    now: noonMs,
  });
  for (const line of headerLines(frame, egRect(`${columns}x24`))) expect(line.width).toBeLessThanOrEqual(columns);
});

test('header: a search without a typed query is described', () => {
  const titled = (narrow: Narrow) => header({view: messagesView(narrow)}).split('  ')[0];
  expect(titled([{operator: 'sender', operand: bo}])).toBe(' Messages from Bo Wu');
  expect(
    titled([
      {operator: 'sender', operand: bo},
      {operator: 'has', operand: 'link'},
    ]),
  ).toMatch(/^ Search: sender:.*Bo.* has:link$/);
});

test('header: before the first registration there is no time, because its format is not known', () => {
  const now = Date.UTC(2026, 0, 1, 13, 30);
  const unknown = (connection: AccountState['connection']) =>
    textOf(headerLines(egFrame({account: {...initialState, connection}, now}), egRect('80x24')))[0];
  expect(unknown({phase: 'starting', savedAt: undefined})).toMatch(/^ Inbox +◌ connecting$/);
  expect(unknown({phase: 'offline', since: now, retryAt: undefined, savedAt: undefined, problem: ''})).toMatch(
    /^ Inbox +offline$/,
  );
});

test('window title: shows the view and the inbox count', () => {
  const frame = egFrame({account: listAccount(), view: deploy});
  expect(windowTitle(frame)).toBe('(@1 4) #backend › deploy — acme');
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

test('header: an opened row of the sidebar has the same count there and in the header, and the inbox in the title', () => {
  fc.assert(
    fc.property(arbitraryAccountState, (account) => {
      const frameOf = (view: View) => egFrame({account, size: '120x40', view, now: noonMs});
      const rows = channelList.rows(frameOf({kind: 'recent'}));
      for (const {target, count, mentions, isQuiet} of rows) {
        const view = viewOf(target);
        if (view?.kind !== 'messages' || (isQuiet && target?.kind === 'view')) continue;
        const [line = ''] = textOf(headerLines(frameOf(view), egRect('120x1')));
        const shown = [unreadCountWords({count, mentions}, {dot: '·'}), `${unreadCountText({count, mentions})} unread`];
        const counts = line.split(/ {2,}/).filter((part) => /^[@\d].*unread/.test(part));
        expect(counts).toEqual(count === 0 ? [] : [expect.toSatisfy((text) => shown.includes(text))]);
      }
      const inbox = rows.find(({key}) => key === 'view inbox');
      const shown = inbox === undefined || inbox.count === 0 ? '' : `(${unreadCountText(inbox)}) `;
      expect(windowTitle(frameOf({kind: 'recent'}))).toBe(`${shown}Recent conversations — acme`);
    }),
    {numRuns: 40},
  );
});

function viewOf(target: RowTarget | undefined): View | undefined {
  if (target?.kind === 'view') return target.view;
  if (target?.kind === 'channel') return messagesView(channelNarrow(target.channelId));
  return target?.kind === 'conversation' ? messagesView(conversationNarrow(target.conversation)) : undefined;
}
