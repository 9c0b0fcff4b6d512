import {expect, test} from 'vitest';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import {emojiCells, type Line} from '#content/styled-text/line.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import {renderContext} from './render-context-fixture.ts';

function rendered(source: string, options: Partial<RenderOptions> = {}) {
  return renderMessage({source}, renderContext, {width: 40, emojiImages: () => true, ...options});
}

/** Returns the text of lines with the address of each image. */
function shown(lines: readonly Line[]): readonly string[] {
  return lines.map(({spans}) =>
    spans.map(({text, image}) => (image === undefined ? text : `<${image.href}>`)).join(''),
  );
}

test('emoji images: a custom emoji and the one of every server are images of two columns, others are characters', () => {
  const {lines} = rendered('a :party: b :zulip: :smile:');
  expect(shown(lines)).toEqual(['a </e/1.png> b </static/generated/emoji/images/emoji/unicode/zulip.png> 😄']);
  expect(lines[0]?.width).toBe('a xx b xx xx'.length);
  expect(lines[0]?.spans[1]?.image).toEqual({href: '/e/1.png', columns: 2, rows: 1, row: 0, room: 2, isEmoji: true});
});

test('emoji images: names without the option, and where it says so', () => {
  expect(shown(rendered('a :party:', {emojiImages: undefined}).lines)).toEqual(['a :party:']);
  const emojiImages = (href: string) => href !== '/e/1.png';
  expect(shown(rendered('a :party:', {emojiImages}).lines)).toEqual(['a :party:']);
});

test('emoji images: the same emoji side by side are images of their own', () => {
  const {lines} = rendered(':party::party:**:party:**');
  expect(shown(lines)).toEqual(['</e/1.png></e/1.png></e/1.png>']);
  expect(lines[0]?.width).toBe(6);
});

test('emoji images: the text of a link has names, also in the list of links', () => {
  const {lines, links} = rendered('[see :party:](https://example.com)', {linkNumbers: false});
  expect(shown(lines)).toEqual(['see :party:']);
  expect(links).toEqual([{text: 'see :party:', url: 'https://example.com'}]);
});

test('emoji images: in quotes, lists, tables and headings', () => {
  expect(shown(rendered('> x :party:').lines)).toEqual(['▌ x </e/1.png>']);
  expect(shown(rendered('* x :party:').lines)).toEqual(['• x </e/1.png>']);
  expect(shown(rendered('# x :party:').lines)).toEqual(['x </e/1.png>']);
  const table = rendered('a | b\n--|--\n:party: | 2').lines;
  expect(shown(table)).toEqual(['a  │ b', '───┼──', '</e/1.png> │ 2']);
});

test('emoji images: lines break between them, none is cut in two, and widths are right', () => {
  const {lines} = rendered(`word ${':party:'.repeat(7)} end`, {width: 9});
  expect(shown(lines).map((line) => line.replaceAll('</e/1.png>', '##'))).toEqual(['word ####', '########', '## end']);
  for (const line of lines) expect(line.width).toBe(spansColumns(line.spans));
});

test('emoji images: in a column that is too narrow there is a mark instead of the cells', () => {
  const [line] = rendered(':party:', {width: 1}).lines;
  expect(line?.width).toBe(1);
  expect(line?.spans.map(({text}) => text).join('')).not.toContain(emojiCells);
});
