import {expect, test} from 'vitest';
import {htmlDiff} from '#server/markdown/html-diff.ts';

/** Returns the difference with `+[…]` and `-[…]` for inserted and deleted text. */
function diff(before: string, after: string): string {
  return htmlDiff(before, after)
    .replace(/^<div>(.*)<\/div>$/s, '$1')
    .replace(/<span class="highlight_text_inserted">/g, '+[')
    .replace(/<span class="highlight_text_deleted">/g, '-[')
    .replaceAll('</span>', ']');
}

test.each([
  ['words', '<p>a b c d</p>', '<p>a b c x</p>', '<p>a b c +[x] -[d] </p>'],
  [
    'few equal words are replaced with their neighbours',
    '<p>a b c d</p>',
    '<p>a x c d e</p>',
    '<p> +[a x] -[a b] c d +[e] </p>',
  ],
  [
    'a new element is marked as a whole',
    '<p>hello</p>',
    '<p>hello <strong>world</strong></p>',
    '<p>hello +[<strong>world</strong>] </p>',
  ],
  [
    'a deleted element goes into the paragraph',
    '<p>a b <em>c</em></p>',
    '<p>a b d</p>',
    '<p>a b +[d] -[<em>c</em>] </p>',
  ],
  ['equal texts have no marks', '<p>a <em>b</em></p>', '<p>a <em>b</em></p>', '<p>a <em>b</em></p>'],
  ['marks are inside of paragraphs', '<p>a</p>', '<p>b</p>\n<p>c</p>', '<p>+[b]</p>+[ ]<p>+[c]</p> <p>-[a]</p>'],
  [
    'a deleted paragraph divides the one around it',
    '<p><em>a b</em>c</p>\n<p>d</p>',
    '<p><em>a b</em></p>',
    '<p><em>a b</em> -[c]</p><p>-[d]</p>',
  ],
  ['a line break', '<p>a b c</p>', '<p>a b<br>\nc</p>', '<p>a b<br> c</p>'],
  [
    'the target of a changed link',
    '<p>a b</p>',
    '<p>a b <a href="/x">c</a></p>',
    '<p>a b +[<a href="/x">c Link: /x </a>] </p>',
  ],
  ['characters with a meaning in HTML', '<p>a b c</p>', '<p>a b c &lt;&amp;</p>', '<p>a b c +[&lt;&amp;] </p>'],
])('edit history: differences are marked as on a Zulip server: %s', (_, before, after, expected) => {
  expect(diff(before, after)).toBe(expected);
});

test('edit history: long texts with the same words take limited work', () => {
  const text = (step: number) => `<p>${Array.from({length: 4000}, (_, i) => `w${(i * step) % 190}`).join(' ')}</p>`;
  expect(diff(text(1), text(7))).toMatch(/\+\[.*-\[/);
});
