import type {ConversationKey} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {Message} from '#state/model/message.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';

/**
 * What the state needs from a disk. Everything is synchronous and durable on return: what the screen shows as safe is safe.
 * Several programs on one account share a store.
 */
export interface AccountStore {
  readonly outbox: OutboxStore;
  readonly drafts: DraftStore;
  readonly messages: MessageStore;
  readonly savedState: SavedStateStore;
  readonly pendingChanges: PendingChangeStore;
  /** Small things that must survive: one JSON value per name. */
  readonly keyValues: KeyValueStore;
  /**
   * Called when another program on this account changed the outbox, the drafts, the deeds or the notes, or died while it
   * was sending something: then it is time for `adoptOrphans`.
   */
  onExternalChange(listener: () => void): () => void;
  close(): void;
}

/** Why something could not be kept. */
export type StoreFailureReason = 'full' | 'unwritable' | 'busy' | 'damaged' | 'newer' | 'closed';

/**
 * Thrown by outbox, drafts, deeds and notes when what they were given is not safe. The message is a sentence for the user.
 * Messages and snapshot never throw: what is only cached may be missing.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly reason: StoreFailureReason;

  constructor(trouble: StoreFailureReason, message: string, cause?: unknown) {
    super(message, {cause});
    this.reason = trouble;
  }
}

export type NewOutboxEntry = Pick<OutboxEntry, 'id' | 'conversation' | 'content' | 'createdAt' | 'draftId'>;
/** A field that is there is written, `undefined` too. */
export type OutboxPatch = Partial<
  Pick<OutboxEntry, 'status' | 'messageId' | 'problem' | 'createdAt' | 'content' | 'conversation'>
>;

export interface OutboxStore {
  /**
   * Adds at the end, and removes the draft it was written in, in one step; a draft that the server has too stays, as
   * `deleted`, until it is gone there. Harmless to repeat: an id that is there already stays as it is.
   */
  add(entry: NewOutboxEntry): OutboxEntry;
  /** In order. */
  all(): readonly OutboxEntry[];
  /** From `queued` to `sending`, for exactly one of all programs: undefined when another has it or it is gone. */
  claim(
    id: string,
    claim: {readonly sentAt: number; readonly afterMessageId: number},
  ): OutboxEntry | undefined;
  /** Only while its status is one of `from`; undefined otherwise. */
  update(id: string, from: readonly OutboxStatus[], patch: OutboxPatch): OutboxEntry | undefined;
  remove(id: string): void;
  /** Only while its status is one of `from`: removes it and puts the draft, in one step. False when it did not. */
  toDraft(id: string, from: readonly OutboxStatus[], draft: LocalDraft): boolean;
  /** Entries `sending` in a program that is no more: what became of them is unknown. They are ours now. */
  adoptOrphans(): readonly OutboxEntry[];
}

export interface DraftStore {
  all(): readonly LocalDraft[];
  put(draft: LocalDraft): void;
  /** Replaces only if the stored draft is still the one given; false when another program was quicker. */
  replace(before: LocalDraft, after: LocalDraft | undefined): boolean;
  remove(id: string): void;
}

export interface MessageStore {
  /** Adds or replaces; forgets the oldest beyond the bound. */
  save(messages: readonly Message[]): void;
  remove(ids: readonly number[]): void;
  /** The newest of a conversation before `before`, ascending. */
  ofConversation(key: ConversationKey, limit: number, before?: number): readonly Message[];
  newest(limit: number): readonly Message[];
  byIds(ids: readonly number[]): readonly Message[];
  /** All the words, newest first. */
  search(query: string, limit: number): readonly Message[];
}

/** A part of the snapshot as the disk will have it. */
export interface SavedStatePart {
  readonly codec: 'plain' | 'zstd';
  readonly checksum: number;
  readonly body: Uint8Array;
}

export interface SavedStateStore {
  /** Of JSON text as bytes. Done beside everything else: compressing megabytes takes longer than a key may. */
  pack(json: Uint8Array): Promise<SavedStatePart>;
  /** At once. */
  packNow(json: Uint8Array): SavedStatePart;
  /** `parts` by name; one atomic replace. */
  save(parts: ReadonlyMap<string, SavedStatePart>, savedAt: number): void;
  /** Each part as JSON text. */
  load(): {readonly parts: Readonly<Record<string, string>>; readonly savedAt: number} | undefined;
}

/** Changes that may be repeated without harm, kept until the server has them; carried out in order. */
export interface StoredPendingChange {
  readonly id: number;
  /** JSON text; what it says is up to the one who does it. */
  readonly body: string;
  readonly createdAt: number;
}

export interface PendingChangeStore {
  add(body: string, createdAt: number): StoredPendingChange;
  /** In one step with the notes that belong to them: none of it is ever on disk without the rest. */
  addAll(
    bodies: readonly string[],
    createdAt: number,
    notes?: ReadonlyMap<string, string | undefined>,
  ): readonly StoredPendingChange[];
  all(): readonly StoredPendingChange[];
  /** True for exactly one of all programs, until it calls `remove` or `release` or dies. */
  claim(id: number): boolean;
  release(id: number): void;
  /** Only while it still says what is given: says something else, and notes are written, in one step. False otherwise. */
  replace(
    deed: Pick<StoredPendingChange, 'id' | 'body'>,
    body: string,
    notes?: ReadonlyMap<string, string | undefined>,
  ): boolean;
  remove(id: number): void;
}

export interface KeyValueStore {
  get(name: string): string | undefined;
  /** All that begin so, in the order of their names. */
  keysWithPrefix(beginning: string): readonly string[];
  set(name: string, json: string): void;
  /** Several in one step; those without a value are removed. Survives the program; a power cut may undo it. */
  setAll(notes: ReadonlyMap<string, string | undefined>): void;
  remove(name: string): void;
}
