import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {ShownUnreads} from '#state/selectors/unreads/view-unreads.ts';
import type {MatchRange} from '#std/fuzzy.ts';
import type {Named} from '#std/name-match.ts';

export type OmniboxTarget =
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'narrow'; readonly narrow: Narrow}
  | {readonly kind: 'command'; readonly id: string}
  | {readonly kind: 'search'; readonly text: string}
  | {readonly kind: 'help'; readonly id: string}
  | {readonly kind: 'account'; readonly id: string}
  /** The person whose email address the server is asked for. */
  | {readonly kind: 'email'; readonly email: string};

export interface OmniboxRow {
  readonly kind: 'link' | 'topic' | 'direct' | 'channel' | 'person' | 'command' | 'search' | 'help' | 'account';
  readonly title: string;
  readonly detail?: string | undefined;
  readonly target: OmniboxTarget;
  /** The matched parts of the title. */
  readonly ranges: readonly MatchRange[];
  readonly unreads?: ShownUnreads | undefined;
  /** Why the row cannot be opened. */
  readonly problem?: string | undefined;
  /** Tab puts this into the box, to continue inside. */
  readonly drill?: string | undefined;
}

/** Something found by its title. `detail` is a command's key, or the subject of a help page. */
export interface NamedEntry extends Named {
  readonly detail?: string | undefined;
}

export interface OmniboxSources {
  /** In display order among equal matches. */
  readonly commands: readonly NamedEntry[];
  readonly help: readonly NamedEntry[];
  readonly accounts: readonly NamedEntry[];
  /** Visited conversations, latest first, without the shown one. */
  readonly visits: readonly ConversationKey[];
  readonly remap?: ((text: string) => string) | undefined;
}

export interface Omnibox {
  readonly source: 'conversations' | 'commands' | 'channels' | 'people' | 'search' | 'help' | 'accounts';
  readonly rows: readonly OmniboxRow[];
}
