import {objectBytes} from '#std/lru-cache.ts';

/** The role of a span; a theme defines the style of each role. */
export type TextRole =
  | 'text'
  | 'heading'
  | 'code'
  | 'code_block'
  | 'quote_bar'
  | 'quote'
  | 'bullet'
  | 'rule'
  | 'link'
  | 'link_number'
  | 'mention'
  | 'self_mention'
  | 'silent_mention'
  | 'channel_link'
  | 'time'
  | 'emoji'
  | 'math'
  | 'table_border'
  | 'table_header'
  | 'spoiler'
  | 'chip'
  | 'alert_word'
  | 'match'
  | 'note'
  // Roles of highlighted code.
  | 'code_keyword'
  | 'code_string'
  | 'code_comment'
  | 'code_number'
  | 'code_name'
  | 'code_type'
  | 'code_added'
  | 'code_removed';

/**
 * A text with one style. `text` has no control characters, no line breaks and no tabs. Messages use the roles above; the
 * screen around them has more roles.
 */
export interface Span<R extends string = TextRole> {
  readonly text: string;
  readonly role: R;
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  /** A colour such as `#76ce90`, in place of the role's style where the terminal has enough colours. */
  readonly color?: string;
  /** A colour for the text in addition to the role's style, which the theme makes readable. */
  readonly tint?: string | undefined;
  /** The index of the message's link that the span belongs to. */
  readonly link?: number;
  /** The paragraph that it is a part of, and its offset there, where the order of its characters depends on both. */
  readonly paragraph?: Paragraph;
  readonly at?: number;
  /** The image that the span names, and which is shown below its line. */
  readonly preview?: ImageSource;
  /**
   * The row of an image in place of the text: of blanks, as the last span of its line, or of `emojiCells`, for an emoji anywhere in
   * the text.
   */
  readonly image?: ImageRow;
}

/** A wrapped paragraph with text in a right-to-left script. One object for all its lines. */
export interface Paragraph {
  readonly text: string;
  /** The columns that it was wrapped to. */
  readonly width: number;
  /** Code begins at the left, whatever its first letter is. */
  readonly isCode?: boolean;
}

/** An image of the organization, and its size in pixels as the server gave it. */
export interface ImageSource {
  readonly href: string;
  readonly width: number;
  readonly height: number;
}

/** The cells that an image gets, before anything of it has arrived. */
export interface ImageBox {
  readonly columns: number;
  readonly rows: number;
}

/** One row of the cells of an image. */
export interface ImageRow extends ImageBox {
  readonly href: string;
  /** From 0. */
  readonly row: number;
  /** The columns that a text may take in place of the image. */
  readonly room: number;
  /** Whether it is an emoji in a line of text. */
  readonly isEmoji?: true;
}

/** Stands in the text for an emoji that is an image: a character of two columns, so that it is wrapped like other emoji. */
export const emojiCells = '〓';

/** One row of styled text. */
export interface Line<R extends string = TextRole> {
  readonly spans: readonly Span<R>[];
  /** The width in columns; never more than the width the line was wrapped to. */
  readonly width: number;
}

/** Returns the row of an image that a line shows; emoji in its text do not count. */
export function imageRowOf(line: Line<string> | undefined): ImageRow | undefined {
  const image = line?.spans.at(-1)?.image;
  return image?.isEmoji === true ? undefined : image;
}

/** Estimates the bytes of a line for caches: its spans, and its text as it is painted. */
export function lineBytes({spans, width}: Line<string>): number {
  return objectBytes * (2 + 2 * spans.length) + 2 * width;
}

/** A link of a message. Links are in the order of their appearance; the screen numbers them from 1. */
export interface MessageLink {
  readonly text: string;
  readonly url: string;
}
