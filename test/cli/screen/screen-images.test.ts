import {expect, test} from 'vitest';
import {chosenProtocol, type ImageChoice, imageChoice, screenImages} from '#cli/screen/screen-images.ts';
import {initialCapabilities} from '#terminal/capabilities.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {state} from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';
import {kitty, xterm} from '#test/terminal/environments.ts';

const size = {columns: 80, rows: 24};
const settled = {...initialCapabilities(xterm), isSettled: true};
const plain: ImageChoice = {
  setting: 'auto',
  hasScreenReader: false,
  capabilities: settled,
  environment: xterm,
  depth: '256',
};

test('images are not shown automatically with a screen reader, but by a setting', () => {
  expect(chosenProtocol({...plain, hasScreenReader: true})).toMatchObject({protocol: 'none', reason: /screen_reader/});
  expect(chosenProtocol({...plain, hasScreenReader: true, setting: 'half-blocks'}).protocol).toBe('half-blocks');
});

test.each(['mono', '16', 'never'] as const)('half blocks need 256 colours, not %s', (depth) => {
  expect(chosenProtocol({...plain, depth}).protocol).toBe('none');
});

test('the symbols and the screen reader that the user has chosen decide about images, too', () => {
  const choose = (glyphs: 'unicode' | 'ascii', screenReader: 'off' | 'announce') => {
    const display = {...fixture().app.display, depth: '256', glyphs} as const;
    const preferences = {images: 'auto', screenReader} as Parameters<typeof imageChoice>[0];
    return chosenProtocol(imageChoice(preferences, display, settled, xterm)).protocol;
  };
  expect(choose('unicode', 'off')).toBe('half-blocks');
  expect(choose('ascii', 'off')).toBe('none');
  expect(choose('unicode', 'announce')).toBe('none');
});

function fixture() {
  const clock = new ManualClock();
  const {app} = appFixture({session: unstartedSession(state(), clock), clock});
  const images = screenImages(clock, () => {}, 1);
  images.add(app, {get: async () => undefined, set: async () => {}});
  return {app, images};
}

test('an app gets no loader before the terminal has replied, and none where images are not shown', async () => {
  const {app, images} = fixture();
  images.choose({...plain, capabilities: {...settled, isSettled: false}}, size, 12);
  images.choose({...plain, setting: 'off'}, size, 12);
  await new Promise((resolve) => setImmediate(resolve));
  expect([app.imageLoader, app.display.images]).toEqual([undefined, undefined]);
});

test('the cell stays the same while the terminal has not said its new size', async () => {
  const {app, images} = fixture();
  const cellAt = (columns: number, width: number) => {
    const areaSize = {width, height: 480};
    images.choose({...plain, capabilities: {...settled, sixel: true, areaSize}}, {columns, rows: 24}, 12);
    return expect.poll(() => app.display.images?.cell.width);
  };
  await cellAt(80, 800).toBe(10);
  await cellAt(100, 800).toBe(10);
  await cellAt(100, 1200).toBe(12);
});

test('what the terminal replies and what the user sets apply to the display', async () => {
  const {app, images} = fixture();
  images.choose(plain, size, 12);
  await expect.poll(() => app.display.images).toMatchObject({protocol: 'half-blocks', maxRows: 12, cell: {width: 8}});
  const first = app.display.images;
  images.choose({...plain, capabilities: {...settled}}, size, 12);
  expect(app.display.images).toBe(first);
  images.choose(plain, size, 20);
  await expect.poll(() => app.display.images?.maxRows).toBe(20);
  const capabilities = {...settled, kittyGraphics: true, cellSize: {width: 10, height: 20}};
  const program = {name: 'kitty', version: '0.31.0'} as const;
  images.choose({...plain, environment: kitty, capabilities: {...capabilities, program}}, size, 20);
  await expect.poll(() => app.display.images).toMatchObject({protocol: 'kitty-placeholders', cell: {width: 10}});
  images.choose({...plain, setting: 'off'}, size, 20);
  await expect.poll(() => app.display.images).toBeUndefined();
});
