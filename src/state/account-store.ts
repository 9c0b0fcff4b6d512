import type {ConversationKey} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {Message} from '#state/model/message.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';

/**
 * The storage that the state needs for one account; `storage/` implements it. Every write is synchronous and survives the
 * end of the process on return, so that what the screen shows as saved is saved. It reaches the disk in the background, so
 * that a slow disk does not delay the key that caused it; the order stays. Several Parley processes on one account share a
 * store.
 */
export interface AccountStore {
  readonly outbox: OutboxStore;
  readonly drafts: DraftStore;
  readonly messages: MessageStore;
  readonly savedState: SavedStateStore;
  readonly pendingChanges: PendingChangeStore;
  /** Small values that must survive a restart: one JSON value per name. */
  readonly keyValues: KeyValueStore;
  /** Resolves when all writes until now are on the disk: a message is not sent before. Rejects when the disk refuses. */
  synced(): Promise<void>;
  /** Why nothing that is written now survives the end of the process; undefined while it does. */
  readonly writeProblem: WriteProblem | undefined;
  /** Calls the listener when `writeProblem` changed. While there is one, writing is tried again every few seconds. */
  onWriteProblem(listener: () => void): () => void;
  /**
   * Calls the listener when another process on this account changed the outbox, the drafts, the pending
   * changes or the key-values, or died while it was sending: then it is time for `adoptOrphans`.
   */
  onExternalChange(listener: () => void): () => void;
  close(): void;
}

export interface WriteProblem {
  readonly path: string;
  /** Such as `read-only file system`. */
  readonly cause: string;
}

/** The reason why a write failed. */
export type StoreFailureReason = 'full' | 'unwritable' | 'busy' | 'damaged' | 'newer' | 'closed';

/**
 * Thrown by outbox, drafts, pending changes and key-values when a write is not durable. The message is a
 * sentence for the user. Messages and saved state never throw: they are a cache and may be missing.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly reason: StoreFailureReason;

  constructor(reason: StoreFailureReason, message: string, cause?: unknown) {
    super(message, {cause});
    this.reason = reason;
  }
}

export type NewOutboxEntry = Pick<OutboxEntry, 'id' | 'conversation' | 'content' | 'createdAt' | 'draftId'>;
/** A field that is present is written, even as `undefined`. */
export type OutboxPatch = Partial<
  Pick<OutboxEntry, 'status' | 'afterMessageId' | 'messageId' | 'problem' | 'createdAt' | 'content' | 'conversation'>
>;

export interface OutboxStore {
  /**
   * Appends the entry and removes the draft it was written in, in one transaction; a draft that exists on the server
   * too stays as `deleted` until it is removed there. Idempotent: an entry with a known id stays unchanged.
   */
  add(entry: NewOutboxEntry): OutboxEntry;
  /** Returns all entries in sending order. */
  all(): readonly OutboxEntry[];
  /**
   * Changes `queued` to `sending` for exactly one process; returns undefined when another has the entry or it is gone.
   */
  claim(id: string, claim: {readonly sentAt: number; readonly afterMessageId: number}): OutboxEntry | undefined;
  /** Updates the entry only while its status is one of `from`; returns undefined otherwise. */
  update(id: string, from: readonly OutboxStatus[], patch: OutboxPatch): OutboxEntry | undefined;
  remove(id: string): void;
  /**
   * Replaces the entry by the draft in one transaction, only while its status is one of `from`. Returns whether it did.
   */
  toDraft(id: string, from: readonly OutboxStatus[], draft: LocalDraft): boolean;
  /** Takes over the entries that a dead process left as `sending`; whether those were delivered is unknown. */
  adoptOrphans(): readonly OutboxEntry[];
}

export interface DraftStore {
  all(): readonly LocalDraft[];
  put(draft: LocalDraft): void;
  /**
   * Replaces the draft only if the stored one still equals `before`; returns false when another process was quicker.
   */
  replace(before: LocalDraft, after: LocalDraft | undefined): boolean;
  remove(id: string): void;
}

export interface MessageStore {
  /** Adds or replaces the messages, and removes the oldest beyond the size limit. Returns false when writing fails. */
  save(messages: readonly Message[]): boolean;
  remove(ids: readonly number[]): void;
  /** Returns the channels that messages are saved of. */
  channelIds(): readonly number[];
  /** Removes all messages of a channel, also from the search index. */
  removeChannel(channelId: number): void;
  /** Returns the newest messages of a conversation before `before`, ascending. */
  ofConversation(key: ConversationKey, limit: number, before?: number): readonly Message[];
  newest(limit: number): readonly Message[];
  byIds(ids: readonly number[]): readonly Message[];
  /** Returns the messages that contain all words of the query, newest first. */
  search(query: string, limit: number): readonly Message[];
  /** Returns a string that changes when another process wrote anything; undefined when that is unknown. */
  externalWriteMark(): string | undefined;
}

/** One named part of the saved state, encoded as it is stored. */
export interface SavedStatePart {
  readonly codec: 'plain' | 'zstd';
  readonly checksum: number;
  readonly body: Uint8Array;
}

export interface SavedStateStore {
  /**
   * Packs JSON text, given as bytes, off the main thread: compressing megabytes takes longer than the delay a
   * key press may have.
   */
  pack(json: Uint8Array): Promise<SavedStatePart>;
  /** Packs synchronously. */
  packNow(json: Uint8Array): SavedStatePart;
  /** Replaces all saved parts, by name, in one transaction. */
  save(parts: ReadonlyMap<string, SavedStatePart>, savedAt: number): void;
  /** Returns each part as JSON text. */
  load(): {readonly parts: Readonly<Record<string, string>>; readonly savedAt: number} | undefined;
}

/**
 * An idempotent change that is stored until the server has confirmed it; changes are sent in the order of their ids.
 */
export interface StoredPendingChange {
  readonly id: number;
  /** JSON text that only `state/pending-changes` interprets. */
  readonly body: string;
  readonly createdAt: number;
}

export interface PendingChangeStore {
  add(body: string, createdAt: number): StoredPendingChange;
  /** Adds the changes and writes the key-values that belong to them in one transaction. */
  addAll(
    bodies: readonly string[],
    createdAt: number,
    keyValues?: ReadonlyMap<string, string | undefined>,
  ): readonly StoredPendingChange[];
  all(): readonly StoredPendingChange[];
  /** Returns true for exactly one process, until that process calls `remove` or `release` or dies. */
  claim(id: number): boolean;
  release(id: number): void;
  /**
   * Replaces the body, and writes key-values in the same transaction, only while the stored body equals the
   * given one. Returns whether it did.
   */
  replace(
    change: Pick<StoredPendingChange, 'id' | 'body'>,
    body: string,
    keyValues?: ReadonlyMap<string, string | undefined>,
  ): boolean;
  remove(id: number): void;
  /** Removes a change that no process ever claimed, so that none can have sent it. Returns whether it did. */
  removeUnclaimed(id: number): boolean;
}

/** Whose data a database has: an account is the same at another address if the organization and the user are. */
export interface AccountIdentity {
  readonly url: string;
  /** The organization's UUID. */
  readonly organization: string;
  readonly userId: number;
}

/** The name of the value with the identity. */
export const identityKey = 'account.identity';

export interface KeyValueStore {
  get(name: string): string | undefined;
  /** Returns all names with the prefix, sorted. */
  keysWithPrefix(prefix: string): readonly string[];
  set(name: string, json: string): void;
  /**
   * Writes several values in one transaction; an undefined value removes the name. Survives a crash of the
   * process; a power cut may undo it.
   */
  setAll(keyValues: ReadonlyMap<string, string | undefined>): void;
  /** Sets the value only while it is `before`; returns whether it did. Of two processes, one succeeds. */
  replace(name: string, before: string | undefined, json: string): boolean;
  remove(name: string): void;
}
