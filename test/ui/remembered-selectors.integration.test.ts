import {globSync} from 'node:fs';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import type {App} from '#app/core/app.ts';
import type {AccountState} from '#state/state.ts';
import {MemoRecorder} from '#test/support/memo-recorder.ts';

const recorder = new MemoRecorder();
const root = new URL('../../', import.meta.url).pathname;

/** Loads the sources again, so that their selectors are announced. */
beforeAll(async () => {
  vi.resetModules();
  const {observeMemos} = await import('#std/memo.ts');
  observeMemos(recorder.observer);
  for (const path of globSync('src/{state,ui,app}/**/*.{ts,tsx}', {cwd: root})) await import(`${root}${path}`);
});

afterAll(() => vi.resetModules());

/** Keys, and what is opened without one. */
type Step = string | ((app: App) => void);

/** Returns an account that has something of every kind that a remembered selector reads. */
async function richAccount(): Promise<AccountState> {
  const eg = await import('#test/support/state-builders.ts');
  const {SortedMap, SortedSet} = await import('#std/sorted-map.ts');
  const {triageAccount, inTopic, noonMs, backend, web} = await import('#test/app/inbox/triage-fixture.ts');
  const text = 'ask @*crew* and @**Carol Diaz** :tada: ```js\nlet a = 1;\n``` #**backend>logs**';
  const now = noonMs / 1000;
  const account = triageAccount([
    [inTopic(9, web, 'colours', text)],
    [inTopic(10, web, '', 'without a topic')],
    [inTopic(12, 9, 'elsewhere')],
    [{...inTopic(13, backend, 'words'), flags: ['has_alert_word']}],
    [eg.message({id: 20, channelId: backend, topic: 'logs', senderId: eg.selfId, content: 'mine', timestamp: now})],
    [eg.message({id: 14, channelId: web, topic: 'login', senderId: 14, content: 'I am new', timestamp: now})],
    [eg.direct({id: 21, userIds: [11], content: text, timestamp: now})],
    [eg.direct({id: 22, userIds: [14], senderId: 14, content: 'hello', timestamp: now})],
  ]);
  const fragments = [
    'scheduled',
    'reminders',
    'narrow/channel/2-backend/sender/11',
    'narrow/dm/11-dm',
    'narrow/is/alerted',
    'narrow/is/muted/channel/2',
    'narrow/is/followed',
    'narrow/in/home/is/starred',
  ];
  const rich: AccountState = {
    ...account,
    users: eg.users(
      eg.user(),
      eg.user({id: 11, fullName: 'Carol Diaz'}),
      eg.user({id: 12, fullName: 'Cara Bot', isBot: true, botOwnerId: eg.selfId}),
      eg.user({id: 14, fullName: 'Gus Guest', role: 600}),
      eg.user({id: 13, fullName: 'Carl Gone', isActive: false}),
      eg.user({id: eg.selfId, fullName: 'Meg', role: 100}),
    ),
    groups: eg.byId(eg.group({id: 5, name: 'crew', members: SortedSet.from([11])})),
    outbox: [eg.outboxEntry(), eg.outboxEntry({id: 'b', status: 'failed', problem: 'It is refused.'})],
    presences: {
      byUser: SortedMap.from([[11, {activeAt: now, idleAt: undefined}]]),
      lastUpdateId: 1,
      serverOffset: 0,
    },
    subscribers: SortedMap.from([[backend, {ids: SortedSet.from([eg.selfId, 11]), complete: true}]]),
    navigationViews: SortedMap.from(
      fragments.map((fragment) => [fragment, {fragment, isPinned: true, name: fragment}]),
    ),
  };
  // Empty maps are one object: each slice gets its own, so that one of them cannot stand for another.
  const own = Object.entries(rich).map(([name, slice]) => [
    name,
    slice instanceof SortedMap ? slice.edit(() => {}) : slice,
  ]);
  return Object.fromEntries(own) as AccountState; // The same slices.
}

async function walksOf(): Promise<readonly (readonly Step[])[]> {
  const [{bots}, {openPersonForm}, {openPersonFinder, openUserCard}, {openView}, {messagesView}] = await Promise.all([
    import('#app/people/bot-form.ts'),
    import('#app/people/person-form.ts'),
    import('#app/people/user-card.ts'),
    import('#app/navigation/navigation.ts'),
    import('#ui/core/frame.ts'),
  ]);
  const openSearch = (app: App) => openView(app, messagesView([{operator: 'sender', operand: 11}]));
  return [
    [
      'j',
      'k',
      'e',
      'z',
      'M',
      'F',
      'v',
      'j',
      'v',
      'X',
      'S',
      'b n',
      '2',
      '3',
      '1',
      'A',
      'L',
      'Esc',
      'g z',
      'Esc',
      'g Z',
      'Esc',
    ],
    ['Enter', 'j', 'k', '-', 'Ctrl-W v', 'a', 'Ctrl-W w', 'Ctrl-W c', '\\', '|', '*', 'y', 'j', openSearch],
    [
      't',
      'j',
      '2',
      '3',
      '1',
      'Esc',
      'g c',
      'j',
      '2',
      '3',
      '1',
      'g u',
      'g p',
      'g k',
      'g d',
      'g o',
      'g s',
      'g b',
      'g t',
      'I',
    ],
    [
      '/ s e n d e r : C a r',
      'Esc',
      '/ s e n d e r : N o b o d y Space c h a n n e l : n o w Space',
      'Esc',
      'Ctrl-K w e',
      'Esc',
      'q l o',
      'Esc',
      'w C a r',
      'Esc',
      '?',
      'Esc',
      '#',
      'Esc',
      'i',
      'Esc',
      '; m',
    ],
    ['Enter', 'r h i Space @ C', 'Esc', 'Ctrl-U', ': t a d', 'Esc', 'Ctrl-U', '# w e', 'Esc', 'Ctrl-U', 'Alt-p', 'Esc'],
    ['Enter', 'r', 'Up', 'Up', 'Down', 'Esc'],
    ['j', 'j', 'j', 'j', 'Enter', 'y', 'j', 'k', 'Enter', 'g p', 'j', 'Enter', '|', 'j'],
    [
      'g m',
      'Esc',
      bots.open,
      'Esc',
      (app) => openPersonForm(app, 11),
      'Esc',
      (app) => openUserCard(app, 11),
      'Esc',
      (app) => openPersonFinder(app, 'Car'),
      'Esc',
      'g ,',
      'Esc',
    ],
  ];
}

async function paintWalks(): Promise<void> {
  const {triageFixture} = await import('#test/app/inbox/triage-fixture.ts');
  const {organizationsFixture} = await import('#test/app/organizations/organizations-fixture.ts');
  const {paintedPanes} = await import('#test/support/painted-panes.ts');
  const account = await richAccount();
  const paint = (app: App) => {
    app.frames.paintNow();
    paintedPanes(app.frame);
  };
  for (const size of ['120x40', '80x24', '160x50']) {
    for (const walk of await walksOf()) {
      const {app, press} = triageFixture({account, size});
      for (const step of walk) {
        if (typeof step === 'string') press(...step.split(' '));
        else step(app);
        paint(app);
      }
    }
  }
  for (const arrangement of ['grouped', 'mixed'] as const) {
    const together = organizationsFixture({acme: account, other: undefined}, arrangement);
    for (const key of ['j', 'j', 'j', 'j', 'j', 'j', 't', 'j', 'I', 'e']) {
      together.press(key);
      paint(together.shown());
    }
  }
}

test('remembered selectors: each reads nothing but what it declares, and each is computed here', async () => {
  await paintWalks();
  const undeclared = recorder.selectors.flatMap(({name, undeclared: reads}) =>
    [...reads].map((path) => `${name} reads ${path}`),
  );
  const unused = recorder.selectors.filter(({computations}) => computations === 0).map(({name}) => name);
  expect({undeclared: undeclared.sort(), unused}).toEqual({undeclared: [], unused: []});
});

test('remembered selectors: keys in one account compute nothing again for another', async () => {
  const {triageFixture} = await import('#test/app/inbox/triage-fixture.ts');
  const {paintedPanes} = await import('#test/support/painted-panes.ts');
  const used = triageFixture({account: await richAccount()});
  const other = triageFixture({account: await richAccount()});
  const computed = () => recorder.selectors.map(({name, computations}) => `${name} ${computations}`);
  // A copy, because results are also kept with the frame itself.
  const paintOther = () => paintedPanes({...other.app.frame});
  paintOther();
  for (const key of ['j', 'j', 'e', 'Enter', 'j', 'I', 't', 'j']) {
    used.press(key);
    used.app.frames.paintNow();
    paintedPanes(used.app.frame);
    const before = computed();
    paintOther();
    expect(computed()).toEqual(before);
  }
});
