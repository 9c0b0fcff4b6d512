import fc from 'fast-check';
import {expect, test} from 'vitest';
import {asciiGlyphs, unicodeGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import {ansiLine} from '#content/styled-text/ansi.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {themes} from '#theme/themes.ts';
import {hostileMarkdown} from './hostile-markdown.ts';
import {renderContext} from './render-context-fixture.ts';

const options = fc.record({
  width: fc.oneof(fc.integer({min: 1, max: 12}), fc.integer({min: 1, max: 300})),
  expanded: fc.boolean(),
  glyphs: fc.constantFrom(unicodeGlyphs, asciiGlyphs),
  footLinks: fc.boolean(),
  linkNumbers: fc.boolean(),
  alertWords: fc.constantFrom([], ['word', 'text']),
});
// Control characters, direction changes and anything else that must not be in a line.
const forbidden =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u3164\u115f\u1160\uffa0]/u;

test('render: no line is wider than requested, and each has the right width', () => {
  fc.assert(
    fc.property(hostileMarkdown, options, (source, given) => {
      for (const line of renderMessage({source, senderName: 'Zoe'}, renderContext, given).lines) {
        expect(line.width).toBeLessThanOrEqual(given.width);
        expect(line.width).toBe(line.spans.reduce((total, {text}) => total + textColumns(text), 0));
      }
    }),
    {numRuns: fewOrAll(100, 400), seed: 1},
  );
});

test('render: lines and links contain no control characters', () => {
  fc.assert(
    fc.property(hostileMarkdown, options, (source, given) => {
      const {lines, links} = renderMessage({source, senderName: `Z\u001b[31m\u202e${source}`}, renderContext, given);
      for (const {spans} of lines) {
        for (const span of spans) {
          expect(span.text).not.toMatch(forbidden);
          expect(span.text).not.toBe('');
          if (span.link !== undefined) expect(links[span.link]).toBeDefined();
        }
      }
      for (const {text, url} of links) expect(text + url).not.toMatch(forbidden);
    }),
    {numRuns: fewOrAll(100, 400), seed: 1},
  );
});

test('ansiLine: a line ends every style and link that it starts', () => {
  const depth = fc.constantFrom('mono', '16', '256', 'true');
  const anyTheme = fc.constantFrom(...Object.values(themes));
  fc.assert(
    fc.property(hostileMarkdown, options, depth, anyTheme, fc.boolean(), (source, given, color, theme, clickable) => {
      const {lines, links} = renderMessage({source}, renderContext, given);
      const hyperlinks = clickable ? {links, realmUrl: 'https://chat.example.com', id: 'm1'} : undefined;
      for (const line of lines) {
        const painted = ansiLine(line, theme.styleSheet(color), hyperlinks);
        expect(painted).not.toMatch(/\u001b\[0?m/);
        expect(openedAndNotClosed(painted)).toEqual([]);
        const text = painted.replaceAll(/\u001b\[[0-9;]+m|\u001b\]8;[!-~]*\u001b\\/g, '');
        expect(text).toBe(line.spans.map((span) => span.text).join(''));
      }
    }),
    {numRuns: fewOrAll(75, 300), seed: 1},
  );
});

/** Returns the styles and links that are still active at the end. */
function openedAndNotClosed(painted: string): string[] {
  const on = new Set<string>();
  for (const [, sgr, link] of painted.matchAll(/\u001b\[([0-9;]+)m|\u001b\]8;([!-~]*)\u001b\\/g)) {
    if (link !== undefined) {
      if (link === ';') on.delete('link');
      else on.add('link');
      continue;
    }
    const codes = (sgr ?? '')
      .replaceAll(/38;(?:5;\d+|2;\d+;\d+;\d+)/g, '30')
      .split(';')
      .map(Number);
    for (const code of codes) {
      if (code === 39) on.delete('colour');
      else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) on.add('colour');
      else if (code === 22) ['1', '2'].map((attribute) => on.delete(attribute));
      else if (code > 22) on.delete(String(code - 20));
      else on.add(String(code));
    }
  }
  return [...on];
}

test('ansiLine: without colours a line is its text', () => {
  const {lines} = renderMessage({source: '**bold** and `code`'}, renderContext, {width: 40});
  expect(lines.map((line) => ansiLine(line, themes.default.styleSheet('never')))).toEqual(['bold and code']);
});
