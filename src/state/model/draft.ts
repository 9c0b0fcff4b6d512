import {isRecord} from '#std/parse-json.ts';
import {type Conversation, conversationFromJson} from './conversation.ts';

/** The recipients of a draft; a draft can be started before they are chosen. */
export type DraftTarget = Conversation | {readonly kind: 'none'; readonly topic: string};

/** A draft in the journal on this machine, which draft sync reconciles with the server's drafts. */
export interface LocalDraft {
  /** The local id, which never changes; the server's id may come later. */
  readonly id: string;
  readonly serverId: number | undefined;
  readonly target: DraftTarget;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly editedAt: number;
  /** The version that the server had at the last sync; undefined before the first. */
  readonly base: DraftVersion | undefined;
  /**
   * The version last sent to the server, whether or not it arrived. Seen there, it is our own echo and not an
   * edit made elsewhere.
   */
  readonly sent?: DraftVersion | undefined;
  /**
   * The `base` of a server copy that is gone. Found on the server again, it is this draft, uploaded by another client.
   */
  readonly formerBase?: DraftVersion | undefined;
  /** A `dirty` draft must be written to the server, a `deleted` one removed from it. */
  readonly status: 'clean' | 'dirty' | 'deleted';
}

export interface DraftVersion {
  readonly target: DraftTarget;
  readonly content: string;
  /** UNIX seconds of the server's clock. */
  readonly timestamp: number;
}

/** Returns the recipients of a draft that were saved as JSON; undefined when they are invalid. */
export function draftTargetFromJson(json: unknown): DraftTarget | undefined {
  if (!isRecord(json) || json.kind !== 'none') return conversationFromJson(json);
  return typeof json.topic === 'string' ? {kind: json.kind, topic: json.topic} : undefined;
}
