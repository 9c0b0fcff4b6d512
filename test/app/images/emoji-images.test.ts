import {expect, test} from 'vitest';
import {imagesIn} from '#app/watchers/watch-images.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {egDisplay, egRect} from '#test/support/frame-fixture.ts';
import {labelledImage} from '#test/support/images/image-terminal.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {noon, timelineFrame} from '#test/ui/message-pane/timeline-frame.ts';
import type {DisplayOptions, ImageDisplay, ImageRequest, ImageState, PaneLine} from '#ui/core/frame.ts';
import {imageCellRow} from '#ui/ink/cell-style.ts';
import {paintLine} from '#ui/Lines.tsx';

const urls = {
  party: '/user_avatars/2/emoji/1.png',
  logo: '/user_avatars/2/emoji/2.gif',
  still: '/user_avatars/2/emoji/2.png',
};
const emoji = SortedMap.by(
  [
    {id: '1', name: 'party', sourceUrl: urls.party, deactivated: false},
    {id: '2', name: 'logo', sourceUrl: urls.logo, stillUrl: urls.still, deactivated: false},
  ],
  ({id}) => id,
);

function images(parts: Partial<ImageDisplay> = {}): ImageDisplay {
  const get = (): ImageState => ({kind: 'loading'});
  return {protocol: 'kitty', cell: {width: 10, height: 20}, maxRows: 12, get, ...parts};
}

interface Shown {
  readonly content?: string;
  readonly display?: Partial<DisplayOptions>;
  readonly more?: Parameters<typeof eg.message>[0];
}

function linesWith({content = 'so :party: and :logo:', display = {}, more}: Shown): readonly PaneLine[] {
  const message = eg.message({id: 1, senderId: 11, content, timestamp: noon - 60, ...more});
  const frame = timelineFrame({
    messages: [message],
    account: {emoji},
    frame: {display: {images: images(), ...display}},
  });
  return messagePaneLines(frame, egRect('60x20'));
}

/** Returns the line of the message, with `##` for each emoji that is an image. */
function layout(parts: Shown): string {
  const texts = linesWith(parts).map(({spans}) => spans.map(({text, image}) => (image ? '##' : text)).join(''));
  return texts.find((text) => /so /.test(text))?.trimEnd() ?? '';
}

test('emoji images: with the protocols of kitty only', () => {
  expect(layout({})).toBe('▌ so ## and ##');
  expect(layout({display: {images: images({protocol: 'kitty-placeholders'})}})).toBe('▌ so ## and ##');
  for (const protocol of ['half-blocks', 'sixel', 'iterm2'] as const) {
    expect(layout({display: {images: images({protocol})}})).toBe('▌ so :party: and :logo:');
  }
  expect(layout({display: {images: undefined}})).toBe('▌ so :party: and :logo:');
  expect(layout({display: {glyphs: 'words'}})).toMatch(/so :party: and :logo:/);
  expect(layout({display: {bidi: 'terminal'}})).toBe('▌ so :party: and :logo:');
});

test('emoji images: one that could not be loaded has its name again', () => {
  const failedEmoji = new Set([urls.party]);
  expect(layout({display: {images: images({failedEmoji})}})).toBe('▌ so :party: and ##');
});

test('emoji images: what follows a message stands behind the line, which is no row of an image', () => {
  expect(layout({more: {editedAt: noon - 30}})).toBe('▌ so ## and ##   (edited)');
});

test('emoji images: those on the screen are wanted, each once, and the still picture of an animated one', () => {
  expect(imagesIn(linesWith({content: 'so :party: :party: :logo:'}))).toEqual([
    {href: urls.party, columns: 2, rows: 1, isEmoji: true},
    {href: urls.still, columns: 2, rows: 1, isEmoji: true},
  ]);
});

const drawn = new Map([
  [urls.party, labelledImage(1, 2, 1, 'kitty')],
  [urls.still, labelledImage(2, 2, 1, 'kitty')],
]);

function stateOf({href}: ImageRequest): ImageState {
  const image = drawn.get(href);
  return image === undefined ? {kind: 'loading'} : {kind: 'ready', image};
}

/** Returns a painted line without styles, with the id of the image for each of its cells. */
function painted(line: PaneLine | undefined, display: Partial<DisplayOptions>): string {
  if (line === undefined) return '';
  const text = paintLine(line, {...egDisplay, ...display});
  const plain = text.replaceAll(/\u001b\[[\d;]*m|\u001b\]8;[^\u001b]*\u001b\\/g, '');
  return plain.replaceAll(/[\u{100000}-\u{10dfff}]/gu, (cell) => String(imageCellRow(cell)?.image.id));
}

function messageLine(parts: Shown): PaneLine | undefined {
  return linesWith(parts).find(({spans}) => spans.some(({image}) => image !== undefined));
}

test('emoji images: a line with two emoji is blank at their cells while they load, then has the cells of both', () => {
  const line = messageLine({});
  expect(painted(line, {images: images()})).toBe('▌ so    and   ');
  const get = (request: ImageRequest): ImageState =>
    request.href === urls.party ? {kind: 'loading'} : stateOf(request);
  expect(painted(line, {images: images({get})})).toBe('▌ so    and 22');
  expect(painted(line, {images: images({get: stateOf})})).toBe('▌ so 11 and 22');
});

test('emoji images: links in the same line stay links', () => {
  const display = {hasHyperlinks: true, images: images({get: stateOf})};
  const line = messageLine({content: ':party: https://example.com/x', display});
  expect(line && paintLine(line, {...egDisplay, ...display})).toContain(';https://example.com/x\u001b\\');
});

test('emoji images: among Hebrew, an emoji is at its place in the order of the line', () => {
  const display: Partial<DisplayOptions> = {bidi: 'reorder', images: images({get: stateOf})};
  const line = messageLine({content: 'אב :party: גד', display});
  expect(painted(line, display).replace(/^▌ +/, '')).toBe('דג 11 בא');
});

test('emoji images: the character that reserves the cells is shown where a message contains it', () => {
  expect(layout({content: 'so 〓 :party:'})).toBe('▌ so 〓 ##');
});
