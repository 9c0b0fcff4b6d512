import {expect, test} from 'vitest';
import {imagesIn} from '#app/watchers/watch-images.ts';
import {imageRowOf} from '#content/styled-text/line.ts';
import {egDisplay, egRect, textOf} from '#test/support/frame-fixture.ts';
import {labelledImage} from '#test/support/images/image-terminal.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {noon, pane, timelineFrame} from '#test/ui/message-pane/timeline-frame.ts';
import type {DisplayOptions, Frame, ImageDisplay, ImageState} from '#ui/core/frame.ts';
import {paintLine} from '#ui/Lines.tsx';
import {mainTimeline} from '#ui/message-pane/shown-timeline.ts';

const path = '/user_uploads/2/ab/chart.png';
const cell = {width: 10, height: 20};

function images(state: ImageState = {kind: 'loading'}, maxRows = 12): ImageDisplay {
  return {protocol: 'half-blocks', cell, maxRows, get: () => state};
}

interface ShownMessage {
  readonly content?: string;
  readonly width?: number;
  readonly height?: number;
  readonly display?: Partial<DisplayOptions>;
  readonly size?: string;
  readonly more?: Parameters<typeof eg.message>[0];
}

/** A frame with one message that shows an image of this size. */
function frameWith({content = `see [chart.png](${path})`, width = 400, height = 200, ...parts}: ShownMessage): Frame {
  const facts = {isRendered: true, images: {[path]: {width, height}}};
  const message = eg.message({id: 1, senderId: 11, content, timestamp: noon - 60, facts, ...parts.more});
  const display = {images: images(), ...parts.display};
  return timelineFrame({messages: [message], frame: {display, size: parts.size ?? '80x40'}});
}

/** Returns the lines of the pane, with `#` for each cell that is reserved for an image. */
function layout(frame: Frame, size = '60x30'): readonly string[] {
  return messagePaneLines(frame, egRect(size))
    .map(({spans}) => spans.map(({text, image}) => (image === undefined ? text : '#'.repeat(text.length))).join(''))
    .slice(2)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

const head = 'Bo Wu                                                  11:59';

test('image preview: its rows are reserved below the line that names it, by its size and the size of a cell', () => {
  expect(layout(frameWith({content: `see [chart.png](${path}) please\nand more`, width: 100, height: 60}))).toEqual([
    head,
    '▌ see [image: chart.png, 100×60] [1] please',
    '▌ ##########',
    '▌ ##########',
    '▌ ##########',
    '▌ and more',
  ]);
});

test('image preview: a large image keeps its proportions in the room, at most half of the screen and the rows of the setting', () => {
  const rowsOf = (parts: ShownMessage) => layout(frameWith(parts)).filter((line) => line.includes('#'));
  const high = rowsOf({width: 400, height: 4000});
  expect([high.length, high[0]]).toEqual([12, '▌ ##']);
  const wide = rowsOf({width: 4000, height: 400});
  expect([wide.length, wide[0]?.length]).toEqual([3, 58]);
  expect(rowsOf({width: 400, height: 4000, size: '80x15'})).toHaveLength(7);
  expect(rowsOf({width: 400, height: 4000, display: {images: images(undefined, 5)}})).toHaveLength(5);
});

test('image preview: no rows without images, without a known size, in quotes and in tables', () => {
  const hasRows = (parts: ShownMessage) => layout(frameWith(parts)).some((line) => line.includes('#'));
  expect(hasRows({})).toBe(true);
  expect(hasRows({display: {images: undefined}})).toBe(false);
  expect(hasRows({content: '[other.png](/user_uploads/2/cd/other.png)'})).toBe(false);
  expect(hasRows({content: `> [chart.png](${path})`})).toBe(false);
  expect(hasRows({content: `|a|b|\n|-|-|\n|[chart.png](${path})|x|`})).toBe(false);
  expect(hasRows({content: `* [chart.png](${path})`})).toBe(true);
});

test('image preview: the lines are the same objects before and after the image arrives', () => {
  const frame = frameWith({});
  const before = mainTimeline(frame, egRect('60x30'))?.lines;
  const after = mainTimeline({...frame, screen: {...frame.screen, imageChanges: 1}}, egRect('60x30'))?.lines;
  expect(before?.length).toBeGreaterThan(10);
  expect(after?.every((line, at) => line === before?.[at])).toBe(true);
});

/** The cursor bar with its styles. */
const marks = /\u001b\[[\d;]*m▌\u001b\[[\d;]*m/g;

test('image preview: blank while it loads, then the cells of its rows; the reason in the first row when it could not be loaded', () => {
  const painted = (state: ImageState) => {
    const frame = frameWith({width: 40, height: 40, display: {images: images(state)}});
    const lines = messagePaneLines(frame, egRect('60x30')).filter((line) => imageRowOf(line) !== undefined);
    return lines.map((line) => paintLine(line, {...egDisplay, images: images(state)}).replaceAll(marks, '▌'));
  };
  expect(painted({kind: 'loading'})).toEqual(['▌     ', '▌     ']);
  const failed = painted({kind: 'failed', reason: 'The server has no such file.'});
  expect(failed[0]).toMatch(/^▌ \u001b\[[\d;]*mThe server has no such file\.\u001b/);
  expect(failed[1]).toBe('▌     ');
  const [first = '', second = ''] = painted({kind: 'ready', image: labelledImage(2, 4, 2, 'kitty')});
  expect(first).toMatch(/^▌ [\u{100000}-\u{10dfff}]{4}$/u);
  expect(second).not.toBe(first);
});

test('image preview: the edited mark is below the image, the time beside the first line', () => {
  const frame = frameWith({width: 100, height: 20, more: {editedAt: noon - 30}});
  expect(layout(frame)).toEqual([head, '▌ see [image: chart.png, 100×20] [1]', '▌ ##########', '▌ (edited)']);
});

test('image preview: the first image does not count when a long message is cut, and none is cut in the middle', () => {
  const words = (count: number) => Array.from({length: count}, (_, at) => `line ${at + 1}`).join('\n');
  const image = `[chart.png](${path})`;
  const shown = (content: string) =>
    layout(frameWith({content, size: '80x24'}), '60x60').map((line) => line.replace(/#+/, '#').slice(2));
  // 24 rows allow 14 lines.
  expect(shown(`${words(9)}\n${image}`).filter((line) => line === '#')).toHaveLength(10);
  expect(shown(`${words(9)}\n${image}`).at(-1)).toBe('#');
  const cut = shown(`${image}\n${image}\n${image}\n${words(9)}`);
  expect(cut.filter((line) => line === '#')).toHaveLength(20);
  expect(cut.slice(-2)).toEqual(['[image: chart.png, 400×200] [3]', '… 19 more lines (-)']);
});

test('image preview: only the boxes on the screen are wanted, each once', () => {
  const frame = frameWith({content: `[chart.png](${path}) and [chart.png](${path})`});
  const lines = messagePaneLines(frame, egRect('60x30'));
  expect(imagesIn(lines)).toEqual([{href: path, columns: 40, rows: 10}]);
  expect(imagesIn(lines.slice(0, 3))).toEqual([]);
});

test('image preview: a private character in a message is not taken for a cell of an image', () => {
  const frame = frameWith({content: 'a\u{100000}b\u{10eeee}\u0305c'});
  expect(pane(frame, '60x30')).toContain('▌ a\ufffdb\ufffd\u0305c');
  expect(textOf(messagePaneLines(frame, egRect('60x30'))).join('')).not.toMatch(/[\u{100000}-\u{10ffff}]/u);
});
