import type {Conversation} from './conversation.ts';

/**
 * Where a message of ours stands until the server has it.
 *
 * `queued` waits for its turn; `sending` is under way in one of the programs on this account; `sent` is acknowledged and
 * waits to be seen among the messages; `unconfirmed` may or may not have arrived, and only the user may send it again;
 * `failed` was refused; `held` waited so long for a connection that the user is asked first.
 */
export type OutboxStatus = 'queued' | 'sending' | 'sent' | 'unconfirmed' | 'failed' | 'held';

export interface OutboxEntry {
  /** Unique over all programs on this account; also the `local_id` of the request. */
  readonly id: string;
  /** Entries are sent in this order. */
  readonly order: number;
  readonly conversation: Conversation;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly status: OutboxStatus;
  /** The program that claimed it. */
  readonly owner: string | undefined;
  /** When the request was about to leave. */
  readonly sentAt: number | undefined;
  /** The newest message known when the request was about to leave: whatever it became has a higher id. */
  readonly afterMessageId: number | undefined;
  /** Set once acknowledged. */
  readonly messageId: number | undefined;
  /** A sentence for the user, on `failed` and `unconfirmed`. */
  readonly problem: string | undefined;
  /** The draft it was written in, which goes when the message is safe. */
  readonly draftId: string | undefined;
}
