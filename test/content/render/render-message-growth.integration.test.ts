import {afterEach, expect, onTestFinished, test, vi} from 'vitest';
import {readRenderedFacts} from '#content/read-rendered-facts.ts';
import {asciiGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import {renderMarkdown} from '#server/markdown/render.ts';
import {reloadModules} from '#test/support/modules/module-hooks.ts';
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

test('render: in a large table a long column name is shown in full once, then shortened', () => {
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
  onTestFinished(reloadModules());
  const segmenterSpy = vi.spyOn(Intl, 'Segmenter');
  const {textColumns} = await import('#content/styled-text/text-width.ts');
  expect(['👍', '👍🏽🎉', '👩‍💻 ok', '🇩🇪🇫', '❤️', '1️⃣日', '🏳️‍🌈'].map(textColumns)).toEqual([2, 4, 5, 4, 2, 4, 2]);
  expect(segmenterSpy).not.toHaveBeenCalled();
  expect(textColumns('नि')).toBe(2);
  expect(segmenterSpy).toHaveBeenCalledOnce();
});

const megabyte = 1_000_000;

/** Messages of about a megabyte: a server may have any limit, or a fault. */
const huge: Readonly<Record<string, string>> = {
  'a list of 200,000 items': '- a\n'.repeat(megabyte / 4),
  'quotes nested 10,000 deep': `${'>'.repeat(10_000)} x\n`.repeat(100),
  'spoilers nested 10,000 deep': '```spoiler x\n'.repeat(megabyte / 13),
  'a table row of 100,000 cells': `${'|a'.repeat(100_000)}\n${'|-'.repeat(100_000)}\n${'|b'.repeat(100_000)}`,
  'a single word': 'w'.repeat(megabyte),
  'only emoji': '😀'.repeat(megabyte / 2),
  'code of 500,000 lines': `\`\`\`js\n${'x\n'.repeat(megabyte / 2)}\`\`\``,
};

test.each(Object.entries(huge))(
  'render: a message of a megabyte, %s, is cut and says so, here and on the server',
  (_, source) => {
    const cutHint = '; O opens it in the browser';
    const lines = renderedLines(source, 80, {expanded: true, cutHint});
    expect(lines.at(-1)).toMatch(/^… cut: message of \d+(\.\d)? [KM]B; O opens it in the browser$/);
    expect(lines.length).toBeLessThan(51_000);
    const html = renderMarkdown(source).html;
    expect(html.length).toBeLessThan(5 * megabyte);
    readRenderedFacts(html, source);
  },
);

test('render: a poll with a question of a megabyte does not overflow the stack', () => {
  const content = JSON.stringify({widget_type: 'poll', extra_data: {question: 'a '.repeat(megabyte / 2), options: []}});
  const submessages = [{id: 1, senderId: 1, type: 'widget', content}];
  const message = {source: '/poll', senderId: 1, submessages};
  expect(renderMessage(message, renderContext, {width: 4}).lines.length).toBeGreaterThan(200_000);
});
