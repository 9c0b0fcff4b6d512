/** What a piece of text is; a theme says how each looks. */
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
  // Of highlighted code.
  | 'code_keyword'
  | 'code_string'
  | 'code_comment'
  | 'code_number'
  | 'code_name'
  | 'code_type'
  | 'code_added'
  | 'code_removed';

/**
 * Text of one look. `text` has no control characters, no line breaks and no tabs. Messages use the roles above; what is
 * around them has more of its own.
 */
export interface Span<R extends string = TextRole> {
  readonly text: string;
  readonly role: R;
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  /** Which of the message's links it belongs to, from 0. */
  readonly link?: number;
}

/** One row of the screen. */
export interface Line<R extends string = TextRole> {
  readonly spans: readonly Span<R>[];
  /** Columns it takes; never more than it was laid out for. */
  readonly width: number;
}

/** In the order in which they appear; the first is number 1 for people. */
export interface MessageLink {
  readonly text: string;
  readonly url: string;
}
