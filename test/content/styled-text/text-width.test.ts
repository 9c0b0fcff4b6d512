import xterm, {type Terminal} from '@xterm/headless';
import fc from 'fast-check';
import {eastAsianWidth} from 'get-east-asian-width';
import stringWidth from 'string-width';
import {afterEach, describe, expect, test} from 'vitest';
import {type ClusterKind, clusterKinds} from '#content/styled-text/cluster-widths.ts';
import {
  graphemeWidths,
  setClusterWidths,
  textColumns,
  wideRanges,
  widestCluster,
} from '#content/styled-text/text-width.ts';
import {modernTerminal, writeToTerminal} from '#test/support/terminal/modern-terminal.ts';
import {fewOrAll} from '#test/support/tier.ts';

describe('columns', () => {
  test.each([
    ['', 0],
    ['plain text', 10],
    ['Grüße, Ærøskøbing', 17],
    ['Привет, Ελλάδα', 14],
    ['日本語', 6],
    ['テスト。「引用」', 16],
    ['ｶﾞ', 2],
    ['ＡＢＣ', 6],
    ['한국어', 6],
    ['\u1112\u1161\u11ab', 2], // The same syllable 한 in three code points.
    ['e\u0301', 1],
    ['Z\u0300\u0301\u0302\u0303', 1],
    ['a\u20dd', 1],
    ['👍', 2],
    ['👍🏽', 2],
    ['👍🏻', 2],
    ['👍🏿', 2],
    ['🏿', 2],
    ['👩‍💻', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['🏳️‍🌈', 2],
    ['🇩🇪', 2],
    ['🇩🇪🇫🇷', 4],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
    ['1️⃣', 2],
    ['#⃣', 2],
    ['❤', 1],
    ['❤️', 2],
    ['☺︎', 1],
    ['⚠️ ok', 5],
    ['©', 1],
    ['…—“”•│─▌', 8],
    ['नमस्ते', 4], // Only fonts join two of them.
    ['ก็', 1],
    ['שלום', 4],
    ['مرحبا', 5],
    ['می‌خواهم', 7],
    ['𝒜𝓃', 2],
    ['𠮷野家', 6],
  ])('%s takes %i', (text, columns) => {
    expect(textColumns(text)).toBe(columns);
  });

  test('the table of wide characters equals that of Unicode', () => {
    const wide = new Set<number>();
    for (let i = 0; i < wideRanges.length; i += 2) {
      for (let point = wideRanges[i] ?? 0; point <= (wideRanges[i + 1] ?? 0); point++) wide.add(point);
    }
    const wrong: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (wide.has(point) !== (eastAsianWidth(point) === 2)) wrong.push(point.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  const commonText = fc
    .array(
      fc.constantFrom(
        ...'aZ 9é日語、한ァé❤☺©…│█א'.split(''),
        ...['👍', '👍🏽', '👩‍💻', '👨‍👩‍👧‍👦', '🇩🇪', '❤️', '1️⃣', '🏳️‍🌈', 'o\u0308', 'ｶﾞ', '𠮷', '🀄', 'नि', '한'],
      ),
    )
    .map((parts) => parts.join(''));

  test('textColumns equals string-width, which Ink uses, for common text', () => {
    fc.assert(
      fc.property(commonText, (text) => {
        expect(textColumns(text)).toBe(stringWidth(text));
      }),
      {seed: 1, numRuns: fewOrAll(125, 500)},
    );
  });

  test('emoji sequences end where Unicode segments them', () => {
    const parts = [
      ...['👍', '👩', '🏳', '🌡', '💻', '❤', '©', '🇩', '🇪', '🏽', '🏻', '🏴', '\u{e0067}', '\u{e007f}', '🀄', '𠮷'],
      ...['\u200d', '\ufe0f', '\ufe0e', '\u20e3', '1', '#', 'a', ' ', '日', 'e\u0301', '\u0301', 'ᄀ', '─'],
    ];
    const segmenter = new Intl.Segmenter('en', {granularity: 'grapheme'});
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), {maxLength: 12}), (chosen) => {
        const text = chosen.join('');
        const segments = Array.from(segmenter.segment(text), ({segment}) => segment);
        fc.pre(segments.every((segment) => textColumns(segment) <= widestCluster));
        const {ends} = graphemeWidths(text);
        expect(ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end))).toEqual(segments);
      }),
      {seed: 1, numRuns: fewOrAll(250, 1000)},
    );
    for (let point = 0x1f000; point <= 0x1fbff; point++) {
      const character = String.fromCodePoint(point);
      const text = `a${character}${character}b`;
      const ends = Array.from(segmenter.segment(text), ({segment, index}) => index + segment.length);
      expect(graphemeWidths(text).ends).toEqual(expect.arrayContaining(ends));
    }
  });

  test('textColumns is never below string-width for any visible text', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}), (text) => {
        const visible = text.replaceAll(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '');
        expect(textColumns(visible)).toBeGreaterThanOrEqual(stringWidth(visible));
      }),
      {seed: 1, numRuns: fewOrAll(250, 1000)},
    );
  });
});

describe('a terminal that counts in another way', () => {
  afterEach(() => setClusterWidths({}));
  const kinds = Object.keys(clusterKinds) as ClusterKind[];

  test.each(kinds)('the sample of %s is as wide as the terminal says', (kind) => {
    const {sample, columns} = clusterKinds[kind];
    expect(textColumns(sample)).toBe(columns[0]);
    for (const own of columns) {
      setClusterWidths({[kind]: own});
      expect(textColumns(sample)).toBe(own);
    }
  });

  test.each([
    ['tone', 4, '👍🏽👍', 6],
    ['joined', 6, '👩‍💻', 4],
    ['joined', 6, '👨‍👩‍👧‍👦', 8],
    ['variation', 1, '⚠️ ok', 4],
    ['variation', 1, '1️⃣', 1],
    ['conjunct', 2, 'नि', 1],
    ['conjunct', 1, 'नमस्ते', 3],
    ['jamo', 4, '\u1112\u1161\u11ab', 4],
    ['thai', 1, 'น้ำ', 1],
  ] as const)('%s %i: %s takes %i', (kind, own, text, columns) => {
    setClusterWidths({[kind]: own});
    expect(textColumns(text)).toBe(columns);
    for (const wide of graphemeWidths(text).columns) expect(wide).toBeLessThanOrEqual(widestCluster);
  });
});

describe('graphemes', () => {
  test('graphemes are never split, and together they are the text', () => {
    const text = 'a👩‍💻é日e\u0301🇩🇪नि x';
    const {ends, columns} = graphemeWidths(text);
    const cells = ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end));
    expect(cells).toEqual(['a', '👩‍💻', 'é', '日', 'e\u0301', '🇩🇪', 'नि', ' ', 'x']);
    expect(columns).toEqual([1, 2, 1, 2, 1, 2, 2, 1, 1]);
  });

  test('a very long cluster is split, so that it can be wrapped', () => {
    const {columns} = graphemeWidths('\u1100'.repeat(100));
    expect(columns).toEqual(new Array(100).fill(2));
  });

  test('the width of a text is the sum of the widths of its parts', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('abc', '日本', '👍', 'é', '— ', 'Ж')), (parts) => {
        const total = parts.reduce((sum, part) => sum + textColumns(part), 0);
        expect(textColumns(parts.join(''))).toBe(total);
      }),
      {seed: 1},
    );
  });
});

describe('a terminal moves its cursor by the same number of columns', () => {
  const texts = ['plain', 'Grüße', 'Привет', '日本語。', '한국어', 'ＡＢ', 'e\u0301o\u0308', 'ก็', 'שלום', '│─▌…•'];
  test.each(texts)('any terminal: %s', async (text) => {
    expect(await cursorAfter(new xterm.Terminal({cols: 80, rows: 2, allowProposedApi: true}), text)).toBe(
      textColumns(text),
    );
  });

  const clusters = ['👍', '👍🏽', '👩‍💻', '👨‍👩‍👧‍👦', '🇩🇪', '❤️', '1️⃣', '🏳️‍🌈', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '\u1112\u1161\u11ab', 'नि'];
  test.each(clusters)('a terminal with cluster support: %s', async (text) => {
    expect(await cursorAfter(modernTerminal(80, 2), text)).toBe(textColumns(text));
  });

  async function cursorAfter(terminal: Terminal, text: string): Promise<number> {
    await writeToTerminal(terminal, text);
    const {cursorX} = terminal.buffer.active;
    terminal.dispose();
    return cursorX;
  }
});
