import {Box} from 'ink';
import {Profiler} from 'react';
import {expect, test, vi} from 'vitest';
import {egFrame, egRect} from '#test/support/frame-fixture.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import {themes} from '#theme/themes.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {Pane} from '#ui/Pane.tsx';

function lineOf(text: string): PaneLine {
  return {spans: [{text, role: 'mention'}], width: text.length};
}

/** Lines that show the account's name, and a second line that never changes. */
function accountLines({info}: Frame): readonly PaneLine[] {
  return [lineOf(info.accountName), lineOf('second line')];
}

test('Pane: paints its lines from the top, in a rectangle of its rows', () => {
  const {rows} = renderWithFrame(
    <Box flexDirection="column">
      <Pane rect={egRect('20x3')} lines={accountLines} label="First" />
      <Pane rect={egRect('20x1')} lines={() => [lineOf('below')]} label="Second" />
    </Box>,
    egFrame({size: '20x5', display: {depth: 'mono'}}),
  );
  expect(rows()).toEqual(['\u001b[1macme\u001b[22m', '\u001b[1msecond line\u001b[22m', '', '\u001b[1mbelow\u001b[22m']);
});

test('Pane: paints a frame whose lines have the same text without rendering again', async () => {
  const {rows, outputCount, paint} = renderWithFrame(
    <Pane rect={egRect('20x2')} lines={accountLines} label="" />,
    egFrame({size: '20x2'}),
  );
  const before = rows();
  await paint(egFrame({size: '20x2', now: Date.UTC(2030, 0, 1)}));
  expect([outputCount(), rows()]).toEqual([1, before]);
  await paint(egFrame({size: '20x2', info: {accountName: 'other'}}));
  expect(outputCount()).toBe(2);
  expect(rows()[0]).toContain('other');
});

test('Pane: computes its lines once for each frame, however often React reads them', async () => {
  const lines = vi.fn(accountLines);
  const rect = egRect('20x2');
  const {paint} = renderWithFrame(<Pane rect={rect} lines={lines} label="" />, egFrame({size: '20x2'}));
  expect(lines).toHaveBeenCalledTimes(1);
  await paint(egFrame({size: '20x2', info: {accountName: 'other'}}));
  expect(lines).toHaveBeenCalledTimes(2);
});

test('Pane: a change in one pane does not render the pane beside it', async () => {
  const rendered: string[] = [];
  const onRender = (id: string) => void rendered.push(id);
  const clockLines = ({minute}: Frame) => [lineOf(new Date(minute).toISOString())];
  const {paint, rows} = renderWithFrame(
    <Box>
      <Profiler id="account" onRender={onRender}>
        <Pane rect={egRect('20x2')} lines={accountLines} label="" />
      </Profiler>
      <Profiler id="clock" onRender={onRender}>
        <Pane rect={egRect('30x1')} lines={clockLines} label="" />
      </Profiler>
    </Box>,
    egFrame({size: '60x2'}),
  );
  rendered.length = 0;
  await paint(egFrame({size: '60x2', now: Date.UTC(2030, 0, 1)}));
  expect(rendered).toEqual(['clock']);
  expect(rows()[0]).toMatch(/acme.*2030-01-01T00:00/);
});

test('Pane: another theme paints the same lines in its colours', async () => {
  const {rows, paint} = renderWithFrame(
    <Pane rect={egRect('20x2')} lines={accountLines} label="" />,
    egFrame({size: '20x2', display: {depth: 'true', theme: themes.dark}}),
  );
  expect(rows()[0]).toBe('\u001b[38;2;130;175;245macme\u001b[39m');
  await paint(egFrame({size: '20x2', display: {depth: 'true', theme: themes.light}}));
  expect(rows()[0]).toBe('\u001b[38;2;28;84;176macme\u001b[39m');
});
