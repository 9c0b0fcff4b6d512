import {expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {combinedFeedNarrow, directNarrow, everythingNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {assertLineContract} from '#test/support/line-contract.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {paintLine} from '#ui/Lines.tsx';
import {previewTimeline} from '#ui/message-pane/shown-timeline.ts';
import {noon, pane, several, talk, timelineFrame} from './timeline-frame.ts';

const thumbsUp = (userId: number) =>
  ({emojiName: '+1', emojiCode: '1f44d', reactionType: 'unicode_emoji', userId}) as const;

const conversation = [
  eg.message({id: 1, senderId: 11, content: 'rollback finished', timestamp: noon - 86_400}),
  eg.message({id: 2, senderId: 12, content: 'can we lift the freeze?', timestamp: noon - 600}),
  eg.message({id: 3, senderId: 12, content: 'before noon', timestamp: noon - 570}),
  eg.message({
    id: 4,
    senderId: 11,
    content: 'yes',
    timestamp: noon - 60,
    reactions: [thumbsUp(12), thumbsUp(10)],
  }),
];

test('message pane: below 100 columns names are on separate lines, with the time at the right', () => {
  const frame = timelineFrame({messages: conversation, state: {firstUnread: 2, unreadCount: 3}});
  expect(pane(frame, '60x20')).toEqual([
    '── beginning ───────────────────────────────────────────────',
    '── yesterday ───────────────────────────────────────────────',
    'Bo Wu                                                  12:00',
    '  rollback finished',
    '── today ───────────────────────────────────────────────────',
    '── 3 unread ────────────────────────────────────────────────',
    'Dan Ito                                                11:50',
    '▌ can we lift the freeze?',
    '· before noon',
    'Bo Wu                                                  11:59',
    '  yes   [👍 Dan Ito, You]',
  ]);
});

test('message pane: reactions to a message that begins at the right are below it', () => {
  const messages = [eg.message({id: 1, senderId: 11, content: 'שלום', timestamp: noon, reactions: [thumbsUp(12)]})];
  const frame = timelineFrame({messages});
  expect(pane(frame, '60x20').slice(-2)).toEqual(['▌ שלום', '▌ 👍 Dan Ito']);
});

test('message pane: two people of one name are told apart', () => {
  const users = eg.users(
    eg.user({id: 11, fullName: 'Bo Wu', deliveryEmail: 'bo@a.example'}),
    eg.user({id: 12, fullName: 'Bo Wu', deliveryEmail: 'wu@a.example'}),
  );
  const lines = pane(timelineFrame({messages: conversation, account: {users}}), '60x20');
  expect(lines.filter((line) => line.startsWith('Bo Wu'))).toEqual([
    expect.stringContaining('Bo Wu (bo@a.example)'),
    expect.stringContaining('Bo Wu (wu@a.example)'),
    expect.stringContaining('Bo Wu (bo@a.example)'),
  ]);
});

test('message pane: a wide pane has a column for names and one for times', () => {
  const frame = timelineFrame({messages: conversation, frame: {size: '160x30'}, state: {openAt: 'newest'}});
  expect(pane(frame, '90x20').slice(2)).toEqual([
    '  Bo Wu          12:00  rollback finished',
    `── today ${'─'.repeat(81)}`,
    '  Dan Ito        11:50  can we lift the freeze?',
    '                     ·  before noon',
    '▌ Bo Wu          11:59  yes   [👍 Dan Ito, You]',
  ]);
});

test.each([
  ['120x20', 'Wilhelmina Feathersto…'],
  ['105x20', 'Wilhelmina Feathers…'],
  ['88x20', 'Wilhelmina Fe…'],
])('message pane: names get more columns where the text has enough: in %s', (size, name) => {
  const messages = [
    eg.message({id: 1, senderId: 99, senderName: 'Wilhelmina Featherstonehaugh', timestamp: noon - 60}),
  ];
  const [, , line = ''] = pane(timelineFrame({messages, frame: {size: '200x50'}}), size);
  expect(line).toContain(`${name} 11:59`);
});

test('message pane: a narrow pane has a minimal margin', () => {
  const frame = timelineFrame({messages: conversation.slice(3), frame: {size: '40x15'}});
  expect(pane(frame, '40x10').slice(2)).toEqual([
    'Bo Wu                              11:59',
    '▌yes  [👍 Dan Ito, You]',
  ]);
});

test('message pane: messages of one sender are grouped for ten minutes', () => {
  const messages = [0, 500, 1200].map((seconds, at) =>
    eg.message({id: at + 1, senderId: 11, content: `at ${seconds}`, timestamp: noon - 1800 + seconds}),
  );
  expect(pane(timelineFrame({messages}), '60x20').slice(2)).toEqual([
    'Bo Wu                                                  11:30',
    '  at 0',
    '· at 500                                               11:38',
    'Bo Wu                                                  11:50',
    '▌ at 1200',
  ]);
});

test('message pane: a view of several conversations has headings', () => {
  const messages = [
    eg.message({id: 1, content: 'one', timestamp: noon - 90}),
    eg.message({id: 2, channelId: 2, topic: '✔ css', content: 'two', timestamp: noon - 80}),
    eg.direct({id: 3, userIds: [12], senderId: 12, content: 'three', timestamp: noon - 70}),
  ];
  expect(pane(timelineFrame({messages, narrow: everythingNarrow}), '50x20').slice(2)).toEqual([
    '#backend › talk',
    'Bo Wu                                        11:58',
    '  one',
    '',
    '#web › css ✓',
    'Bo Wu                                        11:58',
    '  two',
    '',
    'Direct Dan Ito',
    'Dan Ito                                      11:58',
    '▌ three',
  ]);
});

test('message pane: a message that continues a group is marked, and has its time where a line has room', () => {
  const long = 'a'.repeat(50);
  const contents = ['first', 'second', `${long} ${long}`, long, 'last'];
  const messages = contents.map((content, at) => eg.message({id: at + 1, senderId: 11, content, timestamp: noon + at}));
  const frameOf = (size: string) => timelineFrame({messages, state: {selected: 2, openAt: undefined}, frame: {size}});
  expect(pane(frameOf('60x24'), '60x20').slice(2)).toEqual([
    'Bo Wu                                                  12:00',
    '  first',
    '▌ second                                               12:00',
    `· ${long}`,
    `  ${long}`,
    `· ${long}`,
    '· last',
  ]);
  expect(pane(frameOf('120x40'), '90x20').slice(2, 6)).toEqual([
    '  Bo Wu          12:00  first',
    '▌                12:00  second',
    `                     ·  ${long}`,
    `                        ${long}`,
  ]);
});

test('message pane: the time of a full first line is at the right of the last one', () => {
  const contents = ['first', `${'a'.repeat(55)} tail`];
  const messages = contents.map((content, at) =>
    eg.message({id: at + 1, senderId: 11, content, timestamp: noon + 90 * at}),
  );
  expect(pane(timelineFrame({messages}), '60x20').slice(4)).toEqual([
    `▌ ${'a'.repeat(55)}`,
    '▌ tail                                                 12:01',
  ]);
});

test('message pane: up to three reactions name the people, more are counted, as are names that would be cut', () => {
  const reactions = [thumbsUp(12), {...thumbsUp(10), emojiName: 'tada', emojiCode: '1f389'}];
  const text = (count: number, size: string, settings = {}) => {
    const all = [...reactions, thumbsUp(11), thumbsUp(13)].slice(0, count);
    const messages = [eg.message({id: 1, senderId: 11, content: 'yes', timestamp: noon, reactions: all})];
    const account = {settings: {...initialState.settings, ...settings}};
    return pane(timelineFrame({messages, account}), size).slice(3).join('|');
  };
  expect(text(2, '60x20')).toBe('▌ yes   👍 Dan Ito  [🎉 You]');
  expect(text(3, '60x20')).toBe('▌ yes   👍 Dan Ito, Bo Wu  [🎉 You]');
  expect(text(4, '60x20')).toBe('▌ yes   👍 3  [🎉 1]');
  expect(text(3, '16x20')).toBe('▌yes|▌👍2  [🎉 You]');
  expect(text(3, '60x20', {displayEmojiReactionUsers: false})).toBe('▌ yes   👍 2  [🎉 1]');
});

test('message pane: edited mark and star follow the text, before the link addresses', () => {
  const content = 'see [the run](https://ci.acme.dev/1)';
  const messages = [eg.message({id: 1, content, editedAt: noon, timestamp: noon - 60})];
  const frame = timelineFrame({messages, account: {starred: SortedSet.from([1])}});
  expect(pane(frame, '60x20').slice(3)).toEqual(['▌ see the run [1]   (edited)  ★', '▌ [1] https://ci.acme.dev/1']);
});

test('message pane: a moved message says so, unless it was also edited; below a poll that is on a line of its own', () => {
  const moved = {timestamp: noon - 60, movedAt: noon};
  const poll = {widget_type: 'poll', extra_data: {question: 'Tea?', options: ['yes']}};
  const submessages = [{id: 1, senderId: 11, type: 'widget', content: JSON.stringify(poll)}];
  const lines = (fields: Parameters<typeof eg.message>[0]) =>
    pane(timelineFrame({messages: [eg.message({id: 1, content: 'hi', ...moved, ...fields})]}), '60x20').slice(3);
  expect(lines({})).toEqual(['▌ hi   (moved)']);
  expect(lines({editedAt: noon})).toEqual(['▌ hi   (edited)']);
  expect(lines({submessages})).toEqual(['▌ Tea?', '▌ [0] yes', '▌ (moved)']);
});

test('message pane: a long message is shown whole where little would be saved', () => {
  const shown = (count: number) => {
    const content = Array.from({length: count}, (_, at) => `line ${at + 1}`).join('\n');
    return pane(timelineFrame({messages: [eg.message({id: 1, content, timestamp: noon})]}), '60x40').at(-1);
  };
  expect(shown(17)).toBe('▌ line 17');
  expect(shown(18)).toBe('▌ … 4 more lines (-)');
});

test('message pane: one column decides whether names have a column', () => {
  const shown = (screen: string, columns: number) =>
    pane(timelineFrame({messages: conversation, frame: {size: screen}}), `${columns}x20`).includes(
      '  rollback finished',
    );
  expect([shown('100x30', 84), shown('100x30', 83), shown('99x30', 84)]).toEqual([false, true, true]);
});

test('message pane: a message that is collapsed is one line, until it is expanded', () => {
  const messages = [eg.message({id: 1, content: 'one\ntwo', flags: ['collapsed'], timestamp: noon})];
  const frame = timelineFrame({messages});
  const expanded = {...frame, screen: {...frame.screen, expandedMessageIds: new Set([1])}};
  const shown = [frame, expanded, frame].map((each) => pane(each, '60x20').slice(3));
  expect(shown).toEqual([['▌ … collapsed (-)'], ['▌ one', '▌ two'], ['▌ … collapsed (-)']]);
});

test('message pane: code is coloured as soon as its colours are known', () => {
  const frame = timelineFrame({messages: [eg.message({id: 1, content: '```js\nlet a;\n```', timestamp: noon})]});
  const highlight = () =>
    [
      [
        {text: 'let', role: 'code_keyword'},
        {text: ' a;', role: 'code_block'},
      ],
    ] as const;
  const rolesOf = (each: typeof frame) =>
    messagePaneLines(each, egRect('60x20')).flatMap((line) => line.spans.map(({role}) => role));
  expect(rolesOf(frame)).not.toContain('code_keyword');
  expect(rolesOf({...frame, display: {...frame.display, highlight}})).toContain('code_keyword');
});

test('message pane: a /me message is no part of a group, nor is what follows it, sent or not', () => {
  const at = (id: number, more: object = {}) =>
    eg.message({id, senderId: eg.selfId, content: `${id}`, timestamp: noon - 10 + id, ...more});
  const me = at(1, {isMe: true, content: '/me waves'});
  const names = (...args: Parameters<typeof timelineFrame>) =>
    pane(timelineFrame(...args), '60x20').filter((line) => line.startsWith('Ann Lee')).length;
  expect(names({messages: [me, at(2), at(3)]})).toBe(1);
  expect(names({messages: [me], account: {outbox: [entry({})]}})).toBe(1);
  expect(names({messages: [at(1)], account: {outbox: [entry({})]}})).toBe(1);
});

test('message pane: a group lasts less than ten minutes', () => {
  const names = (seconds: number) => {
    const messages = [0, seconds].map((after, index) =>
      eg.message({id: index + 1, senderId: 11, timestamp: noon - 900 + after}),
    );
    return pane(timelineFrame({messages}), '60x20').filter((line) => line.startsWith('Bo Wu')).length;
  };
  expect([names(599), names(600)]).toEqual([1, 2]);
});

test('message pane: a /me message has no name above it', () => {
  const messages = [eg.message({id: 1, content: '/me waves', isMe: true, timestamp: noon - 60})];
  expect(pane(timelineFrame({messages}), '60x20').slice(2)).toEqual(['▌ Bo Wu waves   11:59']);
});

test('message pane: unread messages have a dot, the selected one a bar', () => {
  const messages = several(2);
  const unreads = {
    ...initialState.unreads,
    byId: SortedMap.from<number, string>([
      [1, 'x'],
      [2, 'x'],
    ]),
  };
  expect(
    pane(timelineFrame({messages, account: {unreads}}), '60x20').filter((line) => line.includes('message')),
  ).toEqual(['• message 1', '▌•message 2']);
});

test('message pane: a long message is truncated with a count; expanded it is complete', () => {
  const content = Array.from({length: 30}, (_, at) => `line ${at + 1}`).join('\n');
  const messages = [eg.message({id: 1, content, timestamp: noon})];
  const truncated = pane(timelineFrame({messages}), '60x40');
  expect(truncated.at(-1)).toBe('▌ … 16 more lines (-)');
  const whole = pane(timelineFrame({messages, frame: {screen: {expandedMessageIds: new Set([1])}}}), '60x40');
  expect(whole.at(-1)).toBe('▌ line 30');
});

test('message pane: spoilers are closed until the message is expanded', () => {
  const messages = [eg.message({id: 1, content: '```spoiler ending\nthe butler\n```', timestamp: noon})];
  expect(pane(timelineFrame({messages}), '60x20').at(-1)).toBe('▌ ▸ ending (spoiler, 1 line)');
  const open = timelineFrame({messages, frame: {screen: {expandedMessageIds: new Set([1])}}});
  expect(pane(open, '60x20').slice(-2)).toEqual(['▌ ▾ ending', '▌   the butler']);
});

test('message pane: messages of a muted user are hidden', () => {
  const messages = several(1);
  const frame = timelineFrame({
    messages,
    account: {mutedUsers: SortedMap.from([[11, {id: 11, timestamp: 0}]])},
  });
  expect(pane(frame, '60x20').slice(2)).toEqual([
    'Muted user                                             11:00',
    '▌ Hidden: from a user you muted (-)',
  ]);
});

const entry = (fields: Partial<OutboxEntry>) => eg.outboxEntry({id: 'a', createdAt: noon * 1000, ...fields});

test('message pane: unsent messages are at the end, and show their status', () => {
  const shown = (fields: Partial<OutboxEntry>, state = {}) =>
    pane(timelineFrame({messages: several(1), account: {outbox: [entry(fields)]}, state}), '70x20').slice(4);
  const name = `Ann Lee${' '.repeat(58)}12:00`;
  const selected = {selected: 'a', openAt: undefined};
  expect(shown({}, selected)).toEqual([name, '▌ on my way']);
  expect(shown({}, {...selected, slowOutboxIds: ['a']})).toEqual([name, '▌ on my way …']);
  expect(shown({status: 'failed', problem: 'No such channel.'}, {...selected, selected: 1})).toEqual([
    name,
    '  on my way',
    '  ! not sent: No such channel.',
  ]);
  expect(shown({status: 'failed'}, selected)).toEqual([name, '▌ on my way', '▌ ! not sent']);
  expect(shown({status: 'held'}, selected).at(2)).toMatch(/not sent automatically, written at 12:00$/);
  expect(shown({status: 'unconfirmed'}, selected).at(2)).toMatch(/possibly not sent$/);
});

test('message pane: offline an unsent message waits for the connection', () => {
  const connection = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;
  const last = (fields: Partial<OutboxEntry>) =>
    pane(timelineFrame({messages: several(1), account: {outbox: [entry(fields)], connection}}), '70x20').join();
  expect(last({status: 'queued'})).toContain('waiting for the connection');
  expect(last({status: 'sending'})).not.toContain('waiting');
});

test('preview: messages that could not be loaded name the keys of a preview', () => {
  const shown = (timeline: object) => {
    const frame = timelineFrame({messages: several(1), timeline: {problem: 'Busy.', ...timeline}});
    return textOf(
      previewTimeline(frame, {narrow: talk, rect: egRect('80x12'), firstUnread: undefined, unreadCount: 0}).lines,
    ).join('|');
  };
  expect(shown({hasOldest: false})).toContain('PageUp tries again');
  expect(shown({hasNewest: false})).toContain('Space tries again');
});

test('message pane: the edges show what is loading or failed', () => {
  const edges = (timeline: object) => {
    const lines = pane(timelineFrame({messages: several(1), timeline}), '70x20');
    return [lines[0], lines.at(-1)];
  };
  expect(edges({hasOldest: false, loading: 'older'})[0]).toMatch(/^── loading older ─/);
  expect(edges({hasNewest: false, loading: 'newer'})[1]).toMatch(/below · G$/);
  expect(edges({hasOldest: false, problem: 'Busy.'})[0]).toMatch(/^── older messages .*: Busy. · k tries again/);
});

test('message pane: an empty view says why and what to do', () => {
  const text = (narrow: Parameters<typeof timelineFrame>[0] & object) => pane(timelineFrame(narrow), '70x20').join('|');
  expect(text({})).toContain('No messages in #backend › talk yet.');
  expect(text({narrow: directNarrow([12])})).toContain('No messages with Dan Ito yet.');
  expect(text({narrow: narrowIs('starred')})).toContain('S on a message stars it');
  expect(text({narrow: [{operator: 'search', operand: 'tide'}]})).toContain(
    'No messages found for: tide|  Enter searches all public channels',
  );
  expect(text({timeline: {hasNewest: false, loading: 'first'}})).toContain('Loading messages…');
  expect(text({timeline: {hasNewest: false, problem: 'Busy.'}})).toContain('could not be loaded: Busy.');
});

test('message pane: an empty view of the user’s messages says what it would have, with the keys that go on', () => {
  const lines = (narrow: Narrow, account: Partial<AccountState> = {}) =>
    pane(timelineFrame({narrow, account}), '70x20')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  expect(lines(narrowIs('starred'))).toEqual(['No starred messages.', 'S on a message stars it']);
  expect(lines(narrowIs('mentioned'))).toEqual(['No mentions yet.', 't recent conversations']);
  expect(lines(narrowIs('alerted'))).toEqual(['No messages with your alert words yet.', 't recent conversations']);
  expect(lines(narrowIs('dm'))).toEqual(['No direct messages yet.', 'x writes one']);
  expect(lines(narrowIs('unread'))).toEqual(['No unread messages.', 't recent conversations']);
  expect(lines(narrowIs('followed'))).toEqual(['No messages in followed topics.', 'F follows a topic']);
  const feed = ['No messages yet.', 'c starts a topic, x a direct message'];
  expect([lines([]), lines(combinedFeedNarrow)]).toEqual([feed, feed]);
  expect(lines(talk)[1]).toBe('r writes the first message');
  const archived = eg.byId(eg.channel({id: 1, name: 'backend', isArchived: true}));
  expect(lines(talk, {channels: archived})).toEqual(['No messages in #backend › talk yet.']);
  const words = {operator: 'search', operand: 'tide'};
  for (const narrow of [[words, {operator: 'is', operand: 'dm'}], [{...words, operator: 'has', operand: 'link'}]])
    expect(lines(narrow).at(-1)).toBe('/ changes the search');
});

test('message pane: an empty view of a private channel says that it can no longer be read as soon as the user is removed', () => {
  const channels = eg.byId(eg.channel({id: 1, name: 'backend', isPrivate: true, historyPublicToSubscribers: false}));
  const subscriptions = eg.subscribed(eg.subscription({channelId: 1}));
  const frame = timelineFrame({account: {channels, subscriptions}, timeline: {hasNewest: false, loading: 'first'}});
  expect(pane(frame, '70x20').join('\n')).toContain('Loading messages…');
  const removed = {...frame, account: {...frame.account, subscriptions: eg.subscribed()}};
  expect(pane(removed, '70x20').join('\n')).toContain('You do not have access to the messages of #backend.');
});

test('message pane: the last line shows who is typing and what is below', () => {
  const typists = SortedMap.from<number, number>([[12, noon * 1000 + 9000]]);
  const typing = {
    conversations: SortedMap.from<string, typeof typists>([['c1:talk', typists]]),
    edits: SortedMap.empty<number, SortedMap<number, number>>(),
  };
  const frame = timelineFrame({messages: several(30), state: {openAt: 'oldest'}, account: {typing}});
  expect(pane(frame, '60x12').at(-1)).toBe('  Dan Ito is typing…                       ↓ more below · G');
});

test('message pane: search matches are highlighted', () => {
  const messages = [eg.message({id: 1, content: 'the tide turns', timestamp: noon})];
  const match = {content: 'the <span class="highlight">tide</span> turns', topic: 'talk'};
  const narrow = [{operator: 'search', operand: 'tide'}] as const;
  const frame = timelineFrame({messages, narrow, timeline: {matches: SortedMap.from([[1, match]])}});
  const spans = messagePaneLines(frame, egRect('60x20')).flatMap((line) => line.spans);
  expect(spans.find(({role}) => role === 'match')?.text).toBe('tide');
  expect(pane(frame, '60x20').at(-1)).toMatch(/^── end ─/);
});

test('message pane: a message says that its edit is not saved as soon as that is known', () => {
  const frame = timelineFrame({messages: several(2, () => ({senderId: eg.selfId}))});
  expect(pane(frame, '60x20').join('\n')).not.toContain('Edit not saved');
  const unsaved = {...frame, screen: {...frame.screen, unsavedEditIds: new Set([2])}};
  expect(pane(unsaved, '60x20').join('\n')).toContain('Edit not saved');
});

test('preview: starts at the first unread message and has no cursor', () => {
  const frame = timelineFrame({messages: several(40)});
  const request = {narrow: talk, rect: egRect('60x12'), firstUnread: 30, unreadCount: 11};
  expect(textOf(previewTimeline(frame, request).lines).slice(0, 5)).toEqual([
    'Bo Wu                                                  11:28',
    '  message 29',
    '── 11 unread ───────────────────────────────────────────────',
    'Dan Ito                                                11:29',
    '  message 30',
  ]);
  const top = {id: 40, skippedLines: 0};
  expect(textOf(previewTimeline(frame, {...request, top}).lines).at(-1)).toMatch(/^── end ─/);
});

test('preview: the first unread is at the same line, also when little follows it', () => {
  const frame = timelineFrame({messages: several(40)});
  const request = {narrow: talk, rect: egRect('60x12'), firstUnread: 39, unreadCount: 2};
  const lines = textOf(previewTimeline(frame, request).lines);
  expect(lines[2]).toMatch(/^── 2 unread ─/);
  expect(lines.at(-1)).toMatch(/^── end ─/);
  expect(lines).toHaveLength(8);
});

test('preview: a low one shows only the unread messages', () => {
  const frame = timelineFrame({messages: several(40)});
  const request = {narrow: talk, rect: egRect('60x7'), firstUnread: 30, unreadCount: 11};
  expect(textOf(previewTimeline(frame, request).lines)[0]).toMatch(/^Dan Ito +11:29$/);
});

test('preview: long messages are not truncated', () => {
  const content = Array.from({length: 80}, (_, at) => `line ${at}`).join('\n');
  const frame = timelineFrame({messages: [eg.message({id: 1, content, timestamp: noon})]});
  const request = {narrow: talk, rect: egRect('60x100'), firstUnread: 1, unreadCount: 1};
  expect(textOf(previewTimeline(frame, request).lines)).toContain('  line 79');
  expect(pane(frame, '60x100').join('\n')).toMatch(/more lines/);
});

test('message pane: unchanged lines keep their identity', () => {
  const parts = {messages: several(50), state: {selected: 40, openAt: undefined}};
  const first = timelineFrame(parts);
  const before = messagePaneLines(first, egRect('80x20'));
  const {account} = first;
  const other = {...first, account: {...account, messages: {...account.messages}}, screen: {...first.screen}};
  // The last line is the notice, which the component keeps.
  expect(
    messagePaneLines(other, egRect('80x20'))
      .slice(0, -1)
      .every((line, at) => line === before[at]),
  ).toBe(true);
});

test('message pane: ASCII terminals get ASCII only', () => {
  const frame = timelineFrame({
    messages: [...conversation, eg.message({id: 9, content: '> said\n\n- item', topic: '✔ x', timestamp: noon})],
    narrow: everythingNarrow,
    state: {firstUnread: 2, unreadCount: 3, openAt: 'oldest'},
    frame: {display: {glyphs: 'ascii'}},
  });
  expect(pane(frame, '60x30').join('')).toMatch(/^[ -~]*$/);
});

test('message pane: painted lines keep the line contract at every width', () => {
  const content =
    '**bold** `code` 漢字漢字漢字 👩‍💻 @**Ann Lee** https://example.com/a/very/long/path/that/does/not/fit/anywhere';
  const messages = several(12, (at) => ({content: `${content}\n\n| a | b |\n|---|---|\n| ${at} | 漢字 |`}));
  for (const columns of [30, 39, 40, 59, 60, 80, 99, 120, 148]) {
    const frame = timelineFrame({
      messages,
      frame: {size: `${columns + 52}x30`},
      state: {firstUnread: 3, unreadCount: 2},
    });
    const lines = messagePaneLines(frame, egRect(`${columns}x30`));
    assertLineContract(
      lines.map((line) => paintLine(line, frame.display)),
      columns,
    );
  }
});
