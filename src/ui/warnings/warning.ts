import {composed, joined} from '#std/composed-text.ts';

export interface Warning {
  readonly kind:
    | 'empty'
    | 'too_long'
    | 'forbidden'
    | 'deactivated'
    | 'destination_changed'
    | 'wildcard'
    | 'not_subscribed'
    | 'unknown_mention'
    | 'not_closed'
    | 'private_channel'
    | 'resolved'
    | 'secret'
    | 'scheduled';
  /** A sentence for the user. */
  readonly text: string;
  /** Whether the message cannot be sent as it is. Otherwise sending a second time ignores the warning. */
  readonly isBlocking: boolean;
  /** An action that resolves the warning. */
  readonly fix?: WarningFix | undefined;
}

export type WarningFix =
  /** Replaces the text by one whose mentions and links are closed. */
  | {readonly kind: 'close'; readonly text: string}
  | {readonly kind: 'subscribe'; readonly channelId: number; readonly userIds: readonly number[]}
  | {readonly kind: 'unresolve'; readonly channelId: number; readonly topic: string};

export function joinedNames(all: readonly string[]): string {
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : composed`${joined(all.slice(0, -1))} and ${last}`;
}
