import {expect, test} from 'vitest';
import {prefixLines, prefixRect} from '#app/prefix-panel.ts';
import {statusLines} from '#app/status-line.ts';
import {messagesView} from '#app/view.ts';
import {keyGuide} from '#commands/key-guide.ts';
import {defaultKeymap, rebound} from '#commands/keymap.ts';
import {commandTable} from '#commands/table.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {egFrame, egRect, textOf} from '#test/support/frame.ts';

const keys = keyGuide(defaultKeymap, commandTable);
const talk = messagesView(topicNarrow(1, 'talk'));

function status({size = '80x24', facts = {}, ...parts}: Parameters<typeof egFrame>[0] = {}): string {
  const frame = egFrame({view: talk, size, ...parts, facts: {keys, ...facts}});
  return textOf(statusLines(frame, egRect(size)))[0] ?? '';
}

test('the line says how keys are taken and what they do here, and where to find the others', () => {
  expect(status()).toMatch(/^ NAV {2}r reply {2}Space .* {2}; commands {2}\? keys$/);
  expect(status({view: {kind: 'recent'}})).toMatch(/^ NAV {2}Enter open {2}E done {2}M mute/);
});

test.each([30, 40, 60, 80, 120])(
  'at %i columns no hint is cut and the way to the keys is there',
  (columns) => {
    const line = status({size: `${columns}x24`});
    expect(line.length).toBeLessThanOrEqual(columns);
    expect(line).toMatch(/\? keys$/);
    expect(line).not.toContain('…');
  },
);

test('hints follow the keys that somebody chose', () => {
  const changes = [
    {context: 'nav', sequence: 'E', id: undefined},
    {context: 'nav', sequence: 'Ctrl-T', id: 'conv.done'},
  ] as const;
  const own = keyGuide(rebound(defaultKeymap, changes), commandTable);
  expect(status({facts: {keys: own}})).toContain('^T done');
});

test('what was just said takes the place of the hints', () => {
  const toast = {text: 'Marked 4 read · z undo', tone: 'plain', id: 1} as const;
  expect(status({screen: {toast}})).toBe(' NAV  Marked 4 read · z undo');
  expect(status({screen: {toast}, looks: {glyphs: 'ascii'}})).toBe(' NAV  Marked 4 read - z undo');
});

test('in the middle of a sequence only that counts, and who hesitates sees what may follow', () => {
  const screen = {prefix: ['g'], isPrefixShown: true};
  expect(status({screen})).toContain('g and then  Esc cancel');
  const frame = egFrame({view: talk, screen, facts: {keys}});
  const rect = prefixRect(frame);
  expect(rect).toMatchObject({x: 0, columns: 80});
  expect((rect?.y ?? 0) + (rect?.rows ?? 0)).toBe(23);
  const lines = textOf(prefixLines(frame, rect ?? egRect('80x24')));
  expect(lines[0]).toMatch(/^── g … ─+$/);
  expect(lines.join('\n')).toMatch(/i {3}Inbox/);
  expect(prefixRect(egFrame({view: talk, screen: {prefix: ['g']}, facts: {keys}}))).toBeUndefined();
});
