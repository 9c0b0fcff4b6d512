import {describe, expect, test} from 'vitest';
import {highlightMatches} from '#server/markdown/highlight.ts';
import {htmlDiff} from '#server/markdown/html-diff.ts';

describe('htmlDiff', () => {
  test('marks words that came and went', () => {
    expect(htmlDiff('<p>a b c d</p>', '<p>a x c d e</p>')).toBe(
      '<p>a <span class="highlight_text_deleted">b</span><span class="highlight_text_inserted">x</span> c d<span class="highlight_text_inserted"> e</span></p>',
    );
  });

  test('uses the new tags and marks inside them', () => {
    expect(htmlDiff('<p>hello</p>', '<p>hello <strong>world</strong></p>')).toBe(
      '<p>hello <strong><span class="highlight_text_inserted">world</span></strong></p>',
    );
  });

  test('the same text has no marks', () => {
    expect(htmlDiff('<p>a <em>b</em></p>', '<p>a <em>b</em></p>')).toBe('<p>a <em>b</em></p>');
  });

  test('texts with little in common are replaced whole', () => {
    const words = (from: number) => Array.from({length: 600}, (_, i) => `w${from + i}`).join(' ');
    const diff = htmlDiff(`<p>${words(0)}</p>`, `<p>${words(5000)}</p>`);
    expect(diff).toContain('highlight_text_deleted');
    expect(diff).toContain('highlight_text_inserted');
  });
});

describe('highlightMatches', () => {
  test('only in text, without regard to case', () => {
    expect(highlightMatches('<p>Hello <a href="hello">you</a></p>', ['hello'])).toBe(
      '<p><span class="highlight">Hello</span> <a href="hello">you</a></p>',
    );
  });

  test('never inside a character reference', () => {
    expect(highlightMatches('<p>a &amp; amp</p>', ['amp'])).toBe(
      '<p>a &amp; <span class="highlight">amp</span></p>',
    );
    expect(highlightMatches('<p>a &amp; b</p>', ['&'])).toBe(
      '<p>a <span class="highlight">&amp;</span> b</p>',
    );
  });

  test('characters that mean something in a pattern are only characters', () => {
    expect(highlightMatches('<p>a.b (c)</p>', ['.', '(c)'])).toBe(
      '<p>a<span class="highlight">.</span>b <span class="highlight">(c)</span></p>',
    );
  });
});
