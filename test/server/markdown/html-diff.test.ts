import {describe, expect, test} from 'vitest';
import {htmlDiff} from '#server/markdown/html-diff.ts';

describe('htmlDiff', () => {
  test('marks inserted and deleted words', () => {
    expect(htmlDiff('<p>a b c d</p>', '<p>a x c d e</p>')).toBe(
      '<p>a <span class="highlight_text_deleted">b</span><span class="highlight_text_inserted">x</span> c d<span class="highlight_text_inserted"> e</span></p>',
    );
  });

  test('has the tags of the new text, with marks inside them', () => {
    expect(htmlDiff('<p>hello</p>', '<p>hello <strong>world</strong></p>')).toBe(
      '<p>hello <strong><span class="highlight_text_inserted">world</span></strong></p>',
    );
  });

  test('equal texts have no marks', () => {
    expect(htmlDiff('<p>a <em>b</em></p>', '<p>a <em>b</em></p>')).toBe('<p>a <em>b</em></p>');
  });

  test('texts with little in common are marked as one replacement', () => {
    const words = (from: number) => Array.from({length: 600}, (_, i) => `w${from + i}`).join(' ');
    const diff = htmlDiff(`<p>${words(0)}</p>`, `<p>${words(5000)}</p>`);
    expect(diff).toContain('highlight_text_deleted');
    expect(diff).toContain('highlight_text_inserted');
  });
});
