import {expect, test, vi} from 'vitest';
import {startInboxWatchers} from '#app/inbox/enter-inbox.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import {triageAccount} from '#test/app/inbox/triage-fixture.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {headerLines, listPane} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {organizationMarks} from '#ui/core/frame.ts';
import {windowTitle} from '#ui/header/header-line.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {mergedByTime, organizationsNote} from '#ui/lists/list-source.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {organizationsFixture} from './organizations-fixture.ts';

const both = {acme: undefined, beta: undefined};

/** The labels of the rows, with the marks of their organizations. */
function rowTexts({shown}: Pick<ReturnType<typeof organizationsFixture>, 'shown'>): readonly string[] {
  return visibleRowsOf(shown().frame, inboxList).rows.map((row) =>
    'mark' in row && typeof row.mark === 'string' ? `${row.mark} ${row.label}` : row.label,
  );
}

const rowsOf = (mark: string) => [
  'Mentions',
  `${mark} #backend › freeze`,
  'Direct',
  `${mark} Carol Diaz`,
  'Channels',
  `${mark} #backend › logs`,
  `${mark} #web › login`,
  `${mark} #web › css`,
  'Muted',
];

test('organizations: the inbox has the rows of all, grouped, each with the mark of its organization', () => {
  const fixture = organizationsFixture(both);
  expect(rowTexts(fixture)).toEqual(['acme', ...rowsOf('ac'), 'beta', ...rowsOf('be')]);
  expect(fixture.pane().join('\n')).toContain('  1 All  2 @2  3 DM 2  4 Followed  5 Channels 8  6 Muted 2');
});

test('organizations: mixed by priority, the groups of all are one', () => {
  const fixture = organizationsFixture(both, 'mixed');
  expect(rowTexts(fixture).slice(0, 6)).toEqual([
    'Mentions',
    'ac #backend › freeze',
    'be #backend › freeze',
    'Direct',
    'ac Carol Diaz',
    'be Carol Diaz',
  ]);
});

test('organizations: mixed, a group is marked done in the account of the cursor, which the question names', () => {
  const fixture = organizationsFixture(both, 'mixed');
  const unreadOf = (index: number) => fixture.organizations.appAt(index)?.state.unreads.byId.size;
  const before = unreadOf(0);
  while (fixture.at() !== 'beta: #web › login') fixture.press('j');
  fixture.press('X');
  expect(overlayText(fixture.shown().frame).join('\n')).toContain('Mark #web of beta read: 2 conversations?');
  fixture.press('y');
  expect(unreadOf(0)).toBe(before);
  expect(unreadOf(1)).toBeLessThan(before ?? 0);
});

test('organizations: the question before all messages are marked read names the organization', () => {
  const {fixtures, shown} = organizationsFixture(both);
  fixtures[0]?.router.run(shown(), 'mark.all.read');
  expect(overlayText(shown().frame).join('\n')).toContain('Mark all messages of acme as read?');
  const alone = organizationsFixture(both, 'separate');
  alone.fixtures[0]?.router.run(alone.shown(), 'mark.all.read');
  expect(overlayText(alone.shown().frame).join('\n')).toContain('Mark all messages as read?');
});

test('organizations: each alone shows only its own rows, without marks', () => {
  const fixture = organizationsFixture(both, 'separate');
  expect(rowTexts(fixture)).toEqual(rowsOf('ac').map((text) => text.replace('ac ', '')));
});

test('organizations: every account shows the same list, and the cursor takes the keys to the account of its row', () => {
  const fixture = organizationsFixture(both);
  const before = rowTexts(fixture);
  const visited = [fixture.at()];
  for (let step = 0; step < 9; step++) {
    fixture.press('j');
    visited.push(fixture.at());
  }
  expect(visited.slice(3, 9)).toEqual([
    'acme: #web › login',
    'acme: #web › css',
    'acme: Muted',
    'beta: #backend › freeze',
    'beta: Carol Diaz',
    'beta: #backend › logs',
  ]);
  expect(rowTexts(fixture)).toEqual(before);
  fixture.press('Home');
  expect(fixture.at()).toBe('acme: #backend › freeze');
  fixture.press('End');
  expect(fixture.at()).toBe('beta: Muted');
});

test('organizations: channels keep the colours of their own organization wherever the cursor is', () => {
  const colored = (color: string) => {
    const account = triageAccount();
    const recolored = [...account.subscriptions.values()].map((one) => ({...one, color}));
    return {...account, subscriptions: eg.subscribed(...recolored)};
  };
  const {press, shown, at} = organizationsFixture({acme: colored('#aa0000'), beta: colored('#00bb00')});
  const colors = () => {
    shown().frames.paintNow();
    const {frame} = shown();
    const {main} = screenLayout(frame);
    return listPane(inboxList)(frame, main).flatMap(({spans}) =>
      spans.filter(({text}) => /^#(?:web|backend)/.test(text)).map(({tint}) => tint),
    );
  };
  const before = colors();
  expect(before).toEqual([...Array(4).fill('#aa0000'), ...Array(4).fill('#00bb00')]);
  while (!at().startsWith('beta')) press('j');
  expect(colors()).toEqual(before);
});

test('organizations: the titles of groups are indented below the name of their organization', () => {
  const {pane} = organizationsFixture(both);
  const lines = pane().map((line) => line.trimEnd());
  expect(lines.find((line) => line.trim().startsWith('acme'))).toMatch(/^ {2}acme/);
  expect(lines.find((line) => line.trim().startsWith('MENTIONS'))).toMatch(/^ {4}MENTIONS/);
});

test('organizations: a key in one of them leaves the titles of the other the same objects', () => {
  const {shown, press} = organizationsFixture(both);
  const titles = () =>
    visibleRowsOf(shown().frame, inboxList).rows.filter(
      ({kind, organization}) => kind === 'title' && organization === 1,
    );
  press('j', 'j', 'e');
  const before = titles();
  press('e');
  expect(before.map(({label}) => label)).toEqual(['Mentions', 'Direct', 'Channels', 'Muted']);
  for (const [at, title] of titles().entries()) expect(title).toBe(before[at]);
});

test('organizations: keys of one read act where each of them leads', () => {
  const {type, fixtures, at} = organizationsFixture(both, 'mixed');
  // Down to the mention of the other account, done there, and done with the next one.
  type('jee');
  const [acme, beta] = fixtures;
  expect([acme?.unread(), beta?.unread()]).toEqual([
    [1, 2, 4, 5, 6, 7, 8],
    [3, 4, 5, 6, 7, 8],
  ]);
  expect(at()).toBe('beta: Carol Diaz');
});

test('organizations: undo and redo go to the account that made the change, the latest first', () => {
  const {press, fixtures, at, shown} = organizationsFixture(both, 'mixed');
  const unread = () => fixtures.map((fixture) => fixture.unread().length);
  press('e', 'e', 'e');
  expect([at(), unread()]).toEqual(['beta: Carol Diaz', [5, 6]]);
  press('z');
  expect([at(), unread()]).toEqual(['acme: Carol Diaz', [6, 6]]);
  press('z');
  expect([at(), unread()]).toEqual(['beta: #backend › freeze', [6, 8]]);
  press('z');
  expect([at(), unread()]).toEqual(['acme: #backend › freeze', [8, 8]]);
  press('z');
  expect(shown().screen.toast?.text).toBe('Nothing to undo.');
});

test('organizations: what a key said is still shown after the cursor went to the next account', () => {
  const {press, shown} = organizationsFixture(both, 'mixed');
  press('e');
  expect([shown().info.accountName, shown().screen.toast?.text]).toEqual([
    'beta',
    expect.stringContaining('#backend › freeze'),
  ]);
});

test('organizations: an account without unread messages leaves the cursor to the next key', () => {
  const {at, press} = organizationsFixture({acme: eg.state({}), beta: undefined});
  expect(at()).toBe('acme: undefined');
  press('j');
  expect(at()).toBe('beta: #backend › freeze');
});

test('organizations: an event of a server never moves the keys to another account', () => {
  const {at, fixtures, shown} = organizationsFixture({acme: triageAccount(), beta: undefined}, 'mixed');
  fixtures[1]?.arrive(20, 2, 'freeze', ['mentioned']);
  fixtures[1]?.app.frames.paintNow();
  fixtures[0]?.readElsewhere(1, 2);
  shown().frames.paintNow();
  expect(at()).toBe('acme: #backend › freeze');
});

test('organizations: a conversation that opens from a row is that of its account, and Esc returns to the list of all', () => {
  const {press, shown, at} = organizationsFixture(both, 'mixed');
  press('j', 'Enter');
  expect([shown().info.accountName, shown().screen.view.kind]).toEqual(['beta', 'messages']);
  press('Esc');
  expect([shown().screen.view.kind, at()]).toEqual(['inbox', 'beta: #backend › freeze']);
});

test('organizations: filter, tab and folds stay the same when the cursor goes to another account', () => {
  const fixture = organizationsFixture(both);
  fixture.press('5', 'j', 'j', 'j');
  expect(fixture.at()).toBe('beta: #backend › logs');
  expect(rowTexts(fixture)).toEqual(['acme', ...rowsOf('ac').slice(4, 8), 'beta', ...rowsOf('be').slice(4, 8)]);
});

test('organizations: a filter finds rows of all, under the titles of their groups only', () => {
  const fixture = organizationsFixture(both);
  fixture.press('f', 'f', 'f');
  const app = fixture.shown();
  app.update((screen) => ({
    ...screen,
    lists: {
      ...screen.lists,
      inbox: {...screen.lists.inbox, filter: {...screen.lists.inbox.filter, text: 'css', cursor: 3}},
    },
  }));
  expect(rowTexts(fixture)).toEqual(['Channels', 'ac #web › css', 'Channels', 'be #web › css']);
});

test('organizations: the title and the header count what is unread in each', () => {
  const {shown, press} = organizationsFixture(both, 'grouped', '160x40');
  expect(windowTitle(shown().frame)).toBe('(acme @1 7 · beta @1 7) Inbox — acme');
  openConversation(shown(), {kind: 'direct', userIds: [11]});
  press('Ctrl-L');
  const [header] = headerLines(shown().frame, {x: 0, y: 0, columns: 160, rows: 1});
  expect(lineToText(header ?? {spans: [], width: 0})).toContain('beta @1 7');
});

test('organizations: tabs, window title and header follow what is read and undone in another organization', () => {
  const {shown, press, pane, at, fixtures} = organizationsFixture(both, 'grouped', '160x40');
  const counts = () => [
    pane()
      .join('\n')
      .match(/1 All .*/)?.[0]
      .trim(),
    windowTitle(shown().frame),
  ];
  const header = () =>
    headerLines(shown().frame, {x: 0, y: 0, columns: 160, rows: 1})
      .map((line) => lineToText(line))
      .join('');
  const before = counts();
  while (at() !== 'beta: #backend › freeze') press('j');
  press('e');
  expect(counts()).toEqual([
    expect.stringMatching(/2 @1 {2}3 DM 2 .*5 Channels 8/),
    '(acme @1 7 · beta 5) Inbox — beta',
  ]);
  press('Alt-1');
  expect(header()).toContain('beta 5');
  press('z');
  while (!at().startsWith('acme')) press('k');
  expect(counts()).toEqual(before);
  expect(header()).toContain('beta @1 7');
  fixtures[1]?.readElsewhere(3);
  shown().frames.paintNow();
  expect(counts()).toEqual([expect.stringContaining('2 @2  3 DM 1 '), '(acme @1 7 · beta @1 6) Inbox — acme']);
});

test('organizations: one line says which organization is not connected', () => {
  const {pane, organizations, shown} = organizationsFixture(both, 'grouped', '80x40', () => ({connection: 'offline'}));
  expect(pane().join('\n')).toContain('beta: not connected since 00:00 (Alt-2)');
  organizations.fail(1, 'no such file');
  expect(shown().frame.organizations?.all[1]?.problem).toMatch('not connected');
});

test.each([
  [{phase: 'signedOut'}, 'logged out'],
  [{phase: 'signedOut', isDeactivated: true}, 'deactivated'],
  [{phase: 'refused', problem: 'The server is too old'}, 'The server is too old'],
  [{phase: 'online'}, undefined],
] as const)('organizations: one line says why another one is outdated: %j', (connection, said) => {
  const {fixtures, shown} = organizationsFixture(both);
  fixtures[1]?.app.session.cache.apply({type: 'connection_changed', connection} as never);
  for (const {app} of fixtures.toReversed()) app.frames.paintNow();
  expect(shown().frame.organizations?.all[1]?.problem).toBe(said);
  expect(organizationsNote(shown().frame)?.text).toBe(said && `beta: ${said} (Alt-2)`);
});

test('organizations: another arrangement is a new list of all, and one account alone has none', () => {
  const {organizations} = organizationsFixture(both);
  const before = organizations.together('acme');
  expect(organizations.together('acme')).toBe(before);
  organizations.arrangement = 'mixed';
  expect(organizations.together('acme')).toMatchObject({arrangement: 'mixed', all: before?.all});
  expect(organizationsFixture({acme: undefined}).organizations.together('acme')).toBeUndefined();
});

test.each([
  ['the first key of a sequence', 'g'],
  ['a key that opens an overlay', ';'],
])('organizations: %s is for the account where it was pressed, although the last row there is gone', (_, key) => {
  const one = eg.state({});
  const {press, shown, fixtures} = organizationsFixture({acme: one, beta: undefined});
  press('Alt-2', 'Alt-1');
  expect(shown().info.accountName).toBe('acme');
  press(key);
  expect(shown().info.accountName).toBe('acme');
  press('Esc', 'Esc', 'j');
  expect(shown().info.accountName).toBe('beta');
  expect(fixtures[0]?.app.screen.overlays).toEqual([]);
});

test('organizations: when the last row of the last one is gone, the next key goes to the last row above it', () => {
  const {at, press, fixtures, shown} = organizationsFixture(both);
  press('End');
  expect(at()).toMatch(/^beta: /);
  fixtures[1]?.readElsewhere(1, 2, 3, 4, 5, 6, 7, 8);
  shown().frames.paintNow();
  press('k');
  expect(at()).toBe('acme: Muted');
});

test('organizations: marks are short and differ', () => {
  expect(organizationMarks(['acme', 'beta'])).toEqual(['ac', 'be']);
  expect(organizationMarks(['work', 'world'])).toEqual(['work', 'worl']);
  expect(organizationMarks(['acme-dev', 'acme-test'])).toEqual(['1', '2']);
});

test('organizations: lists are merged by time, each in its own order', () => {
  const merged = mergedByTime(
    [
      [9, undefined, 2],
      [8, 5, 6],
    ],
    (time) => time,
  );
  expect(merged).toEqual([9, undefined, 8, 5, 6, 2]);
});

test('organizations: the rows of an account stay in their order once the cursor has crossed to it', () => {
  const fixture = organizationsFixture(both);
  const [, beta] = fixture.fixtures;
  // The order of an inbox is frozen only after its first key.
  beta?.app.setIn('inbox', {isOrderFrozen: false});
  beta?.app.frames.paintNow();
  fixture.go('beta: #backend › freeze');
  const before = rowTexts(fixture);
  beta?.arrive(20, 1, 'css');
  fixture.shown().frames.paintNow();
  expect(rowTexts(fixture)).toEqual(before);
});

test('organizations: what an account said before is not said again by the one that is shown next', () => {
  const {press, shown} = organizationsFixture(both);
  press('e');
  expect(shown().screen.toast?.text).toContain('#backend › freeze');
  press('Alt-2');
  expect([shown().info.accountName, shown().screen.toast]).toEqual(['beta', undefined]);
});

test('organizations: an account that is not shown any more holds no frames of others', () => {
  const {press, fixtures} = organizationsFixture(both);
  press('Alt-2');
  const acme = fixtures[0] ?? expect.unreachable();
  acme.clock.advance(1000);
  expect(acme.app.frames.paintedFrame.organizations).toBeUndefined();
});

test('organizations: when one of them refuses what was done in several, one undo takes back the rest', () => {
  const {press, go, fixtures, shown} = organizationsFixture(both);
  const unread = () => fixtures.map((fixture) => fixture.unread().length);
  press('v');
  go('beta: #backend › freeze');
  press('v', 'e');
  expect(unread()).toEqual([6, 6]);
  const {undoStack} = fixtures[0]?.app ?? expect.unreachable();
  undoStack.cancel(undoStack.latest() ?? expect.unreachable(), () => ({text: 'It was refused.'}));
  press('z');
  expect(unread()).toEqual([6, 8]);
  expect(shown().screen.toast?.text).toMatch(/acme: It was refused.*beta: Undone|beta: Undone.*acme: It was refused/);
});

test('organizations: an account whose list the cursor enters has the text of its conversation as a draft, and not in the list', () => {
  const {press, type, go, shown, fixtures} = organizationsFixture(both);
  go('beta: #web › login');
  press('Enter', 'r');
  type('Which browser?');
  press('Esc', 'Alt-1', 'Esc');
  expect(shown().info.accountName).toBe('acme');
  go('beta: #backend › freeze');
  const beta = fixtures[1]?.app ?? expect.unreachable();
  expect(beta.screen.composer).toMatchObject({target: {kind: 'none'}, field: {text: ''}});
  expect(beta.session.drafts.all()).toMatchObject([{content: 'Which browser?', target: {topic: 'login'}}]);
});

test('organizations: an account that opened another view loads the conversation that the cursor reaches', async () => {
  const fixture = organizationsFixture(both, 'grouped', '80x40', (name) =>
    name === 'beta' ? {view: {kind: 'recent'}} : {},
  );
  const beta = fixture.fixtures[1]?.app ?? expect.unreachable();
  startInboxWatchers(beta);
  const opened = vi.spyOn(beta.session.timelines, 'open');
  fixture.go('beta: #backend › freeze');
  await expect.poll(() => opened.mock.calls.length).toBeGreaterThan(0);
});
