import {emojiText} from '#content/emoji-text.ts';
import {type FileChip, fileChipName, fileChipText, isUpload} from '#content/file-chip.ts';
import {groupTitle} from '#content/group-title.ts';
import {inlineFormula} from '#content/math/formula-text.ts';
import {channelSlug, encodeNarrowOperand} from '#content/narrow-link.ts';
import type {MessageLink, Span, TextRole} from '#content/styled-text/line.ts';
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

/** Everything about a span but its text. */
export type SpanStyle = Omit<Span, 'text'>;

export interface WriterContext {
  readonly context: RenderContext;
  readonly options: RenderOptions;
  readonly glyphs: Glyphs;
  readonly overlays: readonly WordHighlight[];
}

/**
 * Inline tokens → spans. Every text from outside passes `#push`, where it is made safe. Links are numbered as they are
 * met; each has its own number even if the address is the same, because the words differ and a reader counts words.
 */
export class InlineWriter {
  readonly links: MessageLink[] = [];
  readonly #parts: WriterContext;
  readonly #shownEmoji = new Map<string, string>();
  #lines: Span[][] = [[]];

  constructor(parts: WriterContext) {
    this.#parts = parts;
  }

  /** One list of spans for each line as it was typed. */
  lineSpans(tokens: readonly InlineToken[], style: SpanStyle): Span[][] {
    this.#lines = [[]];
    this.#all(tokens, style);
    return this.#lines;
  }

  /** The same without line breaks. */
  singleLineSpans(tokens: readonly InlineToken[], style: SpanStyle): Span[] {
    const [first = [], ...others] = this.lineSpans(tokens, style);
    for (const spans of others) first.push({...style, text: ' '}, ...spans);
    return first;
  }

  /** Text that is no token, such as a name. */
  text(text: string, style: SpanStyle): Span[] {
    this.#lines = [[]];
    this.#push(text, style);
    return this.#lines[0] ?? [];
  }

  #all(tokens: readonly InlineToken[], style: SpanStyle): void {
    for (const token of tokens) this.#one(token, style);
  }

  #one(token: InlineToken, style: SpanStyle): void {
    switch (token.type) {
      case 'text':
      case 'entity':
        this.#push(token.text, style);
        break;
      case 'line_break':
        this.#lines.push([]);
        break;
      case 'strong':
        this.#all(token.children, {...style, bold: true});
        break;
      case 'emphasis':
        this.#all(token.children, {...style, italic: true});
        break;
      case 'strike':
        this.#all(token.children, {...style, strike: true});
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
        this.#add({...style, role: 'emoji', text: this.#emoji(token)});
        break;
      default:
        this.#push(this.#symbol(token), {...style, role: token.type === 'code_span' ? 'code' : token.type});
    }
  }

  /** What is shown otherwise than it was typed, or not looked into. */
  #symbol(token: CodeSpanToken | MathToken | TimeToken): string {
    const {glyphs, options} = this.#parts;
    switch (token.type) {
      case 'code_span':
        return token.text;
      case 'math':
        return inlineFormula(token.tex, glyphs.isAscii);
      case 'time':
        return timeText(token.datetime, {
          zone: options.zone,
          hour12: options.hour12 ?? false,
          now: options.now ?? Number.NaN,
        });
    }
  }

  /** Some messages are a hundred times the same one. */
  #emoji(token: EmojiToken): string {
    const key = token.kind === 'unicode' ? token.code : `:${token.name}`;
    let text = this.#shownEmoji.get(key);
    if (text === undefined) {
      const {glyphs, options} = this.#parts;
      text = sanitizeText(emojiText(token, {ascii: glyphs.isAscii, ...options.emoji}));
      this.#shownEmoji.set(key, text);
    }
    return text;
  }

  #push(text: string, style: SpanStyle): void {
    const shown = sanitizeText(text);
    const {overlays} = this.#parts;
    if (!overlays.some(({roles: on}) => on.has(style.role))) this.#add({...style, text: shown});
    else for (const span of highlightWords({...style, text: shown}, overlays)) this.#add(span);
  }

  /** What looks the same stays together: a row of emoji is one span. */
  #add(span: Span): void {
    const line = this.#lines.at(-1);
    const last = line?.at(-1);
    if (line === undefined || span.text === '') return;
    if (last !== undefined && looksLike(last, span))
      line[line.length - 1] = {...last, text: last.text + span.text};
    else line.push(span);
  }

  #mention(token: UserMentionToken | WildcardMentionToken | GroupMentionToken, style: SpanStyle): void {
    const {context} = this.#parts;
    let {name} = token;
    let isMine = token.type === 'wildcard_mention';
    if (token.type === 'user_mention') {
      name = context.userById?.(token.userId)?.fullName ?? name;
      isMine = token.userId === context.selfId;
    } else if (token.type === 'group_mention') {
      name = groupTitle(context.groupName?.(token.groupId) ?? name);
      isMine = context.isInGroup?.(token.groupId) === true;
    }
    const role: TextRole = token.silent ? 'silent_mention' : isMine ? 'self_mention' : 'mention';
    this.#push(token.silent ? name : `@${name}`, {...style, role});
  }

  /** A file is shown as one where it was given a name; an address that was typed stays what it is. */
  #link({href, bare, children}: LinkToken, style: SpanStyle): void {
    if (!bare && isUpload(href)) this.#chip({name: this.#plain(children), href}, style);
    else this.#numbered(href, style, (link) => this.#all(children, {...style, role: 'link', link}));
  }

  /** The brackets say what it is; in a list of links its name is enough. */
  #chip(chip: FileChip, style: SpanStyle): void {
    const text = this.#parts.options.fileMarks === false ? fileChipName(chip) : fileChipText(chip);
    const count = this.links.length;
    this.#numbered(chip.href, style, (link) => this.#push(text, {...style, role: 'chip', link}));
    const added = this.links[count];
    const name = sanitizeText(chip.name).trim();
    if (added !== undefined && name !== '') this.links[count] = {...added, text: name};
  }

  #channelLink(token: ChannelLinkToken, style: SpanStyle): void {
    const {context, glyphs} = this.#parts;
    const channel = context.channelName?.(token.channelId) ?? token.channel;
    let url = `/#narrow/channel/${channelSlug(token.channelId, token.channel)}`;
    if (token.topic !== undefined) url += `/topic/${encodeNarrowOperand(token.topic)}`;
    if (token.messageId !== undefined) url += `/near/${token.messageId}`;
    this.#numbered(url, style, (link) => {
      const linkStyle: SpanStyle = {...style, role: 'channel_link', link};
      if (token.topic === undefined) {
        this.#push(`#${channel}`, linkStyle);
        return;
      }
      this.#push(`#${channel} ${glyphs.topic} `, linkStyle);
      if (token.topic === '')
        this.#push(context.emptyTopicName ?? 'general chat', {...linkStyle, italic: true});
      else this.#push(token.topic, linkStyle);
      if (token.messageId !== undefined) this.#push(` @ ${glyphs.message}`, linkStyle);
    });
  }

  /** What `write` shows is the link's text. A link inside a link is part of the outer one. */
  #numbered(href: string, style: SpanStyle, write: (link: number) => void): void {
    if (style.link !== undefined) {
      write(style.link);
      return;
    }
    const url = sanitizeUrl(href);
    const number = this.links.push({text: '', url}) - 1;
    const line = this.#lines.length - 1;
    const from = this.#lines[line]?.length ?? 0;
    write(number);
    let text = this.#textSince(line, from);
    if (text.trim() === '') {
      // Nothing of its text can be seen, so its address is its text.
      text = sanitizeText(href);
      this.#push(text, {...style, role: 'link', link: number});
    }
    this.links[number] = {text, url};
    if (this.#parts.options.linkNumbers !== false)
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

function looksLike(a: Span, b: Span): boolean {
  return (
    a.role === b.role &&
    a.link === b.link &&
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.strike === b.strike
  );
}
