import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {defaultKeymap, withBindings} from '#commands/keymap.ts';
import {channelNarrow, type Narrow, narrowIs, topicNarrow} from '#state/model/narrow.ts';
import {egFrame, egRect, textOf} from '#test/support/frame-fixture.ts';
import {keyPanel, statusLines, toastPanel} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {listAccount} from '#test/ui/lists/list-fixture.ts';
import {type TimelineFrameParts, timelineFrame} from '#test/ui/message-pane/timeline-frame.ts';
import {messagesView} from '#ui/core/frame.ts';

const keys = makeKeyGuide(defaultKeymap, commandTable);
const talk = messagesView(topicNarrow(1, 'talk'));

const newDraft = {
  id: 'a',
  serverId: undefined,
  base: undefined,
  sent: undefined,
  content: 'later',
  editedAt: 0,
  status: 'dirty',
} as const;

function status({size = '80x24', info = {}, ...parts}: Parameters<typeof egFrame>[0] = {}): string {
  const frame = egFrame({view: talk, size, ...parts, info: {keys, ...info}});
  return textOf(statusLines(frame, egRect(size)))[0] ?? '';
}

test('status line: shows the mode, the keys that work here, and how to find the others', () => {
  expect(status({account: listAccount({})})).toMatch(/^ NAV {2}r reply {2}Space .* {2}; commands {2}\? keys$/);
  expect(status({view: {kind: 'recent'}, account: listAccount({})})).toMatch(/^ NAV {2}Enter open {2}r reply/);
});

test.each([30, 40, 60, 80, 120])(
  'status line: at %i columns no hint is truncated and the keys hint is there',
  (columns) => {
    const line = status({size: `${columns}x24`});
    expect(line.length).toBeLessThanOrEqual(columns);
    expect(line).toMatch(/\? keys$/);
    expect(line).not.toContain('…');
  },
);

test('status line: hints follow custom bindings', () => {
  const changes = [
    {context: 'nav', sequence: 'I', id: undefined},
    {context: 'nav', sequence: 'g i', id: undefined},
    {context: 'nav', sequence: 'Ctrl-T', id: 'view.inbox'},
  ] as const;
  const own = makeKeyGuide(withBindings(defaultKeymap, changes), commandTable);
  expect(status({info: {keys: own}})).toContain('^T inbox');
});

test('status line: it says how long notifications are held back', () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const account = listAccount({});
  const quiet = (quietUntil: number | undefined) =>
    /quiet.*?(?= {2})/.exec(status({account, now, screen: {quietUntil}}))?.[0];
  expect(quiet(now + 7_200_000)).toBe('quiet until 14:00');
  expect(quiet(Number.POSITIVE_INFINITY)).toBe('quiet');
  expect([quiet(now), quiet(undefined)]).toEqual([undefined, undefined]);
});

test('status line: a toast replaces the hints', () => {
  const toast = {text: 'Marked 4 read · z undo', tone: 'plain', id: 1} as const;
  expect(status({screen: {toast}})).toBe(' NAV  Marked 4 read · z undo');
  expect(status({screen: {toast}, display: {glyphs: 'ascii'}})).toBe(' NAV  Marked 4 read - z undo');
});

test.each([80, 60, 40])('status line: at %i columns a long toast keeps its undo hint', (columns) => {
  const toast = {
    text: `Marked #general › ${'a long story '.repeat(8)}read (4) · z undo`,
    tail: ' · z undo',
    tone: 'plain',
    id: 1,
  } as const;
  const line = status({size: `${columns}x24`, screen: {toast}});
  expect(line).toMatch(/Marked #general.*… · z undo$/);
  expect(line.length).toBeLessThanOrEqual(columns);
});

test('status line: hints only what works in this view: a card closes, a reminder cannot be sent', () => {
  const card = {kind: 'card', top: 0, card: {id: 'info', title: 'Facts', lines: () => []}} as const;
  expect(status({screen: {overlays: [card]}})).toBe(' PICK  Esc close');
  const draft = {...newDraft, target: {kind: 'topic', channelId: 1, topic: 'talk'}} as const;
  const account = eg.state({localDrafts: [draft]});
  expect(status({view: {kind: 'drafts', tab: 'drafts'}, account})).toContain('S send');
  expect(status({view: {kind: 'drafts', tab: 'reminders'}})).not.toContain('S send');
});

test('status line: an empty view hints only what works there', () => {
  const hints = (narrow: Narrow, parts: Omit<TimelineFrameParts, 'narrow'> = {}) => {
    const frame = timelineFrame({narrow, ...parts, frame: {size: '160x40', info: {keys}}});
    return textOf(statusLines(frame, egRect('160x40')))[0] ?? '';
  };
  expect(hints(topicNarrow(1, 'talk'))).toMatch(/^ NAV {2}r write first message {2}c new topic/);
  expect(hints(channelNarrow(1))).toMatch(/^ NAV {2}c new topic/);
  expect(hints(narrowIs('starred'))).toMatch(/^ NAV {2}c new topic {2}x direct message/);
  const search: Narrow = [{operator: 'search', operand: 'tide'}];
  expect(hints(search)).toMatch(/^ NAV {2}Enter search all public channels {2}\/ change search/);
  expect(hints([{operator: 'sender', operand: 11}])).toMatch(/^ NAV {2}\/ change search/);
  for (const narrow of [topicNarrow(1, 'talk'), channelNarrow(1), search, narrowIs('starred')])
    expect(hints(narrow)).not.toMatch(/react|quote|links|read on|done/);
  expect(hints(talk.narrow, {messages: [eg.message({id: 1, topic: 'talk'})]})).toContain('r reply');
});

test('status line: on an unsent message, the hints are what its keys do', () => {
  const outbox = [eg.outboxEntry({id: 'a', status: 'unconfirmed'})];
  const state = {selected: 'a', openAt: undefined};
  const messages = [eg.message({id: 1, topic: 'talk'})];
  const frame = timelineFrame({messages, account: {outbox}, state, frame: {info: {keys}}});
  const [line] = textOf(statusLines(frame, egRect('80x24')));
  expect(line).toMatch(/^ NAV {2}! send again {2}E edit {2}Delete to drafts {2}r reply/);
});

test('status line: a read-only session hints nothing that changes or sends', () => {
  const messages = [eg.message({id: 1, topic: 'talk', content: 'https://example.com'})];
  const hints = (isReadOnly: boolean) => {
    const frame = timelineFrame({messages, frame: {size: '160x40', info: {keys, isReadOnly}}});
    return textOf(statusLines(frame, egRect('160x40')))[0] ?? '';
  };
  expect(hints(false)).toMatch(/r reply.*: react.*> quote/);
  expect(hints(true)).not.toMatch(/reply|done|react|quote/);
  expect(hints(true)).toContain('o links');
});

test('status line: an empty list hints nothing that needs a row', () => {
  expect(status({view: {kind: 'drafts', tab: 'drafts'}, size: '160x40'})).not.toMatch(/open|send|edit|delete|go there/);
  expect(status({view: {kind: 'directs'}, size: '160x40'})).not.toMatch(/open|done|reply|snooze/);
});

test.each([
  ['40x24', 22],
  ['40x15', 0],
])('toast panel: at %s a reason that does not fit into a row is wrapped', (size, y) => {
  const text = 'You can post in existing topics of #general, but not start new ones.';
  const frameWith = (tone: 'plain' | 'warning') =>
    egFrame({view: talk, size, info: {keys}, screen: {toast: {text, tone, id: 1}}});
  const {rect, lines = []} = toastPanel(frameWith('warning')) ?? {};
  expect(rect).toEqual({x: 0, y, columns: 40, rows: 2});
  expect(
    textOf(lines)
      .map((line) => line.trim())
      .join(' '),
  ).toBe(text);
  expect(toastPanel(frameWith('plain'))).toBeUndefined();
  expect(toastPanel(egFrame({view: talk, size: '120x40', info: {keys}}))).toBeUndefined();
});

test('status line: offline without saved messages, no message keys are hinted', () => {
  const connection = {phase: 'offline', since: 0, retryAt: 1, problem: '', savedAt: undefined} as const;
  const frame = timelineFrame({
    narrow: channelNarrow(1),
    timeline: {hasOldest: false, hasNewest: false},
    account: {connection},
    frame: {info: {keys}},
  });
  expect(textOf(statusLines(frame, egRect('80x24')))[0]).not.toMatch(/reply|react|quote/);
});

test('key continuations: labels are truncated only where there is no room', () => {
  const screen = {prefix: ['Ctrl-X'], isPrefixShown: true, focus: 'composer'} as const;
  const frame = egFrame({view: talk, screen, size: '120x40', info: {keys}});
  const lines = textOf(keyPanel(frame)?.lines ?? []);
  expect(lines.slice(1).join('\n')).not.toContain('…');
});

test('key continuations: the smallest screen shows every key', () => {
  const screen = {prefix: ['g'], isPrefixShown: true} as const;
  const frame = egFrame({view: talk, screen, size: '40x15', info: {keys}});
  const panel = keyPanel(frame);
  const lines = textOf(panel?.lines ?? []).slice(1);
  const shown = keys.continuations(frame.screen).filter(({key}) => lines.some((line) => line.includes(` ${key}   `)));
  expect(shown).toHaveLength(keys.continuations(frame.screen).length);
  expect(panel?.rect.rows).toBeLessThanOrEqual(15);
});

test('status line: within a key sequence only its continuations are hinted, and after a pause listed', () => {
  const screen = {prefix: ['g'], isPrefixShown: true};
  expect(status({screen})).toContain('g next key  Esc cancel');
  const frame = egFrame({view: talk, screen, info: {keys}});
  const {rect, lines: painted = []} = keyPanel(frame) ?? {};
  expect(rect).toMatchObject({x: 0, columns: 80});
  expect((rect?.y ?? 0) + (rect?.rows ?? 0)).toBe(23);
  const lines = textOf(painted);
  expect(lines[0]).toMatch(/^── g … ─+$/);
  expect(lines.join('\n')).toMatch(/i {3}Inbox/);
  expect(keyPanel(egFrame({view: talk, screen: {prefix: ['g']}, info: {keys}}))).toBeUndefined();
});
