import fc from 'fast-check';
import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import type {AccountState} from '#state/state.ts';
import {inTopic, noonMs, triageAccount, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {arbitraryAccountState} from '#test/state/selectors/selector-builders.ts';
import {egFrame, egRect, textOf} from '#test/support/frame-fixture.ts';
import {assertLineContract} from '#test/support/line-contract.ts';
import {inboxParts, listPane, placedText, statusLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import type {Frame} from '#ui/core/frame.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {paintLine} from '#ui/Lines.tsx';
import {inboxLayout} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/screen-layout.ts';

const keys = makeKeyGuide(defaultKeymap, commandTable);
const sizes = ['200x50', '140x40', '120x40', '100x30', '80x24', '60x20', '40x15', '30x8'];

function frameOf(size: string, view: 'inbox' | 'triage' = 'inbox', more: Parameters<typeof egFrame>[0] = {}) {
  const account = {...triageAccount(), connection: {phase: 'online'} as const};
  return egFrame({account, size, view: {kind: view}, now: noonMs, ...more});
}

function pane(frame: Frame): readonly string[] {
  const {main} = screenLayout(frame);
  return placedText(inboxParts(frame, main), main);
}

test.each(sizes)('inbox pane: every line fits its pane at %s, whatever it contains', (size) => {
  fc.assert(
    fc.property(arbitraryAccountState, fc.constantFrom('unicode' as const, 'ascii' as const), (account, glyphs) => {
      for (const view of ['inbox', 'triage'] as const) {
        const frame = frameOf(size, view, {account, display: {glyphs}});
        const {main} = screenLayout(frame);
        for (const {rect, lines} of inboxParts(frame, main)) {
          expect(rect.y + lines.length).toBeLessThanOrEqual(main.y + main.rows);
          expect(rect.x + rect.columns).toBeLessThanOrEqual(main.x + main.columns);
          const painted = lines.map((line) => paintLine(line, frame.display));
          assertLineContract(painted, rect.columns);
          if (glyphs === 'ascii') expect(textOf(lines).join('')).not.toMatch(/[─│┬▌◎✓✎◷▸›↓•]/);
        }
      }
    }),
    {numRuns: 15},
  );
});

test('inbox pane: list and preview are side by side where there is room, otherwise one above the other', () => {
  const wide = pane(frameOf('120x40'));
  expect(wide[1]).toMatch(/^─+┬─+$/);
  expect(wide[3]).toMatch(/^▌ {2}@1 2 #backend › freeze +58m │/);
  expect(wide[2]).toMatch(/│ #backend › freeze +Carol · @1 2 unread · latest 58m$/);
  const usual = pane(frameOf('80x24'));
  expect(usual[3]).toMatch(/^▌ {2}@1 2 #backend › freeze +can we lift the freeze\? +58m$/);
  expect(
    usual.findIndex((line) => line.startsWith('── #backend › freeze  Carol · 1 mention · 2 unread · latest 58m ─')),
  ).toBeGreaterThan(8);
  const low = pane(frameOf('40x10'));
  expect(low.some((line) => line.includes('unread'))).toBe(false);
});

test('inbox pane: a group by channel has its topics under a line with their channel where list and preview are side by side', () => {
  const account = triageAccount([[eg.direct({id: 40, timestamp: noonMs / 1000 - 60}), true]]);
  const list = (frame: Frame) => pane(frame).map((line) => (line.split('│')[0] ?? '').trimEnd());
  expect(list(frameOf('120x40', 'inbox', {account})).slice(2, 12)).toEqual([
    '  MENTIONS  @2 4           by priority',
    '▌  @1 2 Carol Diaz                  1m',
    '   @1 2 #backend › freeze          58m',
    '  CHANNELS  4               by channel',
    '   #backend',
    '      1 logs                       53m',
    '   #web',
    '      2 login                      54m',
    '      1 css                        56m',
    '  MUTED ▸  1',
  ]);
  expect(list(frameOf('80x24', 'inbox', {account})).join('\n')).not.toMatch(/^ *#(backend|web)$/m);
});

/** An account with topics of one channel whose names begin the same. */
function similarNamesAccount(): AccountState {
  const topics = ['certificate in Lisbon', 'certificate in Lima', 'certificate in Nairobi', 'stable parser'];
  const account = triageAccount(topics.map((topic, at) => [inTopic(50 + at, 9, topic)]));
  const channel = eg.channel({id: 9, name: 'account-formatter-10'});
  return {
    ...account,
    channels: account.channels.with(9, channel),
    subscriptions: account.subscriptions.with(9, eg.subscription({channelId: 9})),
    connection: {phase: 'online'},
  };
}

test.each(['200x50', '140x40', '120x40', '100x30', '80x24', '60x30', '40x40'])(
  'inbox pane: no two conversations look the same at %s',
  (size) => {
    const frame = frameOf(size, 'inbox', {account: similarNamesAccount()});
    const rows = textOf(listPane(inboxList)(frame, inboxLayout(frame, screenLayout(frame).main).list));
    const names = rows.filter((line) => /^..\s+\d+ (#acc.* › )?(cert|stable)/.test(line)).map((line) => line.slice(2));
    expect(names.length).toBeGreaterThan(2);
    expect(new Set(names).size).toBe(names.length);
  },
);

test('inbox pane: symbols and ages are aligned', () => {
  const account = triageAccount([
    [inTopic(50, 1, '✔ done')],
    [inTopic(51, 1, '✔ a topic with so long a name that it is cut in most lists')],
  ]);
  const frame = frameOf('120x40', 'inbox', {account});
  const rows = pane(frame).map((line) => line.split('│')[0] ?? '');
  const signed = rows.filter((line) => line.includes('✓'));
  expect(signed).toHaveLength(2);
  expect(new Set(signed.map((line) => line.indexOf('✓'))).size).toBe(1);
  const ages = rows.flatMap((line) => /\d[mh](?= ?$)/.exec(line)?.index ?? []);
  expect(new Set(ages).size).toBe(1);
});

test('inbox pane: the age of a conversation is that of its newest unread message', () => {
  const frame = frameOf('120x40', 'inbox');
  const rows = pane(frame).map((line) => line.split('│')[0]?.trimEnd() ?? '');
  // Its unread messages are 59 and 58 minutes old.
  expect(rows.find((line) => line.includes('freeze'))).toMatch(/ 58m$/);
});

const muted = {cursor: 'title muted'} as const;

function onMuted(size: string, view: 'inbox' | 'triage' = 'inbox', more: Parameters<typeof egFrame>[0] = {}) {
  const frame = frameOf(size, view, {info: {keys}, ...more});
  const lists = {...frame.screen.lists, inbox: {...frame.screen.lists.inbox, ...muted}};
  return {...frame, screen: {...frame.screen, lists}};
}

test.each(['120x40', '80x24', '40x15'])(
  'inbox pane: on a folded group the preview shows its conversations and the keys for it, at %s',
  (size) => {
    const frame = onMuted(size);
    const text = pane(frame).join('\n');
    expect(text).toMatch(/Muted +1 conversation, 1 message/);
    expect(text).toMatch(/1 #random › cats/);
    expect(text).toMatch(/Enter show them {2}X mark all read/);
    const elsewhere = {...frame, screen: {...frame.screen, focus: 'composer' as const}};
    expect(pane(elsewhere).join('\n')).not.toMatch(/show them/);
    const one = pane(onMuted(size, 'triage')).join('\n');
    expect(one).toMatch(/^ Muted +1 conversation, 1 message/);
  },
);

test('inbox pane: hints show only what works on the row under the cursor', () => {
  const hint = (frame: Frame) => textOf(statusLines(frame, egRect('120x1')))[0];
  const row = frameOf('120x40', 'inbox', {info: {keys}});
  expect(hint(row)).toMatch(/^ NAV {2}e done {2}Space read on {2}r reply {2}n skip \(stays unread\) {2}b snooze/);
  expect(hint(onMuted('120x40'))).toMatch(/^ NAV {2}Enter show them {2}X mark all read {2}z undo/);
  const none = frameOf('120x40', 'inbox', {
    account: eg.state({connection: {phase: 'online'}}),
    info: {keys},
  });
  expect(hint(none)).toMatch(/^ NAV {2}t recent {2}c new topic {2}x direct message/);
});

test('inbox pane: triage hints do not offer to select', () => {
  const hint = (frame: Frame) => textOf(statusLines(frame, egRect('160x1')))[0];
  expect(hint(frameOf('160x40', 'inbox', {info: {keys}}))).toContain('v select');
  const alone = hint(frameOf('160x40', 'triage', {info: {keys}}));
  expect(alone).toMatch(/^ NAV {2}e done {2}Space read on .* M mute {2}z undo {2}Enter open/);
  expect(alone).not.toContain('select');
});

test.each(['120x40', '40x15'])('inbox pane: an empty inbox shows its hints in full at %s', (size) => {
  const account = eg.state({connection: {phase: 'online'}});
  const lines = pane(frameOf(size, 'inbox', {account, info: {keys}}));
  expect(lines.join('\n')).toMatch(/Nothing unread\..*t recent.*c new topic.*x direct message/s);
  expect(lines.join('\n')).not.toContain('…');
});

test('inbox pane: on the smallest screens counts of tabs cannot be mistaken for keys', () => {
  const [tabs] = pane(frameOf('40x15'));
  expect(tabs).toBe('  All  @1  DM 1  ◎  # 4  Muted');
});

test('inbox pane: below the messages is the number of unread ones to come', () => {
  const more = Array.from({length: 30}, (_, at) => [inTopic(50 + at, 2, 'freeze')] as const);
  const account = {...triageAccount(more), connection: {phase: 'online'} as const};
  const lines = pane(frameOf('80x24', 'inbox', {account}));
  expect(lines.at(-1)).toMatch(/↓ 27 more · Space$/);
});

test('inbox pane: the count of a conversation stands out where the user is mentioned', () => {
  const {app} = triageFixture();
  const lines = inboxParts(app.frame, screenLayout(app.frame).main).flatMap((part) => part.lines);
  const countRole = (topic: string) =>
    lines.find((line) => textOf([line])[0]?.includes(topic))?.spans.find(({role}) => role.endsWith('_count'))?.role;
  expect([countRole('freeze'), countRole('login')]).toEqual(['mention_count', 'unread_count']);
});
