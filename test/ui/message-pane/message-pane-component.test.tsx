import {stripVTControlCharacters} from 'node:util';
import {Box} from 'ink';
import {Profiler} from 'react';
import {expect, test} from 'vitest';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import type {Frame} from '#ui/core/frame.ts';
import {MessagePane} from '#ui/message-pane/MessagePane.tsx';
import {several, type TimelineFrameParts, timelineFrame} from './timeline-frame.ts';

const rect = egRect('80x14');

function frameOf(parts: TimelineFrameParts): Frame {
  return timelineFrame({...parts, frame: {size: '80x14'}});
}

function rendered(frame: Frame) {
  let renderCount = 0;
  const ink = renderWithFrame(
    <Box width={rect.columns} height={rect.rows}>
      <Profiler id="messages" onRender={() => void renderCount++}>
        <MessagePane rect={rect} />
      </Profiler>
    </Box>,
    frame,
  );
  const text = () => ink.rows().map((row) => stripVTControlCharacters(row).trimEnd());
  return {...ink, text, renderCount: () => renderCount};
}

const offline = {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined} as const;
const atFirst = {openAt: undefined, selected: 1, anchor: {id: 1, skippedLines: 0}};
const unloaded = {hasOldest: false, hasNewest: false};

test.each([
  ['messages', {messages: several(3)}, /Bo Wu +11:00\n.*message 1/],
  ['more messages than rows', {messages: several(30), state: atFirst}, /more below · G$/],
  ['no messages', {}, /^\n {2}No messages in #backend › talk yet\./],
  ['messages that load', {timeline: {...unloaded, loading: 'first'}}, /^\n {2}Loading messages…/],
  [
    'messages that failed to load',
    {timeline: {...unloaded, problem: 'Busy.'}},
    /could not be loaded: Busy\.\n.*j tries/,
  ],
  ['unsaved messages offline', {timeline: unloaded, account: {connection: offline}}, /not saved on this machine/],
] as const)('MessagePane: shows %s', (_, parts, shown) => {
  const frame = frameOf(parts);
  const {text} = rendered(frame);
  const expected = textOf(messagePaneLines(frame, rect));
  expect(text().slice(0, expected.length)).toEqual(expected);
  expect(text().join('\n').trimEnd()).toMatch(shown);
});

test('MessagePane: a change that it does not show renders nothing, a new message renders it', async () => {
  const frame = frameOf({messages: several(2)});
  const {paint, text, renderCount} = rendered(frame);
  await paint({...frame, screen: {...frame.screen, toast: {text: 'x', tone: 'plain', id: 1}}});
  expect(renderCount()).toBe(1);
  await paint({...frame, account: frameOf({messages: several(3)}).account});
  expect(renderCount()).toBe(2);
  expect(text().join('\n')).toContain('message 3');
});
