import {globSync} from 'node:fs';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import type {AccountState} from '#state/state.ts';
import {MemoRecorder, type SelectorCall} from '#test/support/memo-recorder.ts';
import {reloadModules} from '#test/support/modules/module-hooks.ts';
import {fewOrAll} from '#test/support/tier.ts';

const recorder = new MemoRecorder();
let useFirstModules = () => {};

/** Loads the sources again, so that their selectors are announced. */
beforeAll(async () => {
  useFirstModules = reloadModules();
  const {observeMemos} = await import('#std/memo.ts');
  observeMemos(recorder.observer);
  for (const path of globSync('{state,ui,app}/**/*.{ts,tsx}', {cwd: 'src'})) await import(`#${path}`);
});

afterAll(() => useFirstModules());

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

/** Returns a function that returns what is on the screen, and what else is asked about it: the window title, links of messages. */
async function shownIn(): Promise<(frame: App['frame']) => readonly unknown[]> {
  const {paintedPanes} = await import('#test/support/painted-panes.ts');
  const {windowTitle} = await import('#ui/header/header-line.ts');
  const {linksOf} = await import('#app/links/message-links.ts');
  return (frame) => {
    const messages = [...frame.account.messages.byId.values()].slice(0, 3);
    const links = messages.map((message) => linksOf(frame.account, message, false));
    return [paintedPanes(frame), windowTitle(frame), links];
  };
}

async function paintWalks(): Promise<void> {
  const {triageFixture} = await import('#test/app/inbox/triage-fixture.ts');
  const {organizationsFixture} = await import('#test/app/organizations/organizations-fixture.ts');
  const shown = await shownIn();
  const account = await richAccount();
  const paint = (app: App) => {
    app.frames.paintNow();
    shown(app.frame);
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

/**
 * Returns changes of the rich account, each of one slice or of all slices that one event changes. A step of a walk makes such a
 * change, or takes it back.
 */
async function singleChanges(rich: AccountState): Promise<readonly Partial<AccountState>[]> {
  const eg = await import('#test/support/state-builders.ts');
  const wire = await import('#test/state/messages/wire-events.ts');
  const {applyEvent} = await import('#state/apply-event.ts');
  const {SortedMap, SortedSet} = await import('#std/sorted-map.ts');
  const {web, backend} = await import('#test/app/inbox/triage-fixture.ts');
  const id = 1;
  const topicPolicy = (channelId: number, name: string, policy: number) =>
    ({
      type: 'user_topic',
      id,
      stream_id: channelId,
      topic_name: name,
      last_updated: 1,
      visibility_policy: policy,
    }) as const;
  const flags = (op: 'add' | 'remove', flag: string, ...messages: number[]) =>
    ({type: 'update_message_flags', id, op, flag, messages, all: false}) as const;
  const events: readonly Parameters<typeof applyEvent>[1][] = [
    flags('add', 'starred', 4, 7),
    flags('add', 'read', 5),
    // The row under the cursor.
    flags('add', 'read', 1, 2),
    flags('add', 'collapsed', 5),
    // The mention of `freeze` is edited away.
    wire.buildUpdateMessageEvent({message_id: 1, stream_id: backend, flags: [], content: 'lift it'}),
    wire.buildUpdateMessageEvent({message_id: 7, stream_id: backend, flags: ['mentioned'], content: 'look'}),
    wire.buildUpdateMessageEvent({message_ids: [5, 6], stream_id: web, orig_subject: 'login', subject: 'css'}),
    wire.buildUpdateMessageEvent({
      message_id: 1,
      stream_id: backend,
      orig_subject: 'freeze',
      subject: 'logs',
      flags: ['mentioned'],
    }),
    wire.buildDeleteMessageEvent(7),
    wire.buildMessageEvent(wire.channelMessage({id: 90, stream_id: web, subject: 'login', content: 'new'})),
    wire.buildMessageEvent(wire.directMessage({id: 91, content: 'new'}), 'mentioned'),
    topicPolicy(backend, 'freeze', 1),
    topicPolicy(web, 'css', 1),
    topicPolicy(backend, 'logs', 3),
    {type: 'muted_users', id, muted_users: [{id: 11, timestamp: 1}]},
    {type: 'alert_words', id, alert_words: ['message', 'lunch']},
    {
      type: 'connection_changed',
      connection: {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined},
    },
  ];
  const channelsWith = (fields: Parameters<typeof eg.channel>[0] & {readonly id: number}) =>
    rich.channels.with(fields.id, {...eg.channel(fields), ...rich.channels.get(fields.id), ...fields});
  const subscribed = (channelId: number, fields: object) => {
    const before = rich.subscriptions.get(channelId) ?? eg.subscription({channelId});
    return rich.subscriptions.with(channelId, {...before, ...fields});
  };
  const people = (fields: Parameters<typeof eg.user>[0]) =>
    eg.users(...[...rich.users.values()].map((user) => (user.id === 11 ? {...user, ...fields} : user)));
  const slices: readonly Partial<AccountState>[] = [
    {channels: channelsWith({id: backend, name: 'servers'})},
    {channels: channelsWith({id: web, isArchived: true})},
    {channels: channelsWith({id: web, description: 'pages'})},
    {subscriptions: subscribed(web, {isMuted: true})},
    {subscriptions: subscribed(backend, {pinToTop: true})},
    {subscriptions: subscribed(web, {color: '#112233'})},
    {subscriptions: rich.subscriptions.without(web)},
    {users: people({fullName: 'Carla Dias'})},
    {users: people({isActive: false})},
    {groups: eg.byId(eg.group({id: 5, name: 'team', members: SortedSet.from([11, 14])}))},
    {outbox: []},
    {
      localDrafts: [
        {
          id: 'd',
          target: {kind: 'topic', channelId: web, topic: 'css'},
          content: 'soon',
          editedAt: 1,
          status: 'dirty',
          serverId: undefined,
          base: undefined,
        },
      ],
    },
    {settings: {...rich.settings, twentyFourHourTime: false}},
    {realm: {...rich.realm, name: 'Other'}},
    {navigationViews: rich.navigationViews.without('narrow/is/alerted')},
    {presences: {...rich.presences, byUser: SortedMap.empty()}},
    {subscribers: SortedMap.empty()},
    {linkifiers: [{id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://example.com/{id}'}] as never},
    {folders: eg.byId({id: 1, name: 'Work', description: '', order: 0, isArchived: false} as never)},
    {mutedUsers: rich.mutedUsers.with(14, 1 as never)},
  ];
  const applied = events.map((event): Partial<AccountState> => {
    const after = applyEvent(rich, event);
    const changed = Object.entries(after).filter(([name, slice]) => rich[name as keyof AccountState] !== slice);
    return Object.fromEntries(changed);
  });
  // Also one slice of an event alone: what depends on another one is not computed again by chance.
  const alone = applied.flatMap((all) => Object.entries(all).map(([name, slice]) => ({[name]: slice})));
  return [...applied, ...alone, ...slices];
}

/** Whether two results are equal. What their functions return is seen where it is painted. */
function equalResults(a: unknown, b: unknown, depth = 12): boolean {
  if (a === b || depth === 0) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return typeof a === 'function' && typeof b === 'function';
  const areEqual = (one: readonly unknown[], other: readonly unknown[]) =>
    one.length === other.length && one.every((value, at) => equalResults(value, other[at], depth - 1));
  // The order of a map may depend on what was before; where it is listed, the screen would differ.
  if (a instanceof Map && b instanceof Map) {
    const keys = [...a.keys()];
    return a.size === b.size && keys.every((key) => b.has(key) && equalResults(a.get(key), b.get(key), depth - 1));
  }
  if (Symbol.iterator in a && Symbol.iterator in b)
    return areEqual([...(a as Iterable<unknown>)], [...(b as Iterable<unknown>)]);
  return areEqual(Object.keys(a), Object.keys(b)) && areEqual(Object.values(a), Object.values(b));
}

test('remembered selectors: after each change of a single field, all results and the screen are those computed from nothing', async () => {
  const {triageFixture} = await import('#test/app/inbox/triage-fixture.ts');
  const shown = await shownIn();
  const {copiedFrame, copiedState} = await import('#test/support/copied-frame.ts');
  const {Random} = await import('#std/random.ts');
  const {makeKeyGuide} = await import('#commands/key-guide.ts');
  const {commandTable} = await import('#commands/command-table.ts');
  const {defaultKeymap} = await import('#commands/keymap.ts');
  const account = await richAccount();
  const changes = await singleChanges(account);
  const random = new Random(51);
  let left: Partial<AccountState>[] = [];
  /** Returns each change once, in random order, before any of them again. */
  const next = () => {
    if (left.length === 0) left = [...changes];
    return left.splice(random.below(left.length), 1)[0] ?? {};
  };
  const compared = new Set<string>();
  recorder.isChecking = false;

  /** The key guide remembers hints, too. */
  const withNewHints = (frame: App['frame']): App['frame'] => {
    const keys = frame.info.keys && makeKeyGuide(defaultKeymap, commandTable);
    return {...frame, info: {...frame.info, keys}};
  };
  /** Makes a step, paints, and compares all results and lines with those of copied objects, for which nothing is remembered. */
  const compareAfter = (app: App, step: () => void, story: () => string) => {
    const calls: SelectorCall[] = [];
    recorder.onCall = (call) => calls.push(call);
    step();
    app.frames.paintNow();
    const {frame} = app;
    const painted = shown(frame);
    recorder.onCall = undefined;
    const copies = new Map<unknown, unknown>();
    const copyOf = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      const known = copies.get(value);
      if (known !== undefined) return known;
      const copy =
        'info' in value
          ? withNewHints(copiedFrame(value as App['frame']))
          : 'self' in value
            ? copiedState(value as AccountState)
            : value;
      copies.set(value, copy);
      return copy;
    };
    const expectEqual = (fresh: unknown, remembered: unknown, what: string) => {
      if (equalResults(fresh, remembered)) return;
      expect(remembered, `${what} after ${story()}`).toEqual(fresh);
      expect.unreachable(`${what} after ${story()}`);
    };
    expectEqual(shown(copyOf(frame) as App['frame']), painted, 'the screen');
    const seen = new Set<unknown>();
    for (const {selector, args, result} of calls) {
      compared.add(selector.name);
      if (seen.has(result)) continue;
      if (typeof result === 'object') seen.add(result);
      const [first, ...rest] = args;
      expectEqual(selector.call(copyOf(first), ...rest), result, selector.name);
    }
  };

  for (const walk of await walksOf()) {
    const {app, press: pressKeys, session} = triageFixture({account, size: '160x40'});
    const done: string[] = [];
    const story = () => done.join(' ');
    for (const step of walk) {
      const press = () => (typeof step === 'string' ? pressKeys(...step.split(' ')) : step(app));
      done.push(typeof step === 'string' ? step : 'open');
      for (let count = 0; count < fewOrAll(1, 12); count++) {
        const change = next();
        done.push(`[${Object.keys(change).join()}]`);
        compareAfter(
          app,
          () => {
            if (count === 0) press();
            const {base} = session.cache;
            const toggled = Object.entries(change).map(([name, slice]) => {
              const key = name as keyof AccountState;
              return [name, base[key] === slice ? account[key] : slice];
            });
            const state: AccountState = {...base, ...Object.fromEntries(toggled)};
            session.cache.apply({type: 'state_replaced', state});
          },
          story,
        );
      }
    }
    app.end();
  }
  recorder.isChecking = true;
  const notCompared = recorder.selectors.map(({name}) => name).filter((name) => !compared.has(name));
  expect(notCompared).toEqual([]);
});
