import fc from 'fast-check';
import {expect, test} from 'vitest';
import {inboxLines} from '#app/inbox/inbox-pane.ts';
import {triageLines} from '#app/inbox/triage-pane.ts';
import {screenLayout} from '#app/screen-layout.ts';
import {accounts} from '#test/state/selectors/world.ts';
import {egFrame, textOf} from '#test/support/frame.ts';
import {assertLineContract} from '#test/support/line-contract.ts';
import {paintedLine} from '#ui/paint.ts';
import {noonMs, triageAccount} from './triage-stage.ts';

const sizes = ['200x50', '140x40', '120x40', '100x30', '80x24', '60x20', '40x15', '30x8'];

function frameOf(size: string, view: 'inbox' | 'triage' = 'inbox', more: Parameters<typeof egFrame>[0] = {}) {
  const account = {...triageAccount(), connection: {phase: 'online'} as const};
  return egFrame({account, size, view: {kind: view}, now: noonMs, ...more});
}

function shown(frame: ReturnType<typeof frameOf>) {
  const {main} = screenLayout(frame);
  return {main, lines: (frame.screen.view.kind === 'triage' ? triageLines : inboxLines)(frame, main)};
}

test.each(sizes)('every line fits its pane at %s, whatever is in it', (size) => {
  fc.assert(
    fc.property(accounts, fc.constantFrom('unicode' as const, 'ascii' as const), (account, glyphs) => {
      for (const view of ['inbox', 'triage'] as const) {
        const frame = frameOf(size, view, {account, looks: {glyphs}});
        const {main, lines} = shown(frame);
        expect(lines.length).toBeLessThanOrEqual(main.rows);
        const painted = lines.map((line) => paintedLine(line, frame.looks));
        assertLineContract(painted, main.columns);
        if (glyphs === 'ascii') expect(textOf(lines).join('')).not.toMatch(/[─│┬▌★✓✎◷▸]/);
      }
    }),
    {numRuns: 15},
  );
});

test('list and preview are side by side where there is room, one above the other where there is less', () => {
  const wide = textOf(shown(frameOf('120x40')).lines);
  expect(wide[1]).toMatch(/^─+┬─+$/);
  expect(wide[3]).toMatch(/^▌ {3}@2 #backend › freeze +59m│/);
  expect(wide[2]).toMatch(/│ #backend › freeze +2 unread · 59m$/);
  const usual = textOf(shown(frameOf('80x24')).lines);
  expect(usual[3]).toMatch(/^▌ {3}@2 #backend › freeze +can we lift the freeze\? +59m$/);
  expect(usual.findIndex((line) => line.startsWith('── #backend › freeze  2 unread'))).toBeGreaterThan(8);
  const low = textOf(shown(frameOf('40x10')).lines);
  expect(low.some((line) => line.includes('unread'))).toBe(false);
});

test('the same lines for the same frame, and for one in which something else changed', () => {
  const frame = frameOf('120x40');
  const {main, lines} = shown(frame);
  const other = {...frame, screen: {...frame.screen, toast: {text: 'x', tone: 'plain' as const, id: 1}}};
  const again = inboxLines(other, main);
  expect(again.every((line, at) => line === lines[at])).toBe(true);
});
