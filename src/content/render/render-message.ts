import {parseMessage} from '#content/parse-message.ts';
import type {Line, MessageLink, Span} from '#content/styled-text/line.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {MessageToken} from '#content/tokens.ts';
import {pollRows, pollState} from '#content/widgets/poll.ts';
import {todoRows, todoState} from '#content/widgets/todo.ts';
import {BlockWriter, lineCountText} from './block-writer.ts';
import {type Glyphs, unicodeGlyphs} from './glyphs.ts';
import {Indent} from './indent.ts';
import type {SpanStyle, WriterContext} from './inline-writer.ts';
import type {MessageSource, RenderContext, RenderOptions} from './render-options.ts';
import {wordHighlights} from './word-highlights.ts';

export interface RenderedMessage {
  readonly lines: readonly Line[];
  readonly links: readonly MessageLink[];
  /** How many lines were left out at the end. */
  readonly hiddenLineCount: number;
}

/**
 * A message as lines that are never wider than asked for. Pure: the same arguments give the same lines, so that the
 * caller may keep them. No text from outside leaves without having been made safe for a terminal.
 */
export function renderMessage(
  message: MessageSource,
  context: RenderContext,
  options: RenderOptions,
): RenderedMessage {
  const parts: WriterContext = {
    context,
    options,
    glyphs: options.glyphs ?? unicodeGlyphs,
    overlays: wordHighlights(options.alertWords, options.matches),
  };
  const writer = new BlockWriter(parts);
  const width = Math.max(1, Math.floor(options.width));
  const widget = renderedWidget(message, context);
  if (widget !== undefined) {
    writeWidget(writer, widget, width);
    return {...cut(writer.lines, parts, width), links: []};
  }
  const isMe = message.source.startsWith('/me ') && message.senderName !== undefined;
  const tokens = parseMessage(isMe ? message.source.slice(4) : message.source, context);
  if (isMe) writeMe(writer, message.senderName ?? '', tokens, width);
  else writer.writeBlocks(tokens, new Indent(width), {role: 'text'});
  const {links} = writer.inline;
  if (options.footLinks === true) addFootLinks(writer, links, width, parts.glyphs);
  return {...cut(writer.lines, parts, width), links};
}

/** What the attachments of a message make of it: a title and a row for each option or task. */
interface RenderedWidget {
  readonly kind: 'poll' | 'todo';
  readonly rows: readonly string[];
}

/** Undefined when it is an ordinary message, or of a kind that nobody here knows: then its text is shown. */
function renderedWidget(message: MessageSource, context: RenderContext): RenderedWidget | undefined {
  const {submessages, senderId} = message;
  if (submessages === undefined || submessages.length === 0 || senderId === undefined) return undefined;
  const poll = pollState(submessages, senderId);
  if (poll !== undefined) {
    const nameOf = (id: number) => context.userById?.(id)?.fullName;
    return {kind: 'poll', rows: pollRows(poll, {selfId: context.selfId ?? -1, nameOf})};
  }
  const todo = todoState(submessages, senderId);
  return todo === undefined ? undefined : {kind: 'todo', rows: todoRows(todo)};
}

/** A title, and rows that begin with `[2] ` or `[x] `. */
function writeWidget(
  writer: BlockWriter,
  {rows: [title = '', ...rows]}: RenderedWidget,
  width: number,
): void {
  const rest: Span[] = [{text: '    ', role: 'text'}];
  writer.lines.push(...wrapSpans(writer.inline.text(title, {role: 'heading', bold: true}), {width}));
  for (const row of rows) {
    const mark = /^\[.*?\] /.exec(row)?.[0] ?? '';
    const first: Span[] = [{text: sanitizeText(mark).padEnd(4), role: 'bullet'}];
    writer.lines.push(
      ...wrapSpans(writer.inline.text(row.slice(mark.length), {role: 'text'}), {width, first, rest}),
    );
  }
}

/** `/me waves` reads as a sentence about its writer. */
function writeMe(writer: BlockWriter, name: string, tokens: readonly MessageToken[], width: number): void {
  const style: SpanStyle = {role: 'text', italic: true};
  const indent = new Indent(width);
  const [first, ...rest] = tokens;
  const isText = first?.type === 'paragraph';
  const [head = [], ...tail] = isText ? writer.inline.lineSpans(first.children, style) : [];
  const spans: Span[] = [{...style, bold: true, text: `${sanitizeText(name)} `}, ...head];
  writer.writeParagraph([spans, ...tail], indent);
  writer.writeBlocks(isText ? rest : tokens, indent, style);
}

/** Addresses may be many times as long as what was typed for them; the others are in the list of links all the same. */
const mostFootLinks = 100;

/** Where a link's words do not tell where it leads, a line below does. */
function addFootLinks(
  writer: BlockWriter,
  links: readonly MessageLink[],
  width: number,
  {more}: Glyphs,
): void {
  let added = 0;
  links.forEach(({text, url}, link) => {
    // Those without a scheme lead into the organization.
    if (!/^[a-z][a-z0-9+.-]*:/i.test(url) || text === url || url.endsWith(`://${text}`)) return;
    if (++added > mostFootLinks) return;
    const number: Span = {text: `[${link + 1}] `, role: 'link_number', link};
    const space: Span = {text: ' '.repeat(number.text.length), role: 'link_number'};
    writer.lines.push(
      ...wrapSpans([{text: sanitizeText(url), role: 'link', link}], {width, first: [number], rest: [space]}),
    );
  });
  if (added > mostFootLinks)
    writer.lines.push(
      ...wrapSpans([{text: `${more} ${added - mostFootLinks} more links`, role: 'note'}], {width}),
    );
}

function cut(
  lines: readonly Line[],
  {options, glyphs}: WriterContext,
  width: number,
): {lines: readonly Line[]; hiddenLineCount: number} {
  const {maxLines, expanded} = options;
  if (maxLines === undefined || expanded === true || lines.length <= Math.max(1, maxLines))
    return {lines, hiddenLineCount: 0};
  const kept = lines.slice(0, Math.max(0, maxLines - 1));
  const hiddenLineCount = lines.length - kept.length;
  const [note] = wrapSpans([{text: `${glyphs.more} ${lineCountText(hiddenLineCount)}`, role: 'note'}], {
    width,
  });
  return {lines: note === undefined ? kept : [...kept, note], hiddenLineCount};
}
