import {Box} from 'ink';
import {Profiler, type ReactNode} from 'react';
import {expect, test, vi} from 'vitest';
import {egFrame, egRect} from '#test/support/frame-fixture.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import {themes} from '#theme/themes.ts';
import type {Frame, ImageDisplay, PaneLine} from '#ui/core/frame.ts';
import type {OverlayState} from '#ui/core/overlay.ts';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';

function lineOf(text: string): PaneLine {
  return {spans: [{text, role: 'mention'}], width: text.length};
}

/** A part that shows the account's name, and a second line that never changes. */
function AccountPart({rect}: PartProps) {
  const lines = useSelectEqual(({info}) => [lineOf(info.accountName), lineOf('second line')]);
  return <Lines rect={rect} lines={lines} />;
}

/** A screen of 60 columns for parts, which place themselves. */
function Stage({children}: {readonly children: ReactNode}) {
  return (
    <Box width={60} height={5}>
      {children}
    </Box>
  );
}

function ClockPart({rect}: PartProps) {
  const text = useSelect(({minute}) => new Date(minute).toISOString());
  return <Lines rect={rect} lines={[lineOf(text)]} />;
}

test('Lines: are painted from the top of their rectangle', () => {
  const {rows} = renderWithFrame(
    <Stage>
      <AccountPart rect={egRect('20x3')} />
      <Lines rect={{...egRect('20x1'), y: 3}} lines={[lineOf('below')]} />
    </Stage>,
    egFrame({size: '20x5', display: {depth: 'mono'}}),
  );
  expect(rows().slice(0, 4)).toEqual([
    '\u001b[1macme\u001b[22m',
    '\u001b[1msecond line\u001b[22m',
    '',
    '\u001b[1mbelow\u001b[22m',
  ]);
});

test('Lines: right-to-left text is ordered by Parley, isolated for the terminal, or left as it is', () => {
  const line = lineOf('# דנה › ab');
  const painted = (bidi: 'reorder' | 'terminal' | 'off') =>
    renderWithFrame(
      <Stage>
        <Lines rect={egRect('20x1')} lines={[line]} />
      </Stage>,
      egFrame({size: '20x5', display: {depth: 'mono', bidi}}),
    ).texts()[0];
  expect(painted('reorder')).toBe('# הנד › ab');
  expect(painted('terminal')).toBe('# \u2068דנה\u2069 › ab');
  expect(painted('off')).toBe('# דנה › ab');
});

test('useSelect: a snapshot with an equal selected value renders nothing', async () => {
  const first = egFrame({size: '60x5'});
  const {rows, outputCount, paint} = renderWithFrame(
    <Stage>
      <AccountPart rect={egRect('20x2')} />
    </Stage>,
    first,
  );
  const before = rows();
  await paint({...first, minute: Date.UTC(2030, 0, 1)});
  expect([outputCount(), rows()]).toEqual([1, before]);
  await paint({...first, info: {...first.info, accountName: 'other'}});
  expect(outputCount()).toBe(2);
  expect(rows()[0]).toContain('other');
});

function SelectedText({select}: {readonly select: (snapshot: Frame) => string}) {
  return <Lines rect={egRect('20x2')} lines={[lineOf(useSelect(select))]} />;
}

test('useSelect: selects once for each snapshot, however often React reads it', async () => {
  const select = vi.fn(({info}: Frame) => info.accountName);
  const {paint} = renderWithFrame(<SelectedText select={select} />, egFrame({size: '20x2'}));
  expect(select).toHaveBeenCalledTimes(1);
  await paint(egFrame({size: '20x2', info: {accountName: 'other'}}));
  expect(select).toHaveBeenCalledTimes(2);
});

test('useSelect: a change that one part shows does not render the part beside it', async () => {
  const rendered: string[] = [];
  const first = egFrame({size: '60x5'});
  const onRender = (id: string) => void rendered.push(id);
  const {paint, rows} = renderWithFrame(
    <Stage>
      <Profiler id="account" onRender={onRender}>
        <AccountPart rect={egRect('20x2')} />
      </Profiler>
      <Profiler id="clock" onRender={onRender}>
        <ClockPart rect={{...egRect('30x1'), x: 20}} />
      </Profiler>
    </Stage>,
    first,
  );
  rendered.length = 0;
  await paint({...first, minute: Date.UTC(2030, 0, 1)});
  expect(rendered).toEqual(['clock']);
  expect(rows()[0]).toMatch(/acme.*2030-01-01T00:00/);
});

test('Lines: an image that arrives renders only the lines that have images', async () => {
  let reason = 'No such file';
  const images: ImageDisplay = {
    protocol: 'half-blocks',
    cell: {width: 8, height: 16},
    maxRows: 4,
    get: () => ({kind: 'failed', reason}),
  };
  const image = {href: '/user_uploads/a.png', columns: 20, rows: 1, row: 0, width: 160, height: 16, room: 20};
  const first = egFrame({size: '60x5', display: {depth: 'mono', images}});
  const rendered: string[] = [];
  const onRender = (id: string) => void rendered.push(id);
  const {paint, texts} = renderWithFrame(
    <Stage>
      <Profiler id="account" onRender={onRender}>
        <AccountPart rect={egRect('20x2')} />
      </Profiler>
      <Profiler id="image" onRender={onRender}>
        <Lines
          rect={{...egRect('20x1'), y: 3}}
          lines={[{spans: [{text: ' '.repeat(20), role: 'text', image}], width: 20}]}
        />
      </Profiler>
    </Stage>,
    first,
  );
  expect(texts()[3]).toBe('No such file');
  rendered.length = 0;
  reason = 'Too large';
  await paint({...first, screen: {...first.screen, imageChanges: 1}});
  expect(rendered).toEqual(['image']);
  expect(texts()[3]).toBe('Too large');
});

test('Lines: another theme paints the same lines in its colours', async () => {
  const {rows, paint} = renderWithFrame(
    <Stage>
      <AccountPart rect={egRect('20x2')} />
    </Stage>,
    egFrame({size: '60x5', display: {depth: 'true', theme: themes.dark}}),
  );
  expect(rows()[0]).toBe('\u001b[38;2;130;175;245macme\u001b[39m');
  await paint(egFrame({size: '20x2', display: {depth: 'true', theme: themes.light}}));
  expect(rows()[0]).toBe('\u001b[38;2;28;84;176macme\u001b[39m');
});

test('Lines: are faint behind an overlay, but not where they float or are about the overlay', () => {
  const frame = egFrame({size: '20x5', display: {depth: 'mono'}});
  const overlay: OverlayState = {kind: 'card', card: {id: 'poem', title: 'Poem', lines: () => []}, top: 0};
  const {rows} = renderWithFrame(
    <Stage>
      <Lines rect={egRect('20x1')} lines={[lineOf('behind')]} />
      <Lines rect={{...egRect('20x1'), y: 1}} lines={[lineOf('hints')]} staysBright />
      <Lines rect={{...egRect('20x1'), y: 2}} lines={[lineOf('menu')]} isFloating />
    </Stage>,
    {...frame, screen: {...frame.screen, overlays: [overlay]}},
  );
  const [behind, hints, menu = ''] = rows();
  expect([behind, hints]).toEqual(['\u001b[2mbehind\u001b[22m', '\u001b[1mhints\u001b[22m']);
  expect(menu).toContain('\u001b[1mmenu\u001b[22m');
});
