import type {EmojiOptions} from '#content/emoji-text.ts';
import type {ParseContext} from '#content/parse-context.ts';
import type {Span} from '#content/styled-text/line.ts';
import type {WidgetSubmessage} from '#content/widgets/widget-submessages.ts';
import type {SearchWord} from '#content/word-finder.ts';
import type {Glyphs} from './glyphs.ts';

/** A message as far as its lines depend on it. */
export interface MessageSource {
  readonly source: string;
  /** Who wrote it: needed for `/me`, and for whose submessages count. */
  readonly senderName?: string;
  readonly senderId?: number;
  /** Polls and to-do lists. */
  readonly submessages?: readonly WidgetSubmessage[];
}

/** What the reader knows: names resolve to those of today, and what means the reader is marked. */
export interface RenderContext extends ParseContext {
  readonly selfId?: number;
  readonly isInGroup?: (groupId: number) => boolean;
  /** Channels are renamed; links keep their id. */
  readonly channelName?: (id: number) => string | undefined;
  readonly groupName?: (id: number) => string | undefined;
  /** How the topic without a name is called. */
  readonly emptyTopicName?: string;
}

export interface RenderOptions {
  readonly width: number;
  readonly glyphs?: Glyphs;
  /** What the terminal can do with emoji. */
  readonly emoji?: Omit<EmojiOptions, 'ascii'>;
  /** Spoilers are open and nothing is left out. */
  readonly expanded?: boolean;
  /** A longer message is cut and says by how much. */
  readonly maxLines?: number;
  /** The same for each block of code. */
  readonly maxCodeLines?: number;
  /** `[1]` behind each link. On unless said otherwise. */
  readonly linkNumbers?: boolean;
  /** `[file: …]` around the names of files. On unless said otherwise. */
  readonly fileMarks?: boolean;
  /** Below the message, the addresses that its text does not show. */
  readonly footLinks?: boolean;
  readonly alertWords?: readonly string[];
  /** What was searched for. */
  readonly matches?: readonly SearchWord[];
  /** Of the reader, for `<time:…>`. */
  readonly zone?: string | undefined;
  readonly hour12?: boolean;
  readonly now?: number;
  /** Highlighted code that is ready: one list of spans for each line. Undefined paints it plain. */
  readonly highlight?: (language: string, code: string) => readonly (readonly Span[])[] | undefined;
}
