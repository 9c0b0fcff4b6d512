import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {MatchRange} from '#std/fuzzy.ts';
import type {Named} from '#std/name-match.ts';

export type OmniboxTarget =
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'narrow'; readonly narrow: Narrow}
  | {readonly kind: 'command'; readonly id: string}
  | {readonly kind: 'search'; readonly text: string}
  | {readonly kind: 'help'; readonly id: string}
  | {readonly kind: 'account'; readonly id: string};

export interface OmniboxRow {
  readonly kind: 'topic' | 'direct' | 'channel' | 'person' | 'command' | 'search' | 'help' | 'account';
  readonly title: string;
  readonly detail?: string | undefined;
  readonly target: OmniboxTarget;
  /** What of the title was written. */
  readonly ranges: readonly MatchRange[];
  readonly unreadCount?: number | undefined;
  /** What Tab puts into the box, to go on inside. */
  readonly drill?: string | undefined;
}

/** Something that is found by its title. `detail` is the key of a command, or what a text of the help is about. */
export interface NamedEntry extends Named {
  readonly detail?: string | undefined;
}

export interface OmniboxSources {
  /** In the order in which those that match equally well are shown. */
  readonly commands: readonly NamedEntry[];
  readonly help: readonly NamedEntry[];
  readonly accounts: readonly NamedEntry[];
  /** Where one was, latest first, the conversation on screen left out. */
  readonly visits: readonly ConversationKey[];
  readonly remap?: ((text: string) => string) | undefined;
}

export interface Omnibox {
  readonly source: 'conversations' | 'commands' | 'channels' | 'people' | 'search' | 'help' | 'accounts';
  readonly rows: readonly OmniboxRow[];
  /** The row that Enter means: without a query where one was last, wherever it stands. */
  readonly selected: number;
}
