import {stripVTControlCharacters} from 'node:util';
import {Box} from 'ink';
import {Profiler} from 'react';
import {expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {noonMs, triageAccount} from '#test/app/inbox/triage-fixture.ts';
import {egFrame, type FrameParts} from '#test/support/frame-fixture.ts';
import {inboxParts, placedText} from '#test/support/part-lines.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import * as eg from '#test/support/state-builders.ts';
import type {Frame} from '#ui/core/frame.ts';
import {Inbox, Triage} from '#ui/inbox/Inbox.tsx';

function frameOf(parts: FrameParts = {}): Frame {
  const account = {...triageAccount(), connection: {phase: 'online'} as const};
  return egFrame({account, size: '120x40', view: {kind: 'inbox'}, now: noonMs, ...parts});
}

function withCursor(frame: Frame, cursor: string): Frame {
  const lists = {...frame.screen.lists, inbox: {...frame.screen.lists.inbox, cursor}};
  return {...frame, screen: {...frame.screen, lists}};
}

/** Renders the part of the view on the whole screen. */
function rendered(frame: Frame) {
  const {columns, rows} = frame.screen.size;
  const rect = {x: 0, y: 0, columns, rows};
  const Part = frame.screen.view.kind === 'triage' ? Triage : Inbox;
  let renderCount = 0;
  const ink = renderWithFrame(
    <Box width={columns} height={rows}>
      <Profiler id="part" onRender={() => void renderCount++}>
        <Part rect={rect} />
      </Profiler>
    </Box>,
    frame,
  );
  const text = () => ink.rows().map((row) => stripVTControlCharacters(row).trimEnd());
  return {...ink, rect, text, renderCount: () => renderCount};
}

const muted = 'title muted';

test.each([
  ['120x40', 'inbox', undefined],
  ['120x40', 'inbox', muted],
  ['80x24', 'inbox', undefined],
  ['80x24', 'inbox', muted],
  ['40x10', 'inbox', undefined],
  ['100x30', 'triage', undefined],
  ['100x30', 'triage', muted],
] as const)('Inbox: at %s in the %s view, with the cursor at %s, every part is in its place', (size, kind, cursor) => {
  const frame = frameOf({size, view: {kind}});
  const shown = cursor === undefined ? frame : withCursor(frame, cursor);
  const {text, rect} = rendered(shown);
  const expected = placedText(inboxParts(shown, rect), rect);
  expect(expected.join('\n')).toMatch(cursor === undefined ? /freeze/ : /Muted +1 conversation/);
  expect(text().slice(0, expected.length)).toEqual(expected);
});

test('Inbox: a conversation is listed on the left and previewed on the right of a line', () => {
  const rows = rendered(frameOf()).text();
  expect(rows[1]).toMatch(/^─+┬─+$/);
  expect(rows[2]).toMatch(/^ {2}MENTIONS.*│ #backend › freeze +(?:Carol · )?1 mention · 2 unread · latest 58m$/);
  expect(rows.at(-1)).toMatch(/^ +│/);
});

test.each(['inbox', 'triage'] as const)('Inbox: with nothing unread the %s view says so, without a list', (kind) => {
  const frame = frameOf({account: eg.state({connection: {phase: 'online'}}), view: {kind}});
  const text = rendered(frame).text().join('\n');
  expect(text).toContain('Nothing unread.');
  expect(text).not.toMatch(/│|┬/);
});

test('Inbox: while the account loads it says so', () => {
  const frame = frameOf({account: initialState});
  expect(rendered(frame).text()[3]).toBe('  Loading…');
});

test('Inbox: a change that it does not show renders nothing, a moved cursor renders the row and its preview', async () => {
  const frame = frameOf();
  const {paint, text, renderCount} = rendered(frame);
  await paint({...frame, screen: {...frame.screen, toast: {text: 'x', tone: 'plain', id: 1}}});
  expect(renderCount()).toBe(1);
  await paint(withCursor(frame, muted));
  expect(renderCount()).toBe(2);
  expect(text()[2]).toMatch(/│ Muted +1 conversation, 1 message$/);
});
