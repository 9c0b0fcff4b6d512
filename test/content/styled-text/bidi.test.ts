import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {lineToText} from '#content/styled-text/ansi.ts';
import {isolatedLine, reorderedLine, unorderedLine, wordOrderedLine} from '#content/styled-text/bidi.ts';
import type {Line, Span} from '#content/styled-text/line.ts';
import {graphemeWidths, textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';

const line = (...spans: readonly Span[]): Line => ({spans, width: textColumns(spans.map(({text}) => text).join(''))});
const text = (words: string): Span => ({text: words, role: 'text'});
/** What is painted for a paragraph of a message at a width. */
const painted = (words: string, width = 40) =>
  wrapSpans([text(words)], {width}).map((wrapped) => lineToText(reorderedLine(wrapped)));
/** What is painted for a name or another text around messages. */
const field = (words: string) => lineToText(reorderedLine(line(text(words))));

describe('paragraphs of a message', () => {
  // Each was ordered by hand with the rules of Unicode's annex 9.
  test.each([
    ['a Latin paragraph keeps its place', 'hello שלום world', 'hello םולש world'],
    ['neutral characters between Hebrew words', 'say שלום, עולם now', 'say םלוע ,םולש now'],
    ['numbers are read from the left', 'ב-2026 היו 12 ימים', 'םימי 12 ויה 2026-ב'.padStart(40)],
    ['brackets are mirrored', 'שלום (עולם) טוב', 'בוט (םלוע) םולש'.padStart(40)],
    ['Latin in a Hebrew paragraph', 'הקובץ readme.txt נמחק', 'קחמנ readme.txt ץבוקה'.padStart(40)],
    ['brackets around Latin in a Hebrew paragraph', 'ראו (see README) כאן', 'ןאכ (see README) ואר'.padStart(40)],
    ['Arabic with a number and a percent sign', 'نسبة 50% فقط', 'طقف %50 ةبسن'.padStart(40)],
    ['a number after Hebrew in a Latin paragraph', 'room חדר 5 is free', 'room 5 רדח is free'],
    ['points stay with their letters', 'a שָׁלוֹם b', 'a םוֹלשָׁ b'],
    ['an emoji between Hebrew words is neutral', 'a שלום 😀 עולם', 'a םלוע 😀 םולש'],
    ['letters beyond the basic plane', 'a 𞤀𞤁 b', 'a 𞤁𞤀 b'],
  ])('%s', (_what, source, visual) => {
    expect(painted(source)).toEqual([visual]);
  });

  test('a paragraph is wrapped as it is read, and each line of it begins at the right edge', () => {
    expect(painted('שלום לכולם readme first', 12)).toEqual(['םלוכל םולש'.padStart(12), 'readme first']);
    expect(painted('שלום לכולם ab, cd ef', 14)).toEqual(['ab, םלוכל םולש', 'cd ef'.padStart(14)]);
  });

  test('the order of a line depends on the whole paragraph', () => {
    expect(painted('abc שלום 12 עולם', 8)).toEqual(['abc םולש', 'םלוע 12']);
  });

  test('code begins at the left', () => {
    const [code] = wrapSpans([text('שלום = 1')], {width: 20, verbatim: true});
    expect(lineToText(reorderedLine(code as Line))).toBe('1 = םולש');
  });

  test('the item of a list and its mark begin where paragraphs begin', () => {
    const item = (mark: string, words: string) =>
      wrapSpans([text(words)], {
        width: 20,
        first: [{text: mark, role: 'bullet'}],
        rest: [{text: ' '.repeat(mark.length), role: 'bullet'}],
      }).map((wrapped) => lineToText(reorderedLine(wrapped)));
    expect(item('• ', 'שלום')).toEqual(['םולש •'.padStart(20)]);
    expect(item('12. ', 'שלום לכולם, עולם!')).toEqual([',םלוכל םולש .12'.padStart(20), '!םלוע    '.padStart(20)]);
    expect(item('[7] ', 'שלום')).toEqual(['םולש [7]'.padStart(20)]);
    expect(item('12. ', 'item שלום')).toEqual(['12. item םולש']);
  });

  test('what follows a paragraph on its line keeps its column', () => {
    const [cell] = wrapSpans([text('שלום')], {width: 10});
    const row: Line = {spans: [...(cell?.spans ?? []), {text: '      │', role: 'table_border'}], width: 11};
    expect(lineToText(reorderedLine(row))).toBe('םולש      │');
    const timed: Line = {spans: [...(cell?.spans ?? []), text('       '), {text: '14:30', role: 'time'}], width: 16};
    expect(lineToText(reorderedLine(timed))).toBe('      םולש 14:30');
  });
});

describe('texts around messages', () => {
  test.each([
    ['a channel and its topic stay in this order', '#ערוץ › נושא חדש', '#ץורע › שדח אשונ'],
    ['columns stay in place', 'דנה    שלום עולם   3h', 'הנד    םלוע םולש   3h'],
    ['a mark before a name stays before it', '› נושא', '› אשונ'],
    ['the space after a name fills its column', 'דנה     ', 'הנד     '],
    ['a cut text ends at its left', 'שלום עול…', '…לוע םולש'],
  ])('%s', (_what, source, visual) => {
    expect(field(source)).toBe(visual);
  });

  test('spans of other roles keep their place', () => {
    const row = line(text('4 '), {text: 'דנה', role: 'mention'}, text(' 12'));
    expect(lineToText(reorderedLine(row))).toBe('4 הנד 12');
  });
});

test('what a filter has found in a name stays in its word', () => {
  const name: Line<'text' | 'matched'> = {
    spans: [
      {text: '#ערוץ › שלום ', role: 'text'},
      {text: 'עול', role: 'matched'},
      {text: 'ם', role: 'text'},
      {text: ' ', role: 'text'},
      {text: '◎', role: 'text'},
    ],
    width: 19,
  };
  expect(reorderedLine(name).spans.map(({text: words, role}) => (role === 'matched' ? `[${words}]` : words))).toEqual([
    '#ץורע › ',
    'ם',
    '[לוע]',
    ' םולש',
    ' ',
    '◎',
  ]);
});

test('a line without right-to-left text is the same object', () => {
  const plain = line(text('hello '), {text: 'ЖЖ 漢字 👨‍👩‍👧', role: 'link', link: 0});
  expect(reorderedLine(plain)).toBe(plain);
  expect(isolatedLine(plain)).toBe(plain);
});

const letters = fc.constantFrom('a', 'B', '7', ' ', '(', ']', 'א', 'ם', 'שָׁ', 'ع', 'لا', '٣', '漢', '😀', '.', '›');
const roles = fc.constantFrom<Span['role']>('text', 'link', 'mention');
const spans = fc.array(
  fc.array(letters, {minLength: 1, maxLength: 8}).chain((cells) => roles.map((role) => ({text: cells.join(''), role}))),
  {minLength: 1, maxLength: 5},
);

test('ordering keeps the characters, their roles and the columns', () => {
  const mirror: Readonly<Record<string, string>> = {')': '(', '[': ']', '‹': '›'};
  const cells = ({spans: all}: Line) =>
    all
      .flatMap(({text: words, role}) => {
        const {ends} = graphemeWidths(words);
        return ends
          .map((end, at) => words.slice(ends[at - 1] ?? 0, end))
          .map((cell) => `${role} ${mirror[cell] ?? cell}`);
      })
      .filter((cell) => !cell.endsWith('  '))
      .sort();
  fc.assert(
    fc.property(spans, (parts) => {
      for (const wrapped of [line(...parts), ...wrapSpans(parts, {width: 12})]) {
        const ordered = reorderedLine(wrapped);
        const added = ordered.width - wrapped.width;
        expect(added).toBeGreaterThanOrEqual(0);
        expect(Math.max(ordered.width, 12)).toBeLessThanOrEqual(Math.max(wrapped.width, 12));
        expect(cells({...ordered, spans: added > 0 ? ordered.spans.slice(1) : ordered.spans})).toEqual(cells(wrapped));
      }
    }),
  );
});

describe('bad input', () => {
  test.each([
    ['a lone mark', '\u05b8'],
    ['unpaired surrogates', 'א\ud83c\udc00ב\ud802'],
    ['nested embeddings', `${'\u202b\u2067'.repeat(5000)}א`],
  ])('%s does no harm', (_what, source) => {
    expect(painted(source).join('').length).toBeGreaterThan(0);
    expect(field(source).length).toBeGreaterThan(0);
  });

  test('a very long paragraph takes a bounded time for each line', () => {
    const long = wrapSpans([text('שלום abc (12) '.repeat(20_000))], {width: 80});
    const before = performance.now();
    for (const wrapped of long.slice(0, 50)) reorderedLine(wrapped);
    expect(performance.now() - before).toBeLessThan(2000);
    expect(long.length).toBeGreaterThan(1000);
  });
});

describe('a terminal that reverses the letters of each run of a font', () => {
  const blank = /( )/;
  const isLetters = (words: string) => /^[\u0590-\u08ff]+$/.test(words);
  const reversed = (words: string) => [...words].reverse().join('');
  /** What kitty shows: a run of letters is reversed; where a font has the signs too, it ends at a blank or at italics. */
  const shown = ({spans}: Line, hasOneFont: boolean) => {
    const runs: {text: string; italic: boolean}[] = [];
    for (const {text: words, italic = false} of spans) {
      for (const part of words.split(hasOneFont ? blank : /( |[\u0590-\u08ff]+)/)) {
        const last = runs.at(-1);
        const isOneRun = hasOneFont || isLetters(part) === isLetters(last?.text ?? '');
        if (last === undefined || part === ' ' || last.text === ' ' || last.italic !== italic || !isOneRun) {
          runs.push({text: part, italic});
        } else last.text += part;
      }
    }
    return runs.map((run) => (/[\u0590-\u08ff]/.test(run.text) ? reversed(run.text) : run.text)).join('');
  };

  test.each([
    'שלום עולם',
    'שלום, עולם!',
    'ב-2024 היו (12) ימים',
    'say "שלום" now',
    'ל-GitHub: readme.txt',
    'مرحبا، عالم؟ 50%',
    '#ערוץ › topic',
  ])('shows the letters, signs and digits of %s in their places, whatever its fonts have', (words) => {
    const [wrapped] = wrapSpans([text(words)], {width: 40});
    const sent = wordOrderedLine(wrapped as Line);
    const visual = lineToText(reorderedLine(wrapped as Line));
    expect([shown(sent, true), shown(sent, false)]).toEqual([visual, visual]);
    expect(sent.width).toBe(textColumns(visual));
  });

  test('shows a highlighted letter of a word in its place', () => {
    const found = line(text('של'), {text: 'ו', role: 'match'}, text('ם'));
    const [paragraph] = wrapSpans(found.spans, {width: 4});
    const {spans} = wordOrderedLine(paragraph as Line);
    expect(spans.map(({text: words, role}) => [words, role])).toEqual([
      ['ש', 'text'],
      ['ל', 'match'],
      ['ום', 'text'],
    ]);
  });

  test('lines without right-to-left text stay the same objects', () => {
    const plain = line(text('hello, world'));
    expect(wordOrderedLine(plain)).toBe(plain);
  });
});

describe('a composed text', () => {
  const [start, end] = ['\u2068', '\u2069'];

  test.each([
    ['a number after a value', `Muted ${start}שלום${end} (3)`, 'Muted םולש (3)'],
    ['a value at the start', `${start}שלום 3!${end}: hello`, '!3 םולש: hello'],
    ['a box before a value', `[ ] ${start}שלום${end}`, '[ ] םולש'],
    ['values in a list', `${start}אב${end}, ${start}גד${end}`, 'בא, דג'],
    ['a separator in a value', `To ${start}א › ב  ג${end} › x`, 'To ג  ב ‹ א › x'],
    ['a value that was cut', `To ${start}שלום ל…`, 'To …ל םולש'],
  ])('%s keeps everything in its place', (_what, source, visual) => {
    expect(field(source)).toBe(visual);
    expect(reorderedLine(line(text(source))).width).toBe(textColumns(visual));
    expect(lineToText(unorderedLine(line(text(source))))).toBe(source.replaceAll(/[\u2068\u2069]/g, ''));
  });

  test('begins at the left, also where it is wrapped and a value comes first', () => {
    expect(painted(`${start}שלום${end}: hello, world`, 12)).toEqual(['םולש: hello,', 'world']);
  });

  test('is isolated as a whole, with its values, for a terminal that orders text', () => {
    const label = `Muted ${start}שלום${end} (3)`;
    expect(lineToText(isolatedLine(line(text(label))))).toBe(`${start}${label}${end}`);
  });
});

test('for a terminal that orders text, isolates enclose each part', () => {
  expect(lineToText(isolatedLine(line(text('#ערוץ › topic › נושא'))))).toBe(
    '#\u2068ערוץ\u2069 › topic › \u2068נושא\u2069',
  );
  const [paragraph] = wrapSpans([text('שלום '), {text: 'docs', role: 'link'}], {width: 12});
  expect(lineToText(isolatedLine(paragraph as Line))).toBe('   \u2067שלום docs\u2069');
  const found: Line<'text' | 'matched'> = {
    spans: [
      {text: '#של', role: 'text'},
      {text: 'ום', role: 'matched'},
      {text: 'ת 3', role: 'text'},
    ],
    width: 8,
  };
  expect(isolatedLine(found).spans.map(({text: words}) => words)).toEqual(['#\u2068של', 'ום', 'ת 3\u2069']);
});
