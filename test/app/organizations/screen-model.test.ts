import fc from 'fast-check';
import {expect, test} from 'vitest';
import {openRestoredPane, restorePanes, watchPanes} from '#app/panes/saved-panes.ts';
import {memoryStore, noonMs} from '#test/app/inbox/triage-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {organizationsFixture} from './organizations-fixture.ts';

/*
 * A model of the panes, their histories, the selection and undo in plain arrays, beside the screen. Random keys are pressed in both, and after
 * each key both must say the same. A place is a text such as `acme: #web › login`.
 *
 * Among the keys, connections are lost and come back, which changes nothing of it, and the program is killed: the next one, on the same disks,
 * has both panes of the account that was shown, without their histories, what is unread, undo and redo, and no selection.
 */

interface Pane {
  readonly place: string;
  readonly back: readonly string[];
  readonly forward: readonly string[];
}

interface Model {
  focused: Pane;
  other: Pane | undefined;
  /** The view that each account shows when it is shown by its number. */
  readonly own: Map<string, string>;
  selected: readonly string[];
  unread: string;
  undo: readonly string[];
  redo: readonly string[];
  /** After a kill, actions of several accounts have no common order until new ones are done: `undo` and `redo` have only these. */
  isOrderKnown: boolean;
}

const accountOf = (place: string) => place.slice(0, place.indexOf(':'));
const isInbox = (place: string) => place.endsWith(': Inbox');

/** Opens a place as a new view of the focused pane. */
function opened(pane: Pane, next: string): Pane {
  return pane.place === next ? pane : {place: next, back: [...pane.back, pane.place], forward: []};
}

/** The row under the cursor, as the screen shows it before the key. */
interface Row {
  readonly key: string;
  readonly place: string;
  readonly isUnread: boolean;
}

const keys = ['j', 'j', 'k', 'Enter', 'Esc', 'Alt-Left', 'Alt-Right', 'Alt-1', 'Alt-2', 'Alt-3', 'v', 'e', 'z', 'Z'];
const paneKeys = ['Ctrl-W v', 'Ctrl-W w', 'Ctrl-W o', 'Ctrl-W c'];
/** No keys: a connection is lost or comes back, by the number of its account; the program is killed and started again. */
const interruptions = ['offline 0', 'offline 1', 'offline 2', 'online 0', 'online 1', 'online 2', 'kill', 'kill'];

/** Whether the model knows what the key does there. */
function isModelled({focused, selected, undo, redo, isOrderKnown}: Model, key: string, row: Row | undefined): boolean {
  const isIn = isInbox(focused.place);
  switch (key) {
    case 'Enter':
    case 'Ctrl-W v':
      return isIn && row !== undefined;
    case 'v':
    case 'e':
      return isIn && row?.isUnread === true && (key === 'v' || selected.length > 0 || row !== undefined);
    case 'z':
      return isIn && (isOrderKnown || undo.length > 0);
    case 'Z':
      return isIn && (isOrderKnown || redo.length > 0);
    case 'j':
    case 'k':
      return isIn;
    default:
      return true;
  }
}

function apply(model: Model, key: string, row: Row | undefined, names: readonly string[]): void {
  const {focused, other} = model;
  const left = focused.back.at(-1);
  const right = focused.forward.at(-1);
  switch (key) {
    case 'Enter':
      if (row !== undefined) model.focused = opened(focused, row.place);
      break;
    case 'Esc':
      if (isInbox(focused.place)) model.selected = [];
      else model.focused = opened(focused, focused.back.findLast(isInbox) ?? `${accountOf(focused.place)}: Inbox`);
      break;
    case 'Alt-Left':
      if (left !== undefined)
        model.focused = {place: left, back: focused.back.slice(0, -1), forward: [...focused.forward, focused.place]};
      break;
    case 'Alt-Right':
      if (right !== undefined)
        model.focused = {place: right, back: [...focused.back, focused.place], forward: focused.forward.slice(0, -1)};
      break;
    case 'Ctrl-W v':
      if (row === undefined) break;
      if (other !== undefined && (isInbox(other.place) || accountOf(other.place) === accountOf(focused.place))) {
        model.focused = opened(other, row.place);
        model.other = focused;
      } else {
        model.other = focused;
        model.focused = opened(focused, row.place);
      }
      break;
    case 'Ctrl-W w':
      if (other === undefined) break;
      model.focused = other;
      model.other = focused;
      break;
    case 'Ctrl-W c':
      if (other !== undefined) model.focused = other;
      model.other = undefined;
      break;
    case 'Ctrl-W o':
      model.other = undefined;
      break;
    case 'v':
      if (row !== undefined)
        model.selected = model.selected.includes(row.key)
          ? model.selected.filter((one) => one !== row.key)
          : [...model.selected, row.key].toSorted();
      break;
    default:
      if (/^Alt-\d/.test(key)) showNumbered(model, names[Number(key.slice(4)) - 1]);
  }
  model.own.set(accountOf(model.focused.place), model.focused.place);
}

/** Keeps what the next program has after a kill. */
function applyKill(model: Model, names: readonly string[]): void {
  const {focused, other} = model;
  const only = (pane: Pane): Pane => ({place: pane.place, back: [], forward: []});
  model.focused = only(other === undefined ? {...focused, place: `${accountOf(focused.place)}: Inbox`} : focused);
  model.other = other && only(other);
  model.selected = [];
  model.own.clear();
  if (names.length === 1) return;
  model.isOrderKnown = false;
  model.undo = [];
  model.redo = [];
}

function showNumbered(model: Model, name: string | undefined): void {
  const {focused, own} = model;
  if (name === undefined || name === accountOf(focused.place)) return;
  const place = own.get(name) ?? `${name}: Inbox`;
  model.focused = isInbox(focused.place) && isInbox(place) ? {...focused, place} : opened(focused, place);
}

/** Applies what `e`, `z` and `Z` do; `afterDone` is what is unread after `e`. */
function applyUndo(model: Model, key: string, afterDone: string): void {
  const [undone, redone] = [model.undo.at(-1), model.redo.at(-1)];
  if (key === 'e') {
    model.undo = [...model.undo, model.unread];
    model.redo = [];
    model.selected = [];
    model.unread = afterDone;
  } else if (key === 'z' && undone !== undefined) {
    model.redo = [...model.redo, model.unread];
    model.undo = model.undo.slice(0, -1);
    model.unread = undone;
  } else if (key === 'Z' && redone !== undefined) {
    model.undo = [...model.undo, model.unread];
    model.redo = model.redo.slice(0, -1);
    model.unread = redone;
  }
}

/** Whether the key opened the inbox from another view; the inbox of the other pane was not closed. */
function isEntered(before: string, key: string, {focused}: Model): boolean {
  return !isInbox(before) && isInbox(focused.place) && key !== 'Ctrl-W w' && key !== 'Ctrl-W c';
}

/** The screen, read as the model is written. */
function observed({organizations, shown}: ReturnType<typeof organizationsFixture>, names: readonly string[]) {
  const appOf = (account: string) => organizations.appAt(names.indexOf(account)) ?? expect.unreachable();
  const {screen, info} = shown();
  type Shown = Pick<typeof screen, 'view' | 'back' | 'forward'>;
  const placeOf = ({account, view}: {account: string; view: Shown['view']}) =>
    `${account}: ${viewTitle(appOf(account).frame, view)}`;
  const paneOf = (account: string, {view, back, forward}: Shown): Pane => ({
    place: placeOf({account, view}),
    back: back.map(placeOf),
    forward: forward.map(placeOf),
  });
  const other = screen.otherPane;
  const otherAccount = other?.organization === undefined ? info.accountName : (names[other.organization] ?? '');
  const unread = unreadWithout({organizations}, names, []);
  const selected = names.flatMap((name) => [...appOf(name).screen.lists.inbox.selected].map((key) => `${name} ${key}`));
  return {
    focused: paneOf(info.accountName, screen),
    other: other && paneOf(otherAccount, other),
    selected: selected.toSorted(),
    unread,
  };
}

/** Returns what is unread in each account, without the conversations of some rows. */
function unreadWithout(
  {organizations}: Pick<ReturnType<typeof organizationsFixture>, 'organizations'>,
  names: readonly string[],
  done: readonly string[],
): string {
  const ofAccounts = names.map((name, index) => {
    const conversations = [...(organizations.appAt(index)?.state.unreads.conversations ?? [])];
    const left = conversations.filter(([key]) => !done.includes(`${name} ${key}`)).flatMap(([, {ids}]) => [...ids]);
    return `${name} ${left.toSorted((a, b) => a - b).join(' ')}`;
  });
  return ofAccounts.join('; ');
}

function isUnreadRow(
  {organizations}: Pick<ReturnType<typeof organizationsFixture>, 'organizations'>,
  names: readonly string[],
  row: string,
): boolean {
  return names.some((name, index) =>
    [...(organizations.appAt(index)?.state.unreads.conversations.keys() ?? [])].some((key) => row === `${name} ${key}`),
  );
}

/** Returns the row under the cursor, if it is a conversation. */
function rowOf({shown}: ReturnType<typeof organizationsFixture>): Row | undefined {
  const {frame, info, state} = shown();
  const row = cursorRow(frame, inboxList);
  if (row?.target?.kind !== 'conversation' || row.organization !== undefined) return undefined;
  const isUnread = [...state.unreads.conversations.keys()].includes(row.key as never);
  return {key: `${info.accountName} ${row.key}`, place: `${info.accountName}: ${row.label}`, isUnread};
}

type Fixture = ReturnType<typeof organizationsFixture>;

/** Starts a program with these accounts, of which one is shown with the panes that its last program had. */
function startProgram(names: readonly string[], shownName: string, before?: Fixture): Fixture {
  const clock = new ManualClock(before?.fixtures[0]?.clock.now() ?? noonMs);
  const fixture = organizationsFixture(
    Object.fromEntries(names.map((name) => [name, undefined])),
    'grouped',
    '200x50',
    (name) => ({clock, store: before?.fixtures[names.indexOf(name)]?.store ?? memoryStore(clock)}),
  );
  fixture.organizations.shownIndex = names.indexOf(shownName);
  const shown = fixture.shown();
  restorePanes(shown, false);
  shown.set({back: [], forward: []});
  for (const {app} of fixture.fixtures) watchPanes(app);
  shown.frames.paintNow();
  for (const {app} of fixture.fixtures) openRestoredPane(app);
  shown.frames.paintNow();
  return fixture;
}

const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;

function setConnection({fixtures, shown}: Fixture, index: number, isOnline: boolean): void {
  const connection = isOnline ? ({phase: 'online'} as const) : offline;
  const app = fixtures[index]?.app;
  app?.session.cache.apply({type: 'connection_changed', connection});
  app?.frames.paintNow();
  shown().frames.paintNow();
}

async function pressAll(names: readonly string[], pressed: readonly string[]): Promise<void> {
  let fixture = startProgram(names, names[0] ?? '');
  const first = observed(fixture, names);
  const model: Model = {...first, own: new Map(), undo: [], redo: [], isOrderKnown: true};
  const history: string[] = [];
  for (const key of pressed) {
    const row = rowOf(fixture);
    const before = model.focused.place;
    if (!isModelled(model, key, row)) continue;
    const done = model.selected.length > 0 ? model.selected : [row?.key ?? ''];
    const afterDone = unreadWithout(fixture, names, done);
    const [name = '', index = ''] = key.split(' ');
    if (key === 'kill') {
      // Keys are read in separate tasks, at whose ends they are on disk.
      await Promise.resolve();
      fixture = startProgram(names, accountOf(model.focused.place), fixture);
    } else if (name === 'offline' || name === 'online') setConnection(fixture, Number(index), name === 'online');
    else fixture.press(...key.split(' '));
    // Actions of one account are in the order of their times after a restart.
    fixture.fixtures[0]?.clock.advance(1);
    history.push(key);
    const now = observed(fixture, names);
    apply(model, key, row, names);
    if (key === 'kill') applyKill(model, names);
    applyUndo(model, key, afterDone);
    // What a redo marked read is not selected any more.
    if (key === 'Z') model.selected = model.selected.filter((one) => isUnreadRow(fixture, names, one));
    if (isEntered(before, key, model)) model.selected = [];
    // The list of all organizations is the same view in each; the cursor says which one has the keys.
    if (isInbox(model.focused.place) && isInbox(now.focused.place))
      model.focused = {...model.focused, place: now.focused.place};
    // The account that the cursor crossed to shows the list of all from then on.
    model.own.set(accountOf(model.focused.place), model.focused.place);
    if (model.other !== undefined && now.other !== undefined && isInbox(model.other.place) && isInbox(now.other.place))
      model.other = {...model.other, place: now.other.place};
    const {focused, other, selected, unread} = model;
    expect(now, `after ${history.join(', ')}`).toEqual({focused, other, selected, unread});
  }
}

const runs = fewOrAll(30, 1500);

test.each([
  ['one organization', ['acme']],
  ['three organizations', ['acme', 'beta', 'gamma']],
])(
  'screen: with %s, history, panes, selection, undo and redo are as in the model after every key',
  async (_, names) => {
    const anyKeys = fc.array(
      fc.oneof({weight: 9, arbitrary: fc.constantFrom(...keys, ...paneKeys)}, fc.constantFrom(...interruptions)),
      {minLength: 10, maxLength: 40},
    );
    await fc.assert(
      fc.asyncProperty(anyKeys, (pressed) => pressAll(names, pressed)),
      {numRuns: runs},
    );
  },
);

const down = Array.from({length: 7}, () => 'j');

test.each<[what: string, pressed: readonly string[], names?: readonly string[]]>([
  ['after something new in another organization nothing is redone', ['e', 'z', ...down, 'e', 'Z', 'Z']],
  [
    'what was undone last is redone first, also in another organization',
    ['e', 'e', ...down, 'e', 'z', 'z', ...down, 'Z', 'Z'],
  ],
  [
    'a key sequence ends in the account where it began, and back to the list of all gives the keys to the account of the row',
    ['Alt-3', 'j', 'Ctrl-W v', 'Alt-2', 'k', 'Alt-3', 'Alt-Left', 'Ctrl-W o'],
  ],
  [
    'an account that the cursor crossed to shows the list of all when it is shown by its number',
    ['Enter', 'Alt-2', 'k', 'Alt-2', ...down, 'j', 'Alt-1'],
  ],
  ['a redo keeps what was selected since', ['e', 'j', 'v', 'z', 'Z', 'e', 'z']],
  [
    'forward and back again go through both organizations',
    ['Enter', 'Alt-2', 'Alt-Left', 'Alt-Right', 'Alt-Left', 'Alt-Right'],
  ],
  ['what was undone before a kill is redone after it', ['e', 'z', 'kill', 'j', 'kill', 'Z', 'z'], ['acme']],
  [
    'after a kill both panes are there, also of two organizations',
    ['Enter', 'Alt-2', 'j', 'Ctrl-W v', 'kill', 'Ctrl-W w', 'kill'],
  ],
])('screen: %s', async (_, pressed, names = ['acme', 'beta', 'gamma']) => {
  await pressAll(names, pressed);
});
