import {emojiImageUrl, emojiText} from '#content/emoji-text.ts';
import {type FileChip, fileChipName, fileChipText, imageDetail, isUpload, uploadPath} from '#content/file-chip.ts';
import {groupTitle} from '#content/group-title.ts';
import {decodeEntities} from '#content/html-entities.ts';
import {inlineFormula} from '#content/math/formula-text.ts';
import type {ImageFacts} from '#content/message-facts.ts';
import {channelSlug, encodeNarrowOperand} from '#content/narrow-link.ts';
import {emojiCells, type MessageLink, type Span, type TextRole} from '#content/styled-text/line.ts';
import {sanitizeText, sanitizeUrl} from '#content/styled-text/sanitize-text.ts';
import {timeText} from '#content/time-text.ts';
import type {
  ChannelLinkToken,
  CodeSpanToken,
  EmojiToken,
  GroupMentionToken,
  InlineToken,
  LinkToken,
  MathToken,
  TimeToken,
  UserMentionToken,
  WildcardMentionToken,
} from '#content/tokens.ts';
import type {Glyphs} from './glyphs.ts';
import type {RenderContext, RenderOptions} from './render-options.ts';
import {highlightWords, type WordHighlight} from './word-highlights.ts';

export function showsUrl({text, url}: MessageLink): boolean {
  return text === url || url.endsWith(`://${text}`);
}

/** The style of a span: everything but its text. */
export type SpanStyle = Omit<Span, 'text'>;

export interface WriterContext {
  readonly context: RenderContext;
  readonly options: RenderOptions;
  readonly glyphs: Glyphs;
  readonly highlights: readonly WordHighlight[];
}

/**
 * Writes inline tokens as spans. Every text from outside passes `#push`, which sanitizes it. Links are numbered in order;
 * two links with the same URL get different numbers, because the user sees two links.
 */
export class InlineWriter {
  readonly links: MessageLink[] = [];
  readonly #writerContext: WriterContext;
  readonly #shownEmoji = new Map<string, string>();
  #lines: Span[][] = [[]];

  constructor(writerContext: WriterContext) {
    this.#writerContext = writerContext;
  }

  /** Returns one list of spans for each line of the source. */
  lineSpans(tokens: readonly InlineToken[], style: SpanStyle): Span[][] {
    this.#lines = [[]];
    this.#writeAll(tokens, style);
    return this.#lines;
  }

  /** Returns the spans with line breaks replaced by spaces. */
  singleLineSpans(tokens: readonly InlineToken[], style: SpanStyle): Span[] {
    const token = tokens[0];
    if (token === undefined) return [];
    // Most cells of a table are plain text.
    if (token.type === 'text' && tokens.length === 1 && this.#writerContext.highlights.length === 0) {
      const text = sanitizeText(token.text);
      return text === '' ? [] : [{...style, text}];
    }
    return this.lineSpans(tokens, style).flatMap((spans, at) => (at === 0 ? spans : [{...style, text: ' '}, ...spans]));
  }

  /** Returns the spans of a text that is not a token, such as a name. */
  text(text: string, style: SpanStyle): Span[] {
    this.#lines = [[]];
    this.#push(text, style);
    return this.#lines[0] ?? [];
  }

  #writeAll(tokens: readonly InlineToken[], style: SpanStyle): void {
    for (const token of tokens) this.#write(token, style);
  }

  #write(token: InlineToken, style: SpanStyle): void {
    switch (token.type) {
      case 'text':
      case 'entity':
        this.#push(token.text, style);
        break;
      case 'line_break':
        this.#lines.push([]);
        break;
      case 'strong':
        this.#writeAll(token.children, {...style, bold: true});
        break;
      case 'emphasis':
        this.#writeAll(token.children, {...style, italic: true});
        break;
      case 'strike':
        this.#writeAll(token.children, {...style, strike: true});
        break;
      case 'link':
        this.#link(token, style);
        break;
      case 'channel_link':
        this.#channelLink(token, style);
        break;
      case 'image':
      case 'audio':
        this.#chip({kind: token.type, name: token.alt, href: token.href}, style);
        break;
      case 'user_mention':
      case 'wildcard_mention':
      case 'group_mention':
        this.#mention(token, style);
        break;
      case 'emoji':
        this.#add({...style, role: 'emoji', ...(this.#emojiImage(token, style) ?? {text: this.#emoji(token)})});
        break;
      default:
        this.#push(this.#symbol(token), {...style, role: token.type === 'code_span' ? 'code' : token.type});
    }
  }

  /** Returns the text of a code span, a formula or a time. */
  #symbol(token: CodeSpanToken | MathToken | TimeToken): string {
    const {glyphs, options} = this.#writerContext;
    switch (token.type) {
      case 'code_span':
        return token.text;
      case 'math':
        return inlineFormula(token.tex, glyphs.isAscii);
      case 'time':
        return timeText(token.datetime, {
          zone: options.zone,
          hour12: options.hour12 ?? false,
          dateOrder: options.dateOrder,
          now: options.now ?? Number.NaN,
        });
    }
  }

  /** Returns the cells of an emoji that is shown as an image. The text of a link is also used without them, so it has names. */
  #emojiImage(token: EmojiToken, {link}: SpanStyle): Pick<Span, 'text' | 'image'> | undefined {
    const href = link === undefined ? emojiImageUrl(token) : undefined;
    if (!href || this.#writerContext.options.emojiImages?.(href) !== true) return undefined;
    return {text: emojiCells, image: {href, columns: 2, rows: 1, row: 0, room: 2, isEmoji: true}};
  }

  /** Returns an emoji's text, cached because some messages repeat one emoji a hundred times. */
  #emoji(token: EmojiToken): string {
    const key = token.kind === 'unicode' ? token.code : `:${token.name}`;
    let text = this.#shownEmoji.get(key);
    if (text === undefined) {
      const {glyphs, options} = this.#writerContext;
      text = sanitizeText(emojiText(token, {ascii: glyphs.isAscii, ...options.emoji}));
      this.#shownEmoji.set(key, text);
    }
    return text;
  }

  #push(text: string, style: SpanStyle): void {
    const safe = sanitizeText(text);
    const {highlights} = this.#writerContext;
    if (!highlights.some(({roles}) => roles.has(style.role))) this.#add({...style, text: safe});
    else for (const span of highlightWords({...style, text: safe}, highlights)) this.#add(span);
  }

  /** Adds a span, or extends the last one if it has the same style: a row of emoji is one span. */
  #add(span: Span): void {
    const line = this.#lines.at(-1);
    const last = line?.at(-1);
    if (line === undefined || span.text === '') return;
    if (last !== undefined && hasSameStyle(last, span)) line[line.length - 1] = {...last, text: last.text + span.text};
    else line.push(span);
  }

  #mention(token: UserMentionToken | WildcardMentionToken | GroupMentionToken, style: SpanStyle): void {
    const {context} = this.#writerContext;
    let {name} = token;
    let isSelf = token.type === 'wildcard_mention';
    if (token.type === 'user_mention') {
      isSelf = token.userId === context.selfId;
    } else if (token.type === 'group_mention') {
      name = groupTitle(name);
      isSelf = context.isInGroup?.(token.groupId) === true;
    }
    const role: TextRole = token.silent ? 'silent_mention' : isSelf ? 'self_mention' : 'mention';
    this.#push(token.silent ? name : `@${name}`, {...style, role});
  }

  /** Writes a link. A named link to an uploaded file becomes a chip, unless these are off; a bare URL is shown as it is. */
  #link({href, bare, children}: LinkToken, style: SpanStyle): void {
    const hasChip = !bare && isUpload(href) && this.#writerContext.options.fileMarks !== false;
    if (hasChip) this.#chip({name: this.#plain(children), href}, style);
    else this.#numbered(href, style, (link) => this.#writeAll(children, {...style, role: 'link', link}));
  }

  /** Writes a file chip. In the list of links only its name is shown, without brackets. */
  #chip(chip: FileChip, style: SpanStyle): void {
    const {options} = this.#writerContext;
    const text = options.fileMarks === false ? fileChipName(chip) : fileChipText({...chip, ...this.#knownImage(chip)});
    const count = this.links.length;
    const preview = style.role === 'quote' ? undefined : this.#preview(chip);
    this.#numbered(chip.href, style, (link) => this.#push(text, {...style, role: 'chip', link, ...preview}));
    const added = this.links[count];
    const name = sanitizeText(chip.name).trim();
    if (added !== undefined && name !== '') this.links[count] = {...added, text: name};
  }

  /** Returns what makes a span show its image below. The size must be known: nothing may move when the image arrives. */
  #preview({href}: FileChip): Pick<Span, 'preview'> | undefined {
    const path = uploadPath(href);
    const facts = this.#writerContext.options.imageBox === undefined ? undefined : this.#imageFacts(href);
    return path === undefined || facts === undefined
      ? undefined
      : {preview: {href: path, width: facts.width, height: facts.height}};
  }

  #imageFacts(href: string): ImageFacts | undefined {
    const path = uploadPath(href);
    return path === undefined ? undefined : this.#writerContext.context.imageFacts?.(path);
  }

  #knownImage(chip: FileChip): Pick<FileChip, 'kind' | 'detail'> | undefined {
    const {glyphs} = this.#writerContext;
    const facts = this.#imageFacts(chip.href);
    return facts && {kind: 'image', detail: imageDetail(facts, fileChipName(chip), glyphs.isAscii ? 'x' : '×')};
  }

  #channelLink(token: ChannelLinkToken, style: SpanStyle): void {
    const {context, glyphs} = this.#writerContext;
    let url = `/#narrow/channel/${channelSlug(token.channelId, token.channel)}`;
    if (token.topic !== undefined) url += `/topic/${encodeNarrowOperand(token.topic)}`;
    const anchor = token.topic === undefined ? undefined : context.topicAnchor?.(token.channelId, token.topic);
    if (token.messageId !== undefined) url += `/near/${token.messageId}`;
    else if (anchor !== undefined) url += `/with/${anchor}`;
    this.#numbered(url, style, (link) => {
      const linkStyle: SpanStyle = {...style, role: 'channel_link', link};
      if (token.topic === undefined) {
        this.#push(`#${token.channel}`, linkStyle);
        return;
      }
      this.#push(`#${token.channel} ${glyphs.topic} `, linkStyle);
      const topicStyle: SpanStyle = token.topic === '' ? {...linkStyle, italic: true} : linkStyle;
      if (token.shownTopic === undefined) this.#push(token.topic, linkStyle);
      else this.#writeAll(token.shownTopic, topicStyle);
      if (token.messageId !== undefined) this.#push(` @ ${glyphs.message}`, linkStyle);
    });
  }

  /** Numbers a link whose text `write` adds. A link inside a link is part of the outer one. */
  #numbered(href: string, style: SpanStyle, write: (link: number) => void): void {
    if (style.link !== undefined) {
      write(style.link);
      return;
    }
    const url = sanitizeUrl(decodeEntities(href));
    const number = this.links.push({text: '', url}) - 1;
    const line = this.#lines.length - 1;
    const from = this.#lines[line]?.length ?? 0;
    write(number);
    let text = this.#textSince(line, from);
    if (text.trim() === '') {
      // None of its text is visible, so its URL is shown.
      text = sanitizeText(href);
      this.#push(text, {...style, role: 'link', link: number});
    }
    this.links[number] = {text, url};
    const {linkNumbers} = this.#writerContext.options;
    if (linkNumbers !== false && (linkNumbers !== 'unshown' || !showsUrl({text, url})))
      this.#lines.at(-1)?.push({text: ` [${number + 1}]`, role: 'link_number', link: number});
  }

  #textSince(line: number, from: number): string {
    let text = '';
    for (let y = line; y < this.#lines.length; y++) {
      const spans = this.#lines[y] ?? [];
      if (y > line) text += ' ';
      for (let i = y === line ? from : 0; i < spans.length; i++) text += spans[i]?.text ?? '';
    }
    return text;
  }

  #plain(tokens: readonly InlineToken[]): string {
    const outer = this.#lines;
    const text = this.singleLineSpans(tokens, {role: 'text', link: 0})
      .map((span) => span.text)
      .join('');
    this.#lines = outer;
    return text;
  }
}

function hasSameStyle(a: Span, b: Span): boolean {
  if (a.image !== undefined || b.image !== undefined) return false;
  return a.role === b.role && a.link === b.link && a.bold === b.bold && a.italic === b.italic && a.strike === b.strike;
}
