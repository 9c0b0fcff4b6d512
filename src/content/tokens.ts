/**
 * The parsed content of a message, as plain data. Block tokens contain inline tokens; nothing here depends on HTML or
 * terminals. Names of users, groups and channels are resolved: an unknown name never becomes a mention token.
 */

export type InlineToken =
  | {type: 'text'; text: string}
  /** A character reference such as `&copy;`; `text` is the character if it is known, else the source. */
  | {type: 'entity'; raw: string; text: string}
  | {type: 'line_break'}
  | StyledToken
  | CodeSpanToken
  | MathToken
  | LinkToken
  | UserMentionToken
  | WildcardMentionToken
  | GroupMentionToken
  | ChannelLinkToken
  | TimeToken
  | EmojiToken
  | {type: 'image' | 'audio'; alt: string; href: string};

export type StyledToken = {type: 'strong' | 'emphasis' | 'strike'; children: InlineToken[]};
export type CodeSpanToken = {type: 'code_span'; text: string};
export type MathToken = {type: 'math'; tex: string};
/** A link. `bare` is true for a URL typed without Markdown, and for linkifier matches. */
export type LinkToken = {
  type: 'link';
  href: string;
  title: string | undefined;
  bare: boolean;
  children: InlineToken[];
};
export type UserMentionToken = {type: 'user_mention'; userId: number; name: string; silent: boolean};
export type WildcardMentionToken = {
  type: 'wildcard_mention';
  scope: 'channel' | 'topic';
  name: string;
  silent: boolean;
};
export type GroupMentionToken = {type: 'group_mention'; groupId: number; name: string; silent: boolean};
/**
 * A link to a channel, topic or message. `topic` may be empty: the channel's general chat. `shownTopic` is how an empty
 * topic, or one with code or a formula in its name, is shown.
 */
export type ChannelLinkToken = {
  type: 'channel_link';
  channelId: number;
  channel: string;
  topic: string | undefined;
  messageId: number | undefined;
  shownTopic?: InlineToken[];
};
/** A time. `datetime` is in UTC, ISO 8601; `text` is the source. */
export type TimeToken = {type: 'time'; datetime: string; text: string};
export type EmojiToken =
  | {type: 'emoji'; kind: 'unicode'; name: string; code: string}
  | {type: 'emoji'; kind: 'custom'; name: string; id: string; sourceUrl: string}
  | {type: 'emoji'; kind: 'extra'; name: string};

export type MessageToken =
  | ParagraphToken
  /** Text directly inside a list item, without a paragraph around it. */
  | {type: 'tight_text'; children: InlineToken[]}
  | {type: 'heading'; level: number; children: InlineToken[]}
  | {type: 'rule'}
  | CodeBlockToken
  | MathBlockToken
  | {type: 'quote'; children: MessageToken[]}
  | SpoilerToken
  | ListToken
  | TableToken;

export type ParagraphToken = {type: 'paragraph'; children: InlineToken[]};
/**
 * A code block. `language` is as typed, in lower case; undefined when there is none. `text` has no final newline.
 * `isIndented` and `endsQuote` (a fenced block or spoiler at the end of a quote) change nothing but details of the server's HTML.
 */
export type CodeBlockToken = {
  type: 'code_block';
  language: string | undefined;
  text: string;
  isIndented?: true;
  endsQuote?: true;
};
export type MathBlockToken = {type: 'math_block'; tex: string; endsQuote?: true};
export type SpoilerToken = {type: 'spoiler'; header: MessageToken[]; children: MessageToken[]; endsQuote?: true};
export type ListItem = {children: MessageToken[]};
export type ListToken = {type: 'list'; ordered: boolean; start: number; items: ListItem[]};
export type Alignment = 'left' | 'center' | 'right' | undefined;
export type TableToken = {
  type: 'table';
  align: Alignment[];
  header: InlineToken[][];
  rows: InlineToken[][][];
};
