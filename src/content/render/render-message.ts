import {type LinkPreview, withFacts} from '#content/message-facts.ts';
import {maxSourceLength, parseMessage} from '#content/parse-message.ts';
import type {Line, MessageLink, Span} from '#content/styled-text/line.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {spansColumns, wrapSpans} from '#content/styled-text/wrap.ts';
import type {MessageToken} from '#content/tokens.ts';
import {pollFromCommand, pollRows, pollState, todoFromCommand, todoRows, todoState} from '#content/widgets/widgets.ts';
import {sizeText} from '#std/size-text.ts';
import {BlockWriter, Indent, lineCountText} from './block-writer.ts';
import {type Glyphs, unicodeGlyphs} from './glyphs.ts';
import {type SpanStyle, showsUrl, type WriterContext} from './inline-writer.ts';
import type {MessageSource, RenderContext, RenderOptions} from './render-options.ts';
import {wordHighlights} from './word-highlights.ts';

export interface RenderedMessage {
  readonly lines: readonly Line[];
  readonly links: readonly MessageLink[];
  /** The number of lines omitted at the end. */
  readonly hiddenLineCount: number;
  /** The number of lines at the end that say that the message is too long to be shown whole. */
  readonly cutNoteLineCount: number;
  /** Whether the lines begin with `lead`: not where the message begins with something else than a paragraph. */
  readonly hasLead: boolean;
}

/**
 * Renders a message as lines that are never wider than `options.width`. The function is pure, so callers may cache its
 * result. All text from outside is sanitized for the terminal.
 */
export function renderMessage(message: MessageSource, names: RenderContext, options: RenderOptions): RenderedMessage {
  const context = withFacts(names, message.facts);
  const widget = renderedWidget(message, context);
  const writerContext: WriterContext = {
    context,
    options,
    glyphs: options.glyphs ?? unicodeGlyphs,
    // Alert words are searched in the text of messages; a widget shows names of voters, too.
    highlights: wordHighlights(widget === undefined ? options.alertWords : [], options.matches),
  };
  const writer = new BlockWriter(writerContext);
  const width = Math.max(1, Math.floor(options.width));
  if (widget !== undefined) {
    writeWidget(writer, widget, width);
    return {...truncateLines(writer.lines, writerContext, width), links: [], cutNoteLineCount: 0, hasLead: false};
  }
  const tokens = parseMessage(message.source, context);
  const action = message.senderName === undefined ? undefined : actionTokens(tokens);
  const hasLead = message.lead !== undefined && action === undefined && tokens[0]?.type === 'paragraph';
  if (action !== undefined) writeMe(writer, message.senderName ?? '', action, width);
  else if (hasLead) writeAfter(writer, {role: 'text', text: `${sanitizeText(message.lead)} `}, tokens, width);
  else writer.writeBlocks(tokens, new Indent(width), {role: 'text'});
  const {links} = writer.inline;
  if (options.linkPreviews === true)
    addLinkPreviews(writer, message.facts?.previews ?? [], width, writerContext.glyphs);
  if (options.footLinks === true) addFootLinks(writer, links, width, writerContext);
  const {lines, hiddenLineCount} = truncateLines(writer.lines, writerContext, width);
  const cutNote = cutNoteLines(message.source, writerContext, width);
  return {
    lines: cutNote.length === 0 ? lines : [...lines, ...cutNote],
    hiddenLineCount,
    links,
    cutNoteLineCount: cutNote.length,
    hasLead,
  };
}

function cutNoteLines({length}: string, {options, glyphs}: WriterContext, width: number): readonly Line[] {
  if (length <= maxSourceLength) return [];
  const text = `${glyphs.more} cut: message of ${sizeText(length)}${options.cutHint ?? ''}`;
  return wrapSpans([{text, role: 'note'}], {width});
}

/** A poll or to-do list: a title, then a row for each option or task. */
interface RenderedWidget {
  readonly kind: 'poll' | 'todo';
  readonly rows: readonly string[];
}

/** Returns a message's widget; undefined when it has none or an unknown one, for which its text is shown. */
function renderedWidget(message: MessageSource, context: RenderContext): RenderedWidget | undefined {
  const {source, submessages = [], senderId = 0, isUnsent = false} = message;
  if (!isUnsent && submessages.length === 0) return undefined;
  const poll = isUnsent ? pollFromCommand(source) : pollState(submessages, senderId);
  if (poll !== undefined) {
    const nameOf = (id: number) => context.userById?.(id)?.fullName;
    return {kind: 'poll', rows: pollRows(poll, {selfId: context.selfId ?? -1, nameOf})};
  }
  const todo = isUnsent ? todoFromCommand(source) : todoState(submessages, senderId);
  return todo === undefined ? undefined : {kind: 'todo', rows: todoRows(todo)};
}

/** Writes a title, and rows that begin with `[2] ` or `[x] `. */
function writeWidget(writer: BlockWriter, {rows: [title = '', ...rows]}: RenderedWidget, width: number): void {
  const rest: Span[] = [{text: '    ', role: 'text'}];
  writer.addLines(wrapSpans(writer.inline.text(title, {role: 'heading', bold: true}), {width}));
  for (const row of rows) {
    const mark = /^\[.*?\] /.exec(row)?.[0] ?? '';
    const first: Span[] = [{text: sanitizeText(mark).padEnd(4), role: 'bullet'}];
    writer.addLines(wrapSpans(writer.inline.text(row.slice(mark.length), {role: 'text'}), {width, first, rest}));
  }
}

/** Returns the tokens after `/me `; undefined when a message does not start with it or does not end with a paragraph. */
function actionTokens(tokens: readonly MessageToken[]): readonly MessageToken[] | undefined {
  const [first, ...rest] = tokens;
  const [start, ...children] = first?.type === 'paragraph' ? first.children : [];
  if (start?.type !== 'text' || !start.text.startsWith('/me ') || tokens.at(-1)?.type !== 'paragraph') return undefined;
  return [{type: 'paragraph', children: [{type: 'text', text: start.text.slice(4)}, ...children]}, ...rest];
}

/** Writes `/me waves` as a sentence that starts with the sender's name. */
function writeMe(writer: BlockWriter, name: string, tokens: readonly MessageToken[], width: number): void {
  const style: SpanStyle = {role: 'text', italic: true};
  writeAfter(writer, {...style, bold: true, text: `${sanitizeText(name)} `}, tokens, width, style);
}

/** Writes the tokens, with a span before the first paragraph. */
function writeAfter(
  writer: BlockWriter,
  before: Span,
  tokens: readonly MessageToken[],
  width: number,
  style: SpanStyle = {role: 'text'},
): void {
  const indent = new Indent(width);
  const [first, ...rest] = tokens;
  const [head = [], ...tail] = first?.type === 'paragraph' ? writer.inline.lineSpans(first.children, style) : [];
  writer.writeParagraph([[before, ...head], ...tail], indent);
  writer.writeBlocks(rest, indent, style);
}

/** Further URLs are omitted, because a linkifier's URLs can be much longer than the message. The list of links has all. */
const maxFootLinks = 100;

/** Adds a line with the URL of each link whose text does not show it. */
function addFootLinks(
  writer: BlockWriter,
  links: readonly MessageLink[],
  width: number,
  {options: {footLinkBase}, glyphs: {more}}: WriterContext,
): void {
  let added = 0;
  links.forEach(({text, url: target}, link) => {
    // URLs without a scheme lead into the organization.
    const isInside = !/^[a-z][a-z0-9+.-]*:/i.test(target);
    if (showsUrl({text, url: target}) || (isInside && footLinkBase === undefined)) return;
    const url = isInside ? (URL.parse(target, footLinkBase)?.href ?? target) : target;
    if (++added > maxFootLinks) return;
    const number: Span = {text: `[${link + 1}] `, role: 'link_number', link};
    const space: Span = {text: ' '.repeat(number.text.length), role: 'link_number'};
    writer.addLines(
      wrapSpans([{text: sanitizeText(url), role: 'link', link}], {width, first: [number], rest: [space]}),
    );
  });
  if (added > maxFootLinks)
    writer.addLines(wrapSpans([{text: `${more} ${added - maxFootLinks} more links`, role: 'note'}], {width}));
}

const maxLinkPreviews = 3;

/** Adds the title and the start of the description of linked pages, one line each. */
function addLinkPreviews(
  writer: BlockWriter,
  previews: readonly LinkPreview[],
  width: number,
  {quoteBar, more}: Glyphs,
): void {
  const bar: Span[] = [{text: `${quoteBar} `, role: 'quote_bar'}];
  const write = (text: string, role: Span['role']) => {
    const room = Math.max(1, width - spansColumns(bar));
    const shown = truncateToColumns(sanitizeText(text.replaceAll(/\s+/g, ' ').trim()), room, more);
    if (shown !== '') writer.addLines(wrapSpans([{text: shown, role}], {width, first: bar, rest: bar}));
  };
  for (const {title, description = ''} of previews.slice(0, maxLinkPreviews)) {
    write(title, 'text');
    write(description, 'note');
  }
}

function truncateLines(
  lines: readonly Line[],
  {options, glyphs}: WriterContext,
  width: number,
): {lines: readonly Line[]; hiddenLineCount: number} {
  const {maxLines, expanded} = options;
  if (maxLines === undefined || expanded === true || lines.length <= Math.max(1, maxLines))
    return {lines, hiddenLineCount: 0};
  const shown = lines.slice(0, Math.max(0, maxLines - 1));
  const hiddenLineCount = lines.length - shown.length;
  const [note] = wrapSpans([{text: `${glyphs.more} ${lineCountText(hiddenLineCount)}`, role: 'note'}], {
    width,
  });
  return {lines: note === undefined ? shown : [...shown, note], hiddenLineCount};
}
