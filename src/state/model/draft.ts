import type {Conversation} from './conversation.ts';

/** What a draft is for; a draft may be begun before its recipients are chosen. */
export type DraftTarget = Conversation | {readonly kind: 'none'; readonly topic: string};

/** A draft as this machine knows it: the journal beneath the server's drafts. */
export interface LocalDraft {
  /** Ours, for good; the server's id may come later. */
  readonly id: string;
  readonly serverId: number | undefined;
  readonly target: DraftTarget;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly editedAt: number;
  /** What the server had when this machine last agreed with it; undefined before it was ever there. */
  readonly base: DraftVersion | undefined;
  /** What was last sent to the server, whether or not it arrived: seen there, it is our own echo and no edit elsewhere. */
  readonly sent?: DraftVersion | undefined;
  /** `dirty` has to be written to the server, `deleted` has to be removed from it. */
  readonly status: 'clean' | 'dirty' | 'deleted';
}

export interface DraftVersion {
  readonly target: DraftTarget;
  readonly content: string;
  /** UNIX seconds, the server's. */
  readonly timestamp: number;
}
