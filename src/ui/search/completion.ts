import type {ShownEmoji} from '#content/emoji-text.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Availability} from '#state/selectors/people/people.ts';
import type {MatchRange} from '#std/fuzzy.ts';
import type {LocaleFormat} from '#std/locale-format.ts';

/** The text being written and its context. */
export interface CompletionContext {
  readonly text: string;
  /** Offset in UTF-16 units. */
  readonly cursor: number;
  /** The message's destination; undefined while there is none. Its topic may be empty. */
  readonly conversation?: Conversation | undefined;
  readonly field: 'message' | 'channel' | 'topic' | 'people' | 'search' | 'file';
  readonly nowMs: number;
  /** IANA name of the reader's time zone; undefined means the machine's. */
  readonly zone?: string | undefined;
  readonly locale?: LocaleFormat | undefined;
  /** Maps text to what the same keys type on a Latin keyboard. */
  readonly remap?: ((text: string) => string) | undefined;
  /** The files in the directory of the path being written. */
  readonly files?: readonly FileEntry[] | undefined;
}

export interface FileEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

type CompletionKind =
  | 'mention'
  | 'channel'
  | 'topic'
  | 'emoji'
  | 'language'
  | 'command'
  | 'time'
  | 'link'
  | 'people'
  | 'search'
  | 'file';

export interface CompletionOption {
  readonly label: string;
  readonly detail?: string | undefined;
  /** Replaces the completed text. */
  readonly insert: string;
  /** The cursor's position in `insert`; by default its end. */
  readonly caret?: number | undefined;
  /** The matched parts of the label. */
  readonly ranges: readonly MatchRange[];
  readonly presence?: Availability | undefined;
  readonly emoji?: ShownEmoji | undefined;
  /** Inserted instead of `insert` to go on inside: the topics of a channel, the files of a directory. */
  readonly drill?: string | undefined;
  /** Why the option cannot be used here. */
  readonly refusal?: string | undefined;
  /** Whether nothing of that name exists yet. */
  readonly isNew?: boolean | undefined;
}

export interface Completion {
  readonly kind: CompletionKind;
  /** The range that is replaced. */
  readonly start: number;
  readonly end: number;
  /** With `none`, nothing is selected until the user moves, and Enter does what it does without a menu. */
  readonly selects: 'first' | 'none';
  /** Never empty. */
  readonly options: readonly CompletionOption[];
  /** The channel whose topics are among the options. */
  readonly channelId?: number | undefined;
}

export const maxOptions = 50;

export function completionOf(
  kind: CompletionKind,
  range: {readonly start: number; readonly end: number},
  options: readonly CompletionOption[],
  selects: Completion['selects'] = 'first',
): Completion | undefined {
  return options.length === 0 ? undefined : {kind, start: range.start, end: range.end, selects, options};
}
