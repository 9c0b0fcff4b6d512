import type {ShownEmoji} from '#content/emoji-text.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Availability} from '#state/selectors/people/presence-status.ts';
import type {MatchRange} from '#std/fuzzy.ts';

/** What is being written, and where. */
export interface CompletionContext {
  readonly text: string;
  /** Offset in UTF-16 units. */
  readonly cursor: number;
  /** Where a message would go; undefined while nobody has said. The topic may still be empty. */
  readonly conversation?: Conversation | undefined;
  readonly field: 'message' | 'channel' | 'topic' | 'people' | 'search' | 'file';
  readonly nowMs: number;
  /** IANA name of the reader's time zone; undefined is the machine's own. */
  readonly zone?: string | undefined;
  /** What the same keys would write on a Latin keyboard. */
  readonly remap?: ((text: string) => string) | undefined;
  /** What is in the directory of the path that is being written. */
  readonly files?: readonly FileEntry[] | undefined;
}

export interface FileEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

export type CompletionKind =
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
  /** Takes the place of what was written. */
  readonly insert: string;
  /** Where the cursor goes, counted from the start of `insert`; its end unless told. */
  readonly caret?: number | undefined;
  /** What of the label was written. */
  readonly ranges: readonly MatchRange[];
  readonly presence?: Availability | undefined;
  readonly emoji?: ShownEmoji | undefined;
  /** Takes the place instead, to go on inside: the topics of a channel, the files of a directory. */
  readonly drill?: string | undefined;
  /** Why it cannot be used here, as a sentence. */
  readonly refusal?: string | undefined;
  /** Nothing of that name exists yet. */
  readonly isNew?: boolean | undefined;
}

export interface Completion {
  readonly kind: CompletionKind;
  /** What is replaced. */
  readonly start: number;
  readonly end: number;
  /** With `none` nothing is chosen until somebody moves: Enter then does what it does without a menu. */
  readonly selects: 'first' | 'none';
  /** Never empty. */
  readonly options: readonly CompletionOption[];
}

export const maxOptions = 50;

export function completionOf(
  kind: CompletionKind,
  place: {readonly start: number; readonly end: number},
  options: readonly CompletionOption[],
  selects: Completion['selects'] = 'first',
): Completion | undefined {
  return options.length === 0 ? undefined : {kind, start: place.start, end: place.end, selects, options};
}
