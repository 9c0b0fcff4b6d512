import {expect, test} from 'vitest';
import {picture} from './picture.ts';
import {shown} from './shown.ts';

function elements(svg: string): string[] {
  return svg.split('\n').filter((line) => /^<(text|path|rect)/.test(line));
}

test('picture: neighbouring letters of one style become one text of exact length', async () => {
  const svg = picture(await shown('one two \u001b[1;31mred\u001b[0m'), {cursor: 'none'});
  expect(elements(svg).slice(1)).toEqual([
    '<text x="0" y="13.5" textLength="58.8" fill="#d0d4da">one two</text>',
    '<text class="b" x="67.2" y="13.5" textLength="25.2" fill="#e0787c">red</text>',
  ]);
});

test('picture: characters that a font may draw wider are separate and centred in their cells', async () => {
  const svg = picture(await shown('a日b→c'), {cursor: 'none'});
  expect(elements(svg).slice(1)).toEqual([
    '<text class="m" x="4.2" y="13.5" fill="#d0d4da">a</text>',
    '<text class="m" x="16.8" y="13.5" fill="#d0d4da">日</text>',
    '<text class="m" x="29.4" y="13.5" fill="#d0d4da">b</text>',
    '<text class="m" x="37.8" y="13.5" fill="#d0d4da">→</text>',
    '<text class="m" x="46.2" y="13.5" fill="#d0d4da">c</text>',
  ]);
});

test('picture: box lines and blocks are drawn as shapes', async () => {
  const svg = picture(await shown('╭─╮█\r\n╰─╯░'), {cursor: 'none'});
  expect(svg).not.toContain('<text');
  expect(elements(svg)).toHaveLength(4);
});

test('picture: backgrounds of neighbouring rows become one rectangle', async () => {
  const svg = picture(await shown('\u001b[44m    \u001b[49m\r\n\u001b[44m    \u001b[49m'), {cursor: 'none'});
  expect(elements(svg).slice(1)).toEqual(['<rect x="0" y="0" width="33.6" height="36" fill="#7ba6dd"/>']);
});

test('picture: inverse, dim, underlined, struck out and hidden text', async () => {
  const svg = picture(
    await shown(
      '\u001b[7mi\u001b[27m \u001b[2md\u001b[22m \u001b[4mu\u001b[24m \u001b[9ms\u001b[29m \u001b[8mhid\u001b[28m',
    ),
    {cursor: 'none'},
  );
  expect(svg).toContain('fill="#16181d">i</text>');
  expect(svg).toContain('<rect x="0" y="0" width="8.4" height="18" fill="#d0d4da"/>');
  expect(svg).toContain('fill="#7c7f85">d</text>');
  expect(svg).toContain('<rect x="33.6" y="15.5" width="8.4" height="1" fill="#d0d4da"/>');
  expect(svg).toContain('<rect x="50.4" y="9" width="8.4" height="1" fill="#d0d4da"/>');
  expect(svg).not.toContain('hid');
});

test('picture: indexed, grey and true colours are exact', async () => {
  const svg = picture(await shown('\u001b[38;5;208ma\u001b[38;5;244mb\u001b[38;2;1;2;3mc\u001b[38;5;9md\u001b[39m'), {
    cursor: 'none',
    background: 'light',
  });
  expect([...svg.matchAll(/fill="([^"]+)">/g)].map((match) => match[1])).toEqual([
    '#ff8700',
    '#808080',
    '#010203',
    '#cf4850',
  ]);
});

test('picture: the cursor is drawn over its cell', async () => {
  const screen = await shown('abc\u001b[1;2H');
  expect(elements(picture(screen)).slice(-2)).toEqual([
    '<rect x="8.4" y="0" width="8.4" height="18" fill="#d0d4da"/>',
    '<text class="m" x="12.6" y="13.5" fill="#16181d">b</text>',
  ]);
  expect(picture(screen, {cursor: 'bar'})).toContain('<rect x="8.4" y="1" width="2" height="16"');
});

test('picture: text is escaped', async () => {
  const svg = picture(await shown('<b>&'), {title: 'a<b'});
  expect(svg).toContain('<title>a&lt;b</title>');
  expect(svg).toContain('>&lt;b&gt;&amp;</text>');
});
