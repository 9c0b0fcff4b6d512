import {type Conversation, sameConversation} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {isBlank} from '#state/outbox/normalize-text.ts';
import {newId, type SessionContext, watchOtherProcesses, watchSlices} from '#state/session-context.ts';
import type {ServerEvent} from '#wire/events.ts';
import {DraftJournal} from './draft-journal.ts';
import {DraftSync} from './draft-sync.ts';
import {isSameDraftText, newDraft, withoutText} from './draft-versions.ts';

export type DraftText = Pick<LocalDraft, 'target' | 'content'>;

/**
 * The drafts of one account. Every change is on disk before the screen shows it, and on the server soon
 * after, if the user enabled that. Processes on one account share them. Stops with the context's signal.
 */
export class Drafts {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  readonly #sync: DraftSync;
  readonly #held = new Set<string>();
  #wasOnline = false;

  /** `isSynced` can only disable what the account enables. */
  constructor(context: SessionContext, isSynced = true) {
    this.#context = context;
    this.#journal = new DraftJournal(context);
    this.#sync = new DraftSync(context, this.#journal, isSynced);
    watchSlices(context, ['connection'], () => this.#connectionChanged());
    watchSlices(context, ['outbox'], () => this.#outboxChanged());
    watchOtherProcesses(context, () => this.#sync.onExternalChange());
  }

  /** Returns all drafts in the order of their creation. */
  all(): readonly LocalDraft[] {
    return this.#journal.visible();
  }

  get(id: string): LocalDraft | undefined {
    const draft = this.#journal.get(id);
    return draft?.status === 'deleted' ? undefined : draft;
  }

  /** Returns the drafts of a conversation, latest first. */
  forConversation(conversation: Conversation): readonly LocalDraft[] {
    const isFor = ({target}: LocalDraft) => target.kind !== 'none' && sameConversation(target, conversation);
    return this.all()
      .filter(isFor)
      .sort((a, b) => b.editedAt - a.editedAt);
  }

  /**
   * Saves a draft; it is on disk on return. Throws when it cannot be written. Without an id a new draft is
   * created; with blank content the draft is removed and the result is undefined. `replaced` is the content that the
   * user saw before the edit, if it may have changed meanwhile. The result may have another id when another client or
   * process changed the draft: continue with that id.
   */
  edit(id: string | undefined, text: DraftText, replaced?: string): LocalDraft | undefined {
    if (isBlank(text.content)) {
      const isReplaced = replaced === undefined || this.#journal.get(id ?? '')?.content === replaced;
      if (id !== undefined && isReplaced && this.#remove(id) !== undefined) this.#sync.scheduleUpload();
      return undefined;
    }
    const draft = id === undefined ? this.#create(text) : this.#change(id, text, replaced);
    this.#sync.scheduleUpload();
    return draft;
  }

  /** Removes a draft, also from the server at once, and returns it for `restore`. */
  remove(id: string): LocalDraft | undefined {
    const removed = this.#remove(id);
    if (removed !== undefined) this.#sync.uploadNow();
    return removed;
  }

  #remove(id: string): LocalDraft | undefined {
    let removed: LocalDraft | undefined;
    this.#journal.update(id, (draft) => {
      removed = draft?.status === 'deleted' ? undefined : draft;
      return removed === undefined ? draft : withoutText(removed);
    });
    return removed;
  }

  /** Marks a draft whose text may be on its way already, until the returned function is called. */
  hold(id: string): () => void {
    this.#held.add(id);
    return () => void this.#held.delete(id);
  }

  isHeld(id: string): boolean {
    return this.#held.has(id);
  }

  /** Returns whether the server may still have a draft that was removed here. */
  isRemovalPending(id: string): boolean {
    return this.#journal.get(id)?.status === 'deleted';
  }

  /** Undoes a removal: same text and id; on the server the draft may get a new id. */
  restore(removed: LocalDraft): LocalDraft {
    const {id, target, content, editedAt} = removed;
    const fresh = newDraft(id, {target, content}, editedAt);
    const draft = this.#journal.update(id, (current) =>
      current === undefined ? fresh : {...current, target, content, editedAt, status: 'dirty'},
    );
    this.#sync.uploadNow();
    return draft ?? fresh;
  }

  /** Sends all changes now. Resolves when everything possible is done. */
  flush(): Promise<void> {
    return this.#sync.flush();
  }

  /** Resolves when no sync is running. */
  idle(): Promise<void> {
    return this.#sync.idle();
  }

  /** Receives every batch of events. */
  onEvents(events: readonly ServerEvent[]): void {
    for (const event of events) {
      if (event.type === 'drafts') this.#sync.onDraftsEvent(event);
      else if (event.type === 'user_settings' && event.property === 'enable_drafts_synchronization') {
        this.#sync.onSettingChanged();
      }
    }
  }

  /** Runs after the state of a new registration is applied. */
  onRegistered(): void {
    this.#sync.onRegistered();
  }

  /** Runs when the server is reachable. */
  online(): void {
    if (this.#wasOnline) return;
    this.#wasOnline = true;
    this.#sync.onReachable();
  }

  /** Sends the latest changes, for at most a second. */
  beforeStop(): Promise<void> {
    return this.flush();
  }

  #create(text: DraftText, id = newId(this.#context.clock, this.#context.random)): LocalDraft {
    const draft = newDraft(id, text, this.#serverNow());
    this.#journal.add(draft);
    return draft;
  }

  #change(id: string, text: DraftText, replaced: string | undefined): LocalDraft {
    const {target, content} = text;
    const known = this.#journal.get(id);
    for (;;) {
      const draft = this.#journal.get(id);
      // It was removed, sent or deleted elsewhere while the user kept typing.
      if (draft === undefined) return this.#create(text, id);
      if (isSameDraftText(draft, text) && draft.status !== 'deleted') return draft;
      // It was changed elsewhere: this text becomes a new draft.
      const isReplaced = replaced === undefined || draft.content === replaced;
      if (!isReplaced || (known !== undefined && !isSameDraftText(draft, known))) return this.#create(text);
      const after: LocalDraft = {...draft, target, content, editedAt: this.#serverNow(), status: 'dirty'};
      if (this.#journal.replace(draft, after)) return after;
    }
  }

  /**
   * Returns the time by the server's clock, which dates the drafts of all clients. A difference of less than a minute may
   * be the time that a response took.
   */
  #serverNow(): number {
    const {clock, cache} = this.#context;
    const offsetMs = Math.round(cache.state.presences.serverOffset * 1000);
    return clock.now() + (Math.abs(offsetMs) < 60_000 ? 0 : offsetMs);
  }

  #connectionChanged(): void {
    if (this.#context.cache.state.connection.phase === 'online') this.online();
    else this.#wasOnline = false;
  }

  /** Reloads drafts that a sent message removed, or that a message was turned back into. */
  #outboxChanged(): void {
    this.#journal.reload();
    if (this.#journal.all().some(({status}) => status !== 'clean')) this.#sync.checkIn(0);
  }
}
