import {type DefaultTreeAdapterMap, parseFragment} from 'parse5';
import {fileChipName} from '#content/file-chip.ts';
import {formulaLines, inlineFormula} from '#content/math/formula-text.ts';
import {unicodeGlyphs} from '#content/render/glyphs.ts';
import {type RenderedMessage, renderMessage} from '#content/render/render-message.ts';
import type {RenderContext} from '#content/render/render-options.ts';
import type {Span} from '#content/styled-text/line.ts';
import {timeText} from '#content/time-text.ts';

/**
 * Lines for comparing the rendering of Markdown with the HTML of a server: `clientLines` writes rendered lines and
 * `htmlLines` a server's HTML as text in which marks such as `{b i}` say the style and target of what follows. The lines of
 * the HTML follow from the HTML alone; layout (blank lines, bullets, bars) is as on the screen.
 */

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

interface Style {
  readonly flags: ReadonlySet<string>;
  readonly target: string | undefined;
}

interface Piece {
  readonly text: string;
  readonly style: Style;
}

const plain: Style = {flags: new Set(), target: undefined};

function styled(style: Style, flag: string): Style {
  return {...style, flags: new Set([...style.flags, flag])};
}

/** Writes pieces as one line: white space collapsed, and a mark wherever the style changes. Spaces have no style. */
function lineText(pieces: readonly Piece[]): string {
  let out = '';
  let current = '';
  for (const {text, style} of pieces) {
    for (const part of text.replaceAll(/[\ufe0f\u200b]/g, '').split(/(\s+)/)) {
      if (part === '') continue;
      if (part.trim() === '') {
        out += ' ';
        continue;
      }
      const mark = [...style.flags].sort().join(' ') + (style.target === undefined ? '' : ` →${style.target}`);
      if (mark !== current) out += `{${mark.trim()}}`;
      current = mark;
      out += part;
    }
  }
  return out.replaceAll(/ +/g, ' ').trim();
}

const roleFlags: Readonly<Record<string, string>> = {
  code: 'code',
  code_block: 'code',
  mention: 'mention',
  self_mention: 'mention',
  silent_mention: 'silent',
  math: 'math',
  time: 'time',
  heading: 'b',
  table_header: 'b',
};

const drawnRoles = new Set(['quote_bar', 'bullet', 'table_border', 'rule']);

/** Returns the lines of a rendered message. Rulers and empty rows of tables are left out. */
function markedLines({lines, links}: RenderedMessage): string[] {
  return lines.flatMap(({spans}) => {
    const pieces = spans.filter(({role, text}) => role !== 'table_border' || !text.includes('─'));
    const isRuler = pieces.length < spans.length && pieces.every(({role}) => drawnRoles.has(role));
    const line = lineText(pieces.map((span) => piece(span, links)));
    return isRuler || emptyRow.test(line) ? [] : [line];
  });
}

const emptyRow = /^[▌ ]*│[│ ]*$/;

function piece(span: Span, links: RenderedMessage['links']): Piece {
  if (drawnRoles.has(span.role)) return {text: span.role === 'rule' ? '───' : span.text, style: plain};
  const flags = new Set<string>();
  if (span.bold) flags.add('b');
  if (span.italic) flags.add('i');
  if (span.strike) flags.add('s');
  const flag = roleFlags[span.role];
  if (flag !== undefined) flags.add(flag);
  return {text: span.text, style: {flags, target: span.link === undefined ? undefined : links[span.link]?.url}};
}

/** The lines of a block, without the prefix of the blocks around it. */
type Lines = Piece[][];

/** Returns the lines that a server's HTML should be shown as. */
export function htmlLines(html: string): string[] {
  const root = parseFragment(html);
  return blockLines(root.childNodes, new Previews(root), 0)
    .map(lineText)
    .filter((line) => !emptyRow.test(line));
}

/** The previews that stand for a link: the server leaves the link itself out when it is alone in its paragraph. */
class Previews {
  readonly #linked = new Set<string>();

  constructor(root: Node) {
    const visit = (node: Node): void => {
      if (!('childNodes' in node) || isPreview(node)) return;
      if (isElement(node) && node.tagName === 'a') this.#linked.add(attribute(node, 'href') ?? '');
      node.childNodes.forEach(visit);
    };
    visit(root);
  }

  lines(preview: Element): Lines {
    const link = preview.childNodes.filter(isElement).find(({tagName}) => tagName === 'a');
    const href = link === undefined ? '' : (attribute(link, 'href') ?? '');
    return this.#linked.has(href) ? [] : [[{text: href, style: {...plain, target: href}}]];
  }
}

const blockTags = new Set('p h1 h2 h3 h4 h5 h6 hr div blockquote ul ol table'.split(' '));
const separatedTags = new Set('h1 h2 h3 h4 h5 h6 table'.split(' '));
const unseparatedKinds = new Set(['heading', 'hr', 'spoiler', 'text']);

function kindOf(element: Element): string {
  if (/^h[1-6]$/.test(element.tagName)) return 'heading';
  if (element.tagName === 'div') return hasClass(element, 'spoiler-block') ? 'spoiler' : 'code';
  if (element.tagName === 'p' && isFormula(element)) return 'math';
  return element.tagName === 'ul' || element.tagName === 'ol' ? 'list' : element.tagName;
}

/** Returns the lines of sibling blocks; text between them is as in a list item without paragraphs. */
function blockLines(nodes: readonly Node[], previews: Previews, depth: number): Lines {
  const lines: Lines = [];
  let previous: {tag: string; kind: string} | undefined;
  const add = (tag: string, kind: string, added: Lines): void => {
    if (added.length === 0) return;
    const isSeparated =
      previous !== undefined &&
      (separatedTags.has(tag) || previous.tag === 'table' || (previous.kind === kind && !unseparatedKinds.has(kind)));
    if (isSeparated) lines.push([]);
    lines.push(...added);
    previous = {tag, kind};
  };
  let text: Node[] = [];
  const endText = (): void => {
    const isBlank = text.every(
      (node) => node.nodeName === 'br' || (node.nodeName === '#text' && textOf(node).trim() === ''),
    );
    if (!isBlank) add('text', 'text', inlineLines(text, plain));
    text = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !blockTags.has(node.tagName)) {
      text.push(node);
      continue;
    }
    endText();
    if (isPreview(node)) add('p', 'p', previews.lines(node));
    else add(node.tagName, kindOf(node), block(node, previews, depth));
  }
  endText();
  return lines;
}

function block(element: Element, previews: Previews, depth: number): Lines {
  switch (element.tagName) {
    case 'blockquote':
      return prefixed(blockLines(element.childNodes, previews, depth), '▌ ', '▌ ');
    case 'ul':
    case 'ol':
      return listLines(element, previews, depth);
    case 'hr':
      return [[{text: '───', style: plain}]];
    case 'table':
      return tableLines(element);
    case 'div':
      return hasClass(element, 'spoiler-block') ? spoilerLines(element, previews, depth) : codeLines(textOf(element));
    case 'p':
      if (element.childNodes.every((node) => node.nodeName === '#text' && textOf(node).trim() === '')) return [];
      return isFormula(element) ? formulaBlock(element) : inlineLines(element.childNodes, plain);
    default:
      return inlineLines(element.childNodes, styled(plain, 'b'));
  }
}

function prefixed(lines: Lines, first: string, rest: string): Lines {
  return lines.map((line, i) => [{text: i === 0 ? first : rest, style: plain}, ...line]);
}

function listLines(list: Element, previews: Previews, depth: number): Lines {
  const start = Number(attribute(list, 'start') ?? 1);
  const items = list.childNodes.filter(isElement);
  return items.flatMap((item, i) => {
    const mark = list.tagName === 'ol' ? `${start + i}.` : (['•', '◦', '▪'][depth % 3] ?? '');
    const lines = blockLines(item.childNodes, previews, depth + 1);
    return prefixed(lines.length === 0 ? [[]] : lines, `${mark} `, '');
  });
}

function tableLines(table: Element): Lines {
  return descendants(table, 'tr').map((row) =>
    row.childNodes.filter(isElement).flatMap((cell, i) => {
      const style = cell.tagName === 'th' ? styled(plain, 'b') : plain;
      const bar: Piece[] = i === 0 ? [] : [{text: ' │ ', style: plain}];
      return [...bar, ...inlineLines(cell.childNodes, style).flat()];
    }),
  );
}

function spoilerLines(element: Element, previews: Previews, depth: number): Lines {
  const [header, content] = element.childNodes.filter(isElement);
  const title = blockLines(header?.childNodes ?? [], previews, depth).flat();
  const shown: Piece[] = title.length === 0 ? [{text: 'Spoiler', style: plain}] : title;
  return [shown, ...blockLines(content?.childNodes ?? [], previews, depth)];
}

function codeLines(code: string): Lines {
  return code
    .replace(/\n$/, '')
    .split('\n')
    .map((text) => [{text, style: styled(plain, 'code')}]);
}

function isFormula(element: Element): boolean {
  const [first] = element.childNodes;
  if (first === undefined || !isElement(first)) return false;
  return hasClass(first, 'katex-display') || (hasClass(first, 'tex-error') && !textOf(first).startsWith('$$'));
}

function formulaBlock(element: Element): Lines {
  const formulas = element.childNodes.filter(isElement).filter(({tagName}) => tagName === 'span');
  const tex = formulas.map((each) => textOf(descendants(each, 'annotation')[0] ?? each)).join('\n\n');
  return formulaLines(tex, false).map((text) => [{text, style: styled(plain, 'math')}]);
}

const styleTags: Readonly<Record<string, string>> = {strong: 'b', em: 'i', del: 's', code: 'code'};

function inlineLines(nodes: readonly Node[], style: Style): Lines {
  const lines: Lines = [[]];
  const put = (text: string, pieceStyle: Style): void => void lines.at(-1)?.push({text, style: pieceStyle});
  const visit = (node: Node, current: Style): void => {
    if (node.nodeName === '#text') {
      if ('value' in node) put(node.value, current);
    } else if (isElement(node)) visitElement(node, current);
  };
  const visitAll = (element: Element, current: Style): void => {
    for (const child of element.childNodes) visit(child, current);
  };
  const visitElement = (element: Element, current: Style): void => {
    const flag = styleTags[element.tagName];
    if (element.tagName === 'br') lines.push([]);
    else if (flag !== undefined) visitAll(element, styled(current, flag));
    else if (element.tagName === 'a') link(element, current);
    else if (element.tagName === 'img' || element.tagName === 'audio') media(element, current);
    else if (element.tagName === 'time')
      put(
        timeText(attribute(element, 'datetime') ?? '', {zone: 'UTC', hour12: false, now: 0}),
        styled(current, 'time'),
      );
    else if (hasClass(element, 'emoji')) put(emojiCharacters(element), current);
    else if (hasClass(element, 'katex')) {
      const tex = descendants(element, 'annotation').map(textOf).join('');
      put(inlineFormula(tex, false), styled(current, 'math'));
    } else if (hasClass(element, 'tex-error')) put(texError(textOf(element)), styled(current, 'math'));
    else if (/-mention\b/.test(attribute(element, 'class') ?? ''))
      visitAll(element, styled(current, hasClass(element, 'silent') ? 'silent' : 'mention'));
    else visitAll(element, current);
  };
  const link = (element: Element, current: Style): void => {
    const href = (attribute(element, 'href') ?? '').replace(/\/with\/\d+$/, '');
    const linked = {...current, target: current.target ?? href};
    visitAll(element, linked);
  };
  const media = (element: Element, current: Style): void => {
    if (hasClass(element, 'emoji')) {
      put(attribute(element, 'alt') ?? '', current);
      return;
    }
    const href =
      attribute(element, 'data-original-src') ??
      attribute(element, 'data-original-url') ??
      proxiedUrl(attribute(element, 'src') ?? '');
    const name = attribute(element, element.tagName === 'img' ? 'alt' : 'title') ?? '';
    put(fileChipName({name, href}), {...current, target: current.target ?? href});
  };
  for (const node of nodes) visit(node, style);
  // A break at the end of a block shows nothing.
  if (lines.length > 1 && lines.at(-1)?.every(({text}) => text.trim() === '')) lines.pop();
  return lines;
}

/** Returns the URL that a proxy's URL ends with, in hexadecimal digits. */
function proxiedUrl(src: string): string {
  const hex = /\/external_content\/[0-9a-f]+\/([0-9a-f]+)$/.exec(src)?.[1];
  return hex === undefined ? src : Buffer.from(hex, 'hex').toString();
}

/** A formula that the server cannot draw is shown from its source; only inline formulas have delimiters. */
function texError(source: string): string {
  return source.startsWith('$$') ? inlineFormula(source.slice(2, -2), false) : source;
}

function emojiCharacters(element: Element): string {
  const code = /emoji-([0-9a-f-]+)/.exec(attribute(element, 'class') ?? '')?.[1] ?? '';
  return String.fromCodePoint(...code.split('-').map((hex) => Number.parseInt(hex, 16)));
}

function isElement(node: Node): node is Element {
  return 'attrs' in node;
}

function isPreview(node: Node): boolean {
  return isElement(node) && hasClass(node, 'message_inline_image');
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((given) => given.name === name)?.value;
}

function hasClass(element: Element, name: string): boolean {
  return (attribute(element, 'class') ?? '').split(' ').includes(name);
}

function textOf(node: Node): string {
  if (node.nodeName === '#text') return 'value' in node ? node.value : '';
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function descendants(node: Node, tag: string): Element[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.flatMap((child) =>
    isElement(child) && child.tagName === tag ? [child] : descendants(child, tag),
  );
}

/** Returns the lines that the client shows for a message, at a width at which nothing is wrapped. */
export function clientLines(source: string, context: RenderContext): string[] {
  const glyphs = {...unicodeGlyphs, codeBar: ' ', open: ' ', topic: '>'};
  const emoji = {sequences: true, wideVariation: true};
  const options = {
    width: 5000,
    linkNumbers: false,
    fileMarks: false,
    expanded: true,
    zone: 'UTC',
    now: 0,
    emoji,
    glyphs,
  };
  return markedLines(renderMessage({source}, context, options));
}
