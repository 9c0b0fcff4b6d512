import {afterEach, expect, test, vi} from 'vitest';
import {asciiGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import {renderContext} from './render-context-fixture.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function renderedLines(source: string, width: number, options: Partial<RenderOptions> = {}): string[] {
  return renderMessage({source}, renderContext, {...options, width}).lines.map(lineToText);
}

function columns(source: string, width: number): number {
  return renderedLines(source, width).reduce((total, line) => total + line.length, 0);
}

/** Inputs with a part that could be repeated in every row or line. */
const repeated: Readonly<Record<string, (length: number) => string>> = {
  'a long name of a column': (length) => `${'é'.repeat(length)}|b\n-|-\n${'-|-\n'.repeat(length / 4)}`,
  'many names of empty cells': (length) => {
    const names = 'a name that is long |'.repeat(length / 100);
    return `|${names}\n|${'-|'.repeat(length / 100)}\n${'|a|\n'.repeat(length / 20)}`;
  },
  'cells that are long in turn': (length) => {
    const count = Math.floor(Math.sqrt(length) / 2);
    const row = (_: unknown, i: number): string => `|${'|'.repeat(i)}${'a '.repeat(length / count / 2)}|\n`;
    return `${'|a'.repeat(count)}|\n${'|-'.repeat(count)}|\n${Array.from({length: count}, row).join('')}`;
  },
};

test.each(Object.entries(repeated))('render: %s: twice the message gives about twice the lines', (_, source) => {
  for (const width of [7, 40, 160]) {
    expect(columns(source(8000), width) / columns(source(4000), width)).toBeLessThan(3.2);
    expect(renderedLines(source(8000), width).length).toBeLessThan(20_000);
  }
});

test('render: in a large table a long column name is renderedLines in full once, then shortened', () => {
  const name = 'the name of this column is long';
  const lines = renderedLines(`${name}|b\n-|-\n${'12345678901|22345678901\n'.repeat(200)}`, 20);
  expect(lines.slice(0, 8)).toEqual([
    'the name of this',
    '  column is long:',
    '  12345678901',
    'b: 22345678901',
    '────────',
    'the name of this…:',
    '  12345678901',
    'b: 22345678901',
  ]);
  const few = renderedLines(`${name}|b\n-|-\n${'12345678901|22345678901\n'.repeat(2)}`, 20, {
    glyphs: asciiGlyphs,
  });
  expect(few.slice(5, 8)).toEqual(['the name of this', '  column is long:', '  12345678901']);
});

test('render: a horizontal rule is created once for each width', () => {
  const {lines} = renderMessage({source: '---\n'.repeat(100)}, renderContext, {width: 30});
  expect(new Set(lines).size).toBe(1);
  expect(lines[0]).toEqual({spans: [{text: '─'.repeat(30), role: 'rule'}], width: 30});
});

test('render: at most a hundred URLs are listed below a message, then their number', () => {
  const source = Array.from({length: 130}, (_, i) => `#${i}`).join(' ');
  const lines = renderedLines(source, 60, {footLinks: true});
  const foot = lines.filter((line) => line.includes('https://'));
  expect(foot).toHaveLength(100);
  expect(lines.at(-1)).toBe('… 30 more links');
  expect(renderMessage({source}, renderContext, {width: 60, footLinks: true}).links).toHaveLength(130);
});

test.each([
  ['a syllable behind its own beginnings', '日\u1100\u1100\u1100\u1161\u11a8'],
  ['vowels behind beginnings', '日\u1100\u1100\u1100\u1161\u1161\u1161'],
  ['vowels', '日\u1161\u1161\u1161\u1161\u1161\u1161'],
])('%s are laid out even where nothing has room', (_, source) => {
  for (const width of [1, 2, 3]) {
    const {lines} = renderMessage({source}, renderContext, {width});
    expect(lines.length).toBeLessThan(12);
    for (const line of lines) expect(line.width).toBeLessThanOrEqual(width);
  }
});

test('text width: emoji need no segmenter, combining marks do', async () => {
  vi.resetModules();
  const segmenterSpy = vi.spyOn(Intl, 'Segmenter');
  const {textColumns} = await import('#content/styled-text/text-width.ts');
  expect(['👍', '👍🏽🎉', '👩‍💻 ok', '🇩🇪🇫', '❤️', '1️⃣日', '🏳️‍🌈'].map(textColumns)).toEqual([2, 4, 5, 4, 2, 4, 2]);
  expect(segmenterSpy).not.toHaveBeenCalled();
  expect(textColumns('नि')).toBe(2);
  expect(segmenterSpy).toHaveBeenCalledOnce();
});
