import {Marked, type Token, type Tokens} from 'marked';
import {markedTerminal} from 'marked-terminal';
import type {Line, Span, TextRole} from '#content/styled-text/line.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';

/** Foreground colours that stand for roles in marked-terminal's output. A theme decides how they look. */
const roleColors: Readonly<Partial<Record<TextRole, number>>> = {
  heading: 35,
  code: 33,
  code_block: 32,
  link: 36,
  quote: 34,
  table_header: 31,
};
const roleByColor = new Map(Object.entries(roleColors).map(([role, color]) => [color, role as TextRole] as const));
/** The characters of a table without lines, by cli-table3's names. */
const borderless = Object.fromEntries(
  ['top', 'mid', 'bottom', 'left', 'right'].flatMap((side) =>
    [side, `${side}-mid`, `${side}-left`, `${side}-right`, 'mid-mid', 'middle'].map((name) => [name, '']),
  ),
);
const columnGap = 2;
const bulletIndent = /^\s*(?:[*•-]|\d+\.)\s+/;

/**
 * Returns a chapter of the manual as lines of at most `width` columns. marked-terminal turns Markdown into text and tables
 * with colours; the colours become roles here, and long lines are wrapped.
 */
export function manualLines(markdown: string, width: number): readonly Line[] {
  const text = String(parserFor(width).parse(markdown.replaceAll(/<!--.*?-->\n*/gs, '')));
  const rows = text
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n');
  return rows.flatMap((row) => {
    const spans = spansOf(row);
    const indent = bulletIndent.exec(spans.map((span) => span.text).join(''))?.[0] ?? leadingSpace(spans);
    if (indent === '') return wrapSpans(spans, {width});
    return wrapSpans(withoutIndent(spans, indent.length), {
      width,
      first: [{text: indent, role: 'text'}],
      rest: [{text: ' '.repeat(textColumns(indent)), role: 'text'}],
    });
  });
}

function parserFor(width: number): Marked {
  const tableOptions = {
    wordWrap: true,
    colWidths: [] as number[],
    chars: borderless,
    style: {head: ['red'], border: [], 'padding-left': 0, 'padding-right': columnGap},
  };
  const paint = (role: TextRole) => (text: string) => `\u001b[${roleColors[role] ?? 39}m${text}\u001b[39m`;
  const style = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
  const same = (text: string) => text;
  const parser = new Marked(
    markedTerminal({
      ...{firstHeading: paint('heading'), heading: paint('heading'), codespan: paint('code')},
      ...{code: paint('code_block'), blockquote: paint('quote'), link: paint('link'), href: same, html: same},
      ...{strong: style(1, 22), em: style(3, 23), hr: same, listitem: same, paragraph: same, table: same},
      ...{showSectionPrefix: false, emoji: false, tab: 2, tableOptions},
    }),
  );
  parser.use({
    walkTokens: (token) => {
      // A language would start a second highlighter, whose colours depend on the environment.
      if (token.type === 'code') delete token.lang;
    },
    renderer: {
      text(token) {
        if ('tokens' in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens);
        return token.text.replaceAll('\n', ' ');
      },
      link({href, tokens}) {
        const text = this.parser.parseInline(tokens);
        const isNamed = /^https?:/.test(href) && text !== href;
        return paint('link')(isNamed ? `${text} (${href})` : text);
      },
      table(token) {
        tableOptions.colWidths = columnWidths(token, width);
        return tableOptions.colWidths.length > 0 ? false : stackedRows(token, this.parser);
      },
    },
  });
  return parser;
}

/** Returns the width of each column with its padding; empty when the table does not fit with its longest words whole. */
function columnWidths({header, rows}: Tokens.Table, width: number): number[] {
  const cells = [header, ...rows];
  const widest = (part: RegExp) =>
    header.map((_, at) => Math.max(...cells.flatMap((row) => plainText(row[at]).split(part).map(textColumns))));
  const [minWidths, widths] = [widest(/\s+/), widest(/$/)];
  const available = width - columnGap * header.length;
  for (let excess = sum(widths) - available; excess > 0; excess--) {
    const maxWidth = Math.max(...widths.filter((each, at) => each > (minWidths[at] ?? 0)));
    const at = widths.findIndex((each, index) => each === maxWidth && each > (minWidths[index] ?? 0));
    if (at < 0) return [];
    widths[at] = maxWidth - 1;
  }
  return widths.map((each) => each + columnGap);
}

/** Returns a table that is too wide as one line for each row: the first cell, then the others. */
function stackedRows({rows}: Tokens.Table, parser: {parseInline(tokens: Token[]): string}): string {
  const lines = rows.map(([first, ...others]) =>
    [first, ...others].map((cell) => parser.parseInline(cell?.tokens ?? [])).join('  '),
  );
  return `${lines.map((line) => `* ${line}`).join('\n')}\n\n`;
}

/** Returns the text of a cell without its Markdown marks. */
function plainText(cell: Tokens.TableCell | undefined): string {
  return cell?.text.replaceAll(/[`*\\]/g, '') ?? '';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function spansOf(row: string): readonly Span[] {
  const spans: Span[] = [];
  let role: TextRole = 'text';
  let [isBold, isItalic] = [false, false];
  for (const [at, part] of row.split(/\u001b\[([\d;]*)m/).entries()) {
    if (at % 2 === 0) {
      const text = part.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '');
      if (text !== '') spans.push({text, role, ...(isBold && {bold: true}), ...(isItalic && {italic: true})});
      continue;
    }
    for (const code of part.split(';').map(Number)) {
      if (code === 1 || code === 22) isBold = code === 1;
      else if (code === 3 || code === 23) isItalic = code === 3;
      else role = roleByColor.get(code) ?? 'text';
    }
  }
  return spans;
}

function leadingSpace(spans: readonly Span[]): string {
  return /^ */.exec(spans[0]?.text ?? '')?.[0] ?? '';
}

function withoutIndent(spans: readonly Span[], length: number): readonly Span[] {
  let left = length;
  return spans.flatMap((span) => {
    const text = span.text.slice(left);
    left = Math.max(0, left - span.text.length);
    return text === '' ? [] : [{...span, text}];
  });
}
