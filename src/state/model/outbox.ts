import type {Conversation} from './conversation.ts';

/**
 * The delivery status of an outgoing message.
 *
 * `queued` waits for its turn; `sending` is in flight in one of the processes on this account; `sent` is
 * acknowledged and waits for its event; `unconfirmed` may or may not have been delivered, and only the user
 * may send it again; `failed` was refused by the server; `held` waited so long for a connection that the user
 * is asked first.
 */
export type OutboxStatus = 'queued' | 'sending' | 'sent' | 'unconfirmed' | 'failed' | 'held';

export interface OutboxEntry {
  /** Unique over all processes on this account; also the `local_id` of the request. */
  readonly id: string;
  /** Entries are sent in this order. */
  readonly order: number;
  readonly conversation: Conversation;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly status: OutboxStatus;
  /** The process that claimed the entry. */
  readonly owner: string | undefined;
  /** When the request was about to be sent. */
  readonly sentAt: number | undefined;
  /**
   * The newest message id known before sending: the delivered message has a higher id. Undefined while the server certainly
   * does not have the message.
   */
  readonly afterMessageId: number | undefined;
  /** Set once acknowledged. */
  readonly messageId: number | undefined;
  /** A sentence for the user, when `failed` or `unconfirmed`. */
  readonly problem: string | undefined;
  /** The draft it was written in, which is removed when the message is stored. */
  readonly draftId: string | undefined;
}
