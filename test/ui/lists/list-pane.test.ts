import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import type {TopicSummary} from '#state/model/channel-topics.ts';
import {directConversation} from '#state/model/conversation.ts';
import {channelNarrow, directNarrow, narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {emptyTimeline} from '#state/model/timeline.ts';
import {noUnreads} from '#state/model/unread.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import {assertLineContract} from '#test/support/line-contract.ts';
import {listPane} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {catchUpList} from '#ui/catch-up/catch-up-list.ts';
import {channelBrowser} from '#ui/channel-browser/channel-browser.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {messagesView, type View} from '#ui/core/frame.ts';
import {paintLine} from '#ui/Lines.tsx';
import {listRowAt} from '#ui/lists/list-position.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {peopleList} from '#ui/people/people-list.ts';
import {directList, recentList} from '#ui/recent/recent-list.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';
import {roles} from '#wire/objects/user.ts';
import {backend, bo, dan, listAccount, listsWith, listText, noonMs, random, web} from './list-fixture.ts';

const frame = (parts: Parameters<typeof egFrame>[0] = {}) =>
  egFrame({account: listAccount(), now: noonMs, size: '120x24', ...parts});

test('lists: the sidebar shows views, direct conversations and channels with their unread counts', () => {
  const rows = listText(frame({view: messagesView(topicNarrow(backend, 'deploy'))}), channelList);
  expect(rows.filter((row) => row !== '')).toEqual([
    '  Inbox            @1 4',
    '  Recent',
    '  Mentions           @1',
    '  Starred',
    '  Drafts',
    '  DIRECT MESSAGES',
    '  ○ Bo Wu             1',
    '  ○ Dan Ito',
    '  PINNED CHANNELS',
    '▐ #backend         @1 2',
    '  CHANNELS',
    '  #web                1',
    '  #random             1',
  ]);
});

test('lists: the sidebar marks the direct conversation that is shown, however many are newer', () => {
  const ids = Array.from({length: 12}, (_, at) => 20 + at);
  const account = listAccount();
  const messages = ids.map((id) => eg.direct({id: 100 + id, userIds: [id], senderId: id}));
  const crowded = {
    ...account,
    users: eg.users(...account.users.values(), ...ids.map((id) => eg.user({id, fullName: `Person ${id}`}))),
    messages: withMessages(account.messages, messages),
  };
  const names = (view: View) => listText(frame({account: crowded, view, size: '120x40'}), channelList);
  expect(names({kind: 'recent'}).join()).not.toContain('Person 20');
  expect(names(messagesView(directNarrow([20])))).toContainEqual(expect.stringMatching(/^▐.*Person 20/));
  // A conversation that has no message yet is marked, too.
  expect(names(messagesView(directNarrow([eg.selfId])))).toContainEqual(expect.stringMatching(/^▐.*(Ann Lee|self)/));
});

test('lists: an ASCII terminal gets ASCII symbols', () => {
  const account = listAccount({
    presences: {
      byUser: SortedMap.from([[bo, {activeAt: noonMs / 1000, idleAt: undefined}]]),
      lastUpdateId: 1,
      serverOffset: 0,
    },
  });
  const plain = frame({account, display: {glyphs: 'ascii'}, screen: {focus: 'channels'}});
  const rows = listText(plain, channelList);
  expect(rows).toContain('  * Bo Wu             1');
  expect(rows).toContain('  . Dan Ito');
  expect(rows[0]).toBe('> Inbox            @1 4');
  expect(rows.join('')).not.toMatch(/[^\x20-\x7e]/);
});

test('lists: beside a topic are the topics of its channel, newest first, with their symbols', () => {
  const view = messagesView(topicNarrow(backend, 'deploy'));
  const account = listAccount({
    userTopics: SortedMap.from([['c1:deploy', {channelId: backend, topic: 'deploy', policy: 3, lastUpdated: 0}]]),
  });
  expect(listText(frame({account, view}), topicList)).toEqual([
    '  #backend           @1 2',
    '  All messages',
    '  logs                  1',
    '▐ deploy ◎             @1',
  ]);
});

/** The last rows of the topics beside the feed of a channel whose topics are not all known. */
function topicsPane(parts: Parameters<typeof egFrame>[0] = {}, channelId: number = backend) {
  return listText(frame({view: messagesView(channelNarrow(channelId)), ...parts}), topicList).slice(2);
}

const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;
const failedTopics = (channelId: number) =>
  new Map([[`topics ${channelId}`, {isFetching: false, error: 'The server is busy.'}]]);
const keys = makeKeyGuide(defaultKeymap, commandTable);

test('lists: topics that are not known are loading, could not be loaded, or are not saved', () => {
  const unknown: number = 4;
  const account = listAccount({channels: eg.byId(eg.channel({id: unknown, name: 'quiet'}))});
  expect(topicsPane({account}, unknown)).toEqual(['', '  Loading topics…']);
  const failed = topicsPane({account, fetches: failedTopics(unknown), info: {keys}}, unknown);
  expect(failed.map((row) => row.trim()).join(' ')).toBe(
    ' Topics could not be loaded: The server is busy. · Ctrl-L tries again',
  );
  expect(
    topicsPane({account: {...account, connection: offline}}, unknown)
      .map((row) => row.trim())
      .join(' '),
  ).toBe(' The topics are not saved on this machine. They load when back online.');
  const topics = SortedMap.from([[unknown, {byKey: SortedMap.from<string, TopicSummary>([]), complete: true}]]);
  expect(
    topicsPane({account: {...account, topics}}, unknown)
      .map((row) => row.trim())
      .join(' '),
  ).toBe(' No topics yet. c begins one.');
});

test('lists: what is wrong with a list stays in sight below its known rows, and they are not clicked there', () => {
  const view = messagesView(channelNarrow(backend));
  expect(topicsPane()).toEqual(['  logs                  1', '  deploy               @1']);
  const names = ['logs', 'deploy', 'old', 'older'];
  const byKey = SortedMap.from(names.map((name, at): [string, TopicSummary] => [name, {name, maxId: 3 - at}]));
  const account = listAccount({topics: SortedMap.from([[backend as number, {byKey, complete: false}]])});
  const failed = frame({account, view, fetches: failedTopics(backend), size: '120x8', info: {keys}});
  expect(listText(failed, topicList)).toEqual([
    '  #backend           @1 2',
    '▐ All messages',
    '  logs                  1',
    '  deploy               @1',
    '',
    '  Topics could not be',
    '  loaded: The server is',
    '  busy. · Ctrl-L tries',
  ]);
  const {x = 0, y = 0} = screenLayout(failed).topics ?? {};
  expect(listRowAt(failed, topicList, {x, y: y + 3}, screenLayout(failed))?.label).toBe('deploy');
  expect(listRowAt(failed, topicList, {x, y: y + 4}, screenLayout(failed))).toBeUndefined();
  const saved = listAccount({connection: offline});
  expect(topicsPane({account: saved}).slice(-2)).toEqual(['  Offline: showing saved', '  topics']);
});

test('lists: the people say when the members of the channel could not be loaded', () => {
  const fetches = new Map([[`subscribers ${backend}`, {isFetching: false, error: 'The server is busy.'}]]);
  const parts = {view: messagesView(channelNarrow(backend)), size: '200x30', info: {keys}};
  const noteOf = (rows: readonly string[]) => rows.map((row) => row.trim()).join(' ');
  expect(noteOf(listText(frame({...parts, fetches}), peopleList))).toContain(
    'Members could not be loaded: The server is busy. · Ctrl-L tries again',
  );
  const account = listAccount({connection: offline});
  expect(noteOf(listText(frame({...parts, account, fetches}), peopleList))).not.toContain('loaded');
});

const zoe = 13;

/** An account with a group conversation and a bot, where only one user of the group is online. */
function withGroup(fields: Parameters<typeof listAccount>[0] = {}) {
  const {users, messages} = listAccount();
  const bot = eg.user({id: zoe, fullName: 'Buoy', isBot: true});
  const directMessages = [
    eg.direct({id: 20, userIds: [bo, dan], senderId: bo, timestamp: noonMs / 1000 - 30}),
    eg.direct({id: 21, userIds: [zoe], senderId: zoe, timestamp: noonMs / 1000 - 20}),
  ];
  return listAccount({
    users: users.with(zoe, bot),
    messages: withMessages(messages, directMessages),
    presences: {
      byUser: SortedMap.from([[dan, {activeAt: noonMs / 1000, idleAt: undefined}]]),
      lastUpdateId: 1,
      serverOffset: 0,
    },
    ...fields,
  });
}

test('lists: a group shows the presence of its most available user, and names align without presence', () => {
  const rows = listText(frame({account: withGroup(), view: {kind: 'directs'}}), directList);
  const names = rows.map((row) => row.slice(0, 20).trimEnd());
  expect(names).toEqual(['▌   Buoy', '  ● Bo Wu, Dan Ito', '  ● Dan Ito', '  ○ Bo Wu']);
  const byUser = SortedMap.from([[bo, {activeAt: noonMs / 1000, idleAt: undefined}]]);
  const first = withGroup({presences: {byUser, lastUpdateId: 1, serverOffset: 0}});
  expect(listText(frame({account: first, view: {kind: 'directs'}}), directList)[1]).toMatch(/^ {2}● Bo Wu, Dan Ito/);
});

test('lists: names have no presence column in an organization without presence', () => {
  const account = withGroup({realm: {...listAccount().realm, presenceDisabled: true}});
  const rows = listText(frame({account, view: {kind: 'directs'}}), directList);
  const names = rows.map((row) => row.slice(2).replace(/ {2}.*/, ''));
  expect(names).toEqual(['Buoy', 'Bo Wu, Dan Ito', 'Dan Ito', 'Bo Wu']);
});

test('lists: long titles are shown in full in a wide list', () => {
  const topic = 'a topic that says in its name all there is to say';
  const messages = withMessages(listAccount().messages, [
    eg.message({id: 30, channelId: 2, topic, timestamp: noonMs / 1000}),
  ]);
  const wide = frame({account: listAccount({messages}), view: {kind: 'recent'}, size: '220x24'});
  expect(listText(wide, recentList).join('\n')).toContain(`#web › ${topic}  `);
});

test('lists: a resolved topic has a symbol instead of its ✔ prefix', () => {
  const rows = listText(frame({view: {kind: 'topics', channelId: 2}}), topicList);
  expect(rows[2]).toMatch(/^▌ login ✓ .* 13m$/);
});

test('lists: recent conversations show senders, age and unread count', () => {
  const rows = listText(frame({view: {kind: 'recent'}, size: '140x24'}), recentList);
  expect(rows[0]).toBe('  1 All  2 @  3 DM  4 Followed  5 Channels  6 Muted');
  const [narrow] = listText(frame({view: {kind: 'recent'}, size: '40x15'}), recentList);
  expect(narrow).toBe(' 1 All 2 @ 3 DM 4 ◎ 5 # 6 Muted');
  const small = listText(frame({view: {kind: 'recent'}, size: '40x15'}), recentList);
  expect(small.find((row) => row.includes('deploy'))).toMatch(/^ {2}#backend › deploy +1h +@1$/);
  expect(rows[2]).toMatch(/^▌ ○ Dan Ito .* 1m$/);
  expect(rows.find((row) => row.includes('deploy'))).toMatch(/^ {2}#backend › deploy +hello +Bo +1h +@1$/);
  expect(rows.join('\n')).not.toContain('#random');
});

test.each([
  ['mentions', ['#backend › deploy']],
  ['directs', ['Dan Ito', 'Bo Wu']],
  ['muted', ['#random › cats']],
] as const)('lists: the tab %s of the recent conversations shows only its conversations', (split, titles) => {
  const shown = frame({view: {kind: 'recent'}, screen: {lists: listsWith(recentList, {split})}});
  const rows = listText(shown, recentList).slice(2);
  expect(rows.map((row) => row.slice(2).replace(/^○ /, '').split('  ')[0])).toEqual(titles);
});

test('lists: the channel browser shows all channels, with a mark at subscribed ones', () => {
  const rows = listText(frame({view: {kind: 'channels'}}), channelBrowser);
  expect(rows[0]).toBe('  1 All 4  2 Subscribed 3  3 Not subscribed 1  4 Archived');
  expect(rows[2]).toMatch(/^▌ ✓ #backend +servers +3 people$/);
  expect(rows[3]).toMatch(/^ {4}#elsewhere/);
  expect(rows[5]).toMatch(/^ {2}✓ #web +12\/week$/);
});

test('lists: people of the conversation come first, available users before others', () => {
  const account = listAccount({
    presences: {
      byUser: SortedMap.from([[dan, {activeAt: noonMs / 1000, idleAt: undefined}]]),
      lastUpdateId: 1,
      serverOffset: 0,
    },
    statuses: SortedMap.from([
      [bo, {statusText: 'lunch', emojiName: 'bento', emojiCode: '1f371', reactionType: 'unicode_emoji'}],
    ]),
  });
  const view = messagesView(directNarrow([bo]));
  expect(listText(frame({account, view, size: '200x24'}), peopleList)).toEqual([
    '  IN THIS CONVERSATION',
    '  ○ Ann Lee you',
    '  ○ Bo Wu                🍱',
    '  OTHERS',
    '  ● Dan Ito',
  ]);
});

test('lists: people with a special role have it behind their name', () => {
  const account = listAccount();
  const users = eg.users(...account.users.values(), eg.user({id: 30, fullName: 'Eve Fox', role: roles.moderator}));
  const view = messagesView(directNarrow([bo]));
  const rows = listText(frame({account: {...account, users}, view, size: '200x24'}), peopleList);
  expect(rows).toContain('  ○ Eve Fox moderator');
  expect(rows).toContain('  ○ Dan Ito');
});

test('lists: bots come after all people, muted people are left out, and deactivated ones only the view of people lists', () => {
  const account = listAccount({mutedUsers: eg.byId({id: dan, timestamp: 0})});
  const more = [
    eg.user({id: 30, fullName: 'Abot', isBot: true}),
    eg.user({id: 31, fullName: 'Zed'}),
    eg.user({id: 32, fullName: 'Gone', isActive: false}),
  ];
  const users = eg.users(...account.users.values(), ...more);
  const rows = (view: View, realm = account.realm) =>
    listText(frame({account: {...account, users, realm}, view, size: '200x24'}), peopleList).map((row) => row.trim());
  expect(rows(messagesView(channelNarrow(backend)))).toEqual([
    'PEOPLE',
    '○ Ann Lee you',
    '○ Bo Wu',
    '○ Zed',
    'Abot bot',
  ]);
  const all = ['PEOPLE', '○ Ann Lee you', '○ Bo Wu', '○ Zed', 'Abot bot', 'DEACTIVATED (1) ▸'];
  expect(
    rows({kind: 'people'})
      .filter((row) => row !== '')
      .map((row) => row.replace(/^▌ */, '')),
  ).toEqual(all);
  const quiet = rows({kind: 'people'}, {...account.realm, presenceDisabled: true});
  expect(quiet.filter((row) => row !== '').slice(1, 5)).toEqual([
    expect.stringMatching(/Ann Lee you$/),
    'Bo Wu',
    'Zed',
    'Abot bot',
  ]);
});

test('lists: the direct messages of the sidebar have all that are unread, a row for the others, and the marks of drafts', () => {
  const account = listAccount();
  const ids = Array.from({length: 10}, (_, at) => 40 + at);
  const messages = ids.map((id) => eg.direct({id: 100 + id, userIds: [id], senderId: id}));
  const unread = (count: number) =>
    messages
      .slice(0, count)
      .map(({id}, at) => ({id, conversation: directConversation([ids[at] ?? 0], eg.selfId), isMention: at === 0}));
  const localDrafts = [
    {
      id: 'd',
      serverId: undefined,
      target: directConversation([48], eg.selfId),
      content: 'hm',
      editedAt: 1,
      base: undefined,
      status: 'dirty',
    } as const,
  ];
  const shown = (count: number, folded = new Set<string>()) => {
    const slices = {
      users: eg.users(...account.users.values(), ...ids.map((id) => eg.user({id, fullName: `Person ${id}`}))),
      messages: withMessages(initialState.messages, messages),
      unreads: addUnreads(noUnreads, unread(count)),
      localDrafts,
    };
    const lists = listsWith(channelList, {folded});
    const rows = listText(frame({account: {...account, ...slices}, size: '120x45', screen: {lists}}), channelList);
    return rows.map((row) => row.trim()).filter((row) => /Person|DIRECT|all conv/.test(row));
  };
  expect(shown(0)).toEqual([
    ...[
      'DIRECT MESSAGES',
      '○ Person 49',
      '○ Person 48 ✎',
      '○ Person 47',
      '○ Person 46',
      '○ Person 45',
      'all conversations',
    ],
  ]);
  const nine = shown(9);
  expect([nine.length, nine[1], nine.at(-2), nine.at(-1)]).toEqual([
    11,
    expect.stringMatching(/^○ Person 48 ✎ +1$/),
    expect.stringMatching(/^○ Person 40 +@1$/),
    'all conversations',
  ]);
  expect(shown(9, new Set(['directs']))).toEqual([expect.stringMatching(/^DIRECT MESSAGES.* @1 9$/)]);
});

test('lists: rows with the same content keep their lines when the account changes', () => {
  const rect = {x: 0, y: 0, columns: 24, rows: 20};
  const shown = frame();
  const before = listPane(channelList)(shown, rect);
  const unrelated = listAccount({alertWords: ['tide']});
  const after = listPane(channelList)({...shown, account: unrelated}, rect);
  expect(after.every((line, at) => line === before[at])).toBe(true);
});

test('lists: channels have the colour that the user chose, also after it was changed; muted ones have none', () => {
  const account = listAccount();
  const before = frame();
  const painted = (color: string) => {
    const own = [backend, web, random].map((channelId) => ({
      ...account.subscriptions.get(channelId),
      channelId,
      color,
    }));
    const shown = {...before, account: {...account, subscriptions: eg.subscribed(...own.map(eg.subscription))}};
    const spans = listPane(channelList)(shown, screenLayout(shown).channels ?? expect.unreachable()).flatMap(
      (line) => line.spans,
    );
    return ['#backend', '#web', '#random'].map((name) => spans.find(({text}) => text === name)?.tint);
  };
  expect(painted('#112233')).toEqual(['#112233', '#112233', undefined]);
  expect(painted('#aabbcc')).toEqual(['#aabbcc', '#aabbcc', undefined]);
});

test('lists: a long name that looks like one that arrives above or below it shows where they differ', () => {
  const account = listAccount();
  const before = frame({account, view: {kind: 'recent'}, size: '60x24'});
  const ids = {tea: 90, printers: 80, servers: 70, scanners: 60};
  const topics = (...names: readonly (keyof typeof ids)[]) => {
    const arrived = names.map((name) => {
      const topic = name === 'tea' ? name : `deployment of everything in the northern warehouse ${name}`;
      return eg.message({id: ids[name], channelId: backend, topic});
    });
    const messages = withMessages(account.messages, arrived);
    const lines = listText({...before, account: {...account, messages}}, recentList);
    return lines.flatMap((line) => /› (\S.*?) {2,}/.exec(line)?.[1] ?? []).slice(0, names.length);
  };
  const [start, end] = ['deployment of everything in th…', /…servers$/];
  expect(topics('tea', 'servers')).toEqual(['tea', start]);
  expect(topics('tea', 'printers', 'servers').at(-1)).toMatch(end);
  expect(topics('tea', 'servers')).toEqual(['tea', start]);
  expect(topics('tea', 'servers', 'scanners')[1]).toMatch(end);
});

test('lists: while the cursor moves in a list the shown conversation stays marked', () => {
  const view = messagesView(topicNarrow(backend, 'deploy'));
  const lists = listsWith(topicList, {cursor: 'c1:logs'});
  const rows = listText(frame({view, screen: {focus: 'topics', lists}}), topicList);
  expect(rows.slice(2)).toEqual(['▌ logs                  1', '▐ deploy               @1']);
});

test('lists: the own view of a search in the sidebar has its count as soon as its messages are known', () => {
  const fragment = 'narrow/search/boat';
  const account = listAccount({
    navigationViews: SortedMap.from([[fragment, {fragment, isPinned: true, name: 'Boats'}]]),
  });
  const shown = frame({account});
  expect(listText(shown, channelList)).toContain('  Boats');
  const narrow = [{operator: 'search', operand: 'boat', negated: false}] as const;
  const whole = {...emptyTimeline(narrow), ids: SortedSet.from<number>([3, 4]), hasOldest: true, hasNewest: true};
  const timelines = account.timelines.with(narrowKey(narrow), whole);
  expect(listText({...shown, account: {...account, timelines}}, channelList)).toContain('  Boats               2');
});

/** The lists that quote messages, each with its view. */
const quotingLists: readonly (readonly [View, ListSource])[] = [
  [{kind: 'recent'}, recentList],
  [{kind: 'directs'}, directList],
  [{kind: 'topics', channelId: backend}, topicList],
  [{kind: 'catchUp', since: 0, upTo: 100}, catchUpList],
];

test.each(quotingLists)(
  'lists: a quoted message has an emoji as soon as the names of the server are known, in %j',
  (view, list) => {
    const content = 'all :aboard:';
    const shown = frame({
      account: listAccount({
        messages: withMessages(listAccount().messages, [
          eg.message({id: 3, channelId: backend, topic: 'logs', content}),
          eg.direct({id: 7, userIds: [bo], senderId: bo, content}),
        ]),
      }),
      view,
      size: '160x24',
    });
    expect(listText(shown, list).join('\n')).toContain('all :aboard:');
    const unicodeEmoji = {url: '', names: {'1f6a2': ['aboard']}};
    const later = listText({...shown, account: {...shown.account, unicodeEmoji}}, list).join('\n');
    expect(later).toContain('all 🚢');
    expect(later).not.toContain(':aboard:');
  },
);

const everyList = [channelList, topicList, peopleList, recentList, directList, channelBrowser].map(
  (list) => [list.id, list] as const,
);

test.each(everyList)(
  'lists: no line of %s is wider than its pane, and control characters of names are not painted',
  (_, list) => {
    const hostileName = 'a\u001b[31m\u202e\u0007 name 森海斗👩‍💻 that goes on and on and on';
    const account = listAccount({
      users: eg.users(eg.user({id: bo, fullName: hostileName})),
      channels: eg.byId(
        eg.channel({id: backend, name: hostileName, description: hostileName}),
        eg.channel({id: 2, name: hostileName}),
      ),
    });
    for (let columns = 12; columns <= 180; columns += 7) {
      for (const glyphs of ['unicode', 'ascii'] as const) {
        const shown = frame({account, display: {glyphs}, view: messagesView(topicNarrow(backend, 'deploy'))});
        const lines = listPane(list)(shown, {x: 0, y: 0, columns, rows: 30});
        assertLineContract(
          lines.map((line) => paintLine(line, shown.display)),
          columns,
        );
      }
    }
  },
);
