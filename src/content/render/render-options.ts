import type {EmojiOptions} from '#content/emoji-text.ts';
import type {MessageFacts} from '#content/message-facts.ts';
import type {ParseContext} from '#content/parse-context.ts';
import type {ImageBox, ImageSource, Span} from '#content/styled-text/line.ts';
import type {WidgetSubmessage} from '#content/widgets/widgets.ts';
import type {SearchWord} from '#content/word-finder.ts';
import type {LocaleFormat} from '#std/locale-format.ts';
import type {Glyphs} from './glyphs.ts';

/** The parts of a message that its rendering depends on. */
export interface MessageSource {
  readonly source: string;
  /** The sender: needed for `/me`, and to check who may change a widget. */
  readonly senderName?: string;
  readonly senderId?: number;
  /** The submessages of a poll or to-do list. */
  readonly submessages?: readonly WidgetSubmessage[];
  /** Whether the message is not sent yet: then `/poll` and `/todo` are shown as the widgets they will become. */
  readonly isUnsent?: boolean;
  readonly facts?: MessageFacts | undefined;
  /** A text before the first paragraph, in the same line. */
  readonly lead?: string | undefined;
}

/** The organization's data for rendering: current names, and which mentions address the user. */
export interface RenderContext extends ParseContext {
  readonly selfId?: number;
  readonly isInGroup?: (groupId: number) => boolean;
}

export interface RenderOptions {
  readonly width: number;
  readonly glyphs?: Glyphs;
  /** The terminal's emoji capabilities. */
  readonly emoji?: Omit<EmojiOptions, 'ascii'>;
  /** Opens spoilers and omits no lines. */
  readonly expanded?: boolean;
  /** A longer message is cut, with a note about the number of hidden lines. */
  readonly maxLines?: number;
  /** The limit for each code block. */
  readonly maxCodeLines?: number;
  /** Follows the note about a message that is too long to be shown whole: how to see all of it. */
  readonly cutHint?: string;
  /** Whether `[1]` follows each link; on by default. `unshown`: only links whose text does not show the URL. */
  readonly linkNumbers?: boolean | 'unshown';
  /** Whether `[file: …]` surrounds the names of files; on by default. */
  readonly fileMarks?: boolean;
  /** Whether the URLs that the text does not show are listed below the message. Those inside the organization are not. */
  readonly footLinks?: boolean;
  /** The organization's URL: `footLinks` then lists those inside it too. */
  readonly footLinkBase?: string;
  /** Returns the cells for an image below the line that names it; undefined where no image is shown. Not called in quotes. */
  readonly imageBox?: ((image: ImageSource, columns: number) => ImageBox | undefined) | undefined;
  /** Whether the custom emoji with this image is shown as one, in two columns; else, and in the text of links, it is `:name:`. */
  readonly emojiImages?: ((href: string) => boolean) | undefined;
  /** Whether previews of linked pages follow the message. */
  readonly linkPreviews?: boolean;
  readonly alertWords?: readonly string[];
  /** The search words to highlight. */
  readonly matches?: readonly SearchWord[];
  /** The user's time zone, for `<time:…>`. */
  readonly zone?: string | undefined;
  readonly hour12?: boolean;
  readonly dateOrder?: LocaleFormat['dateOrder'] | undefined;
  readonly now?: number;
  /** Returns highlighted code, one list of spans for each line; undefined when it is not ready, and plain code is shown. */
  readonly highlight?: (language: string, code: string) => readonly (readonly Span[])[] | undefined;
}
