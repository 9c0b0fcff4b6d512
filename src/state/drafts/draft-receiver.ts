import type {LocalDraft} from '#state/model/draft.ts';
import {newId, type SessionContext} from '#state/session-context.ts';
import {draftFromWire, type ServerDraft} from '#state/slices/drafts.ts';
import type {EventOf} from '#wire/events.ts';
import type {DraftJournal} from './draft-journal.ts';
import {
  continuesOnServer,
  type DraftContent,
  draftFromServer,
  isDeleted,
  isKnownVersion,
  isUnconfirmed,
  newDraft,
  reconcileDraft,
  tombstone,
  versionOnServer,
  withoutSent,
  withoutText,
} from './draft-versions.ts';
import type {UnconfirmedWrites} from './unconfirmed-writes.ts';

/** A list this long may be truncated: drafts missing from it may still exist. */
const maxListLength = 1000;

/** The begin of the local id of a text that was overwritten unseen and kept. */
const keptPrefix = 'kept-';

/** Brings the journal up to date with the server's drafts: those of a registration, of events, and of the whole list. */
export class DraftReceiver {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  readonly #writes: UnconfirmedWrites;

  constructor(context: SessionContext, journal: DraftJournal, writes: UnconfirmedWrites) {
    this.#context = context;
    this.#journal = journal;
    this.#writes = writes;
  }

  /** Adds the drafts of a registration to an empty journal, which no own write can have made older than them. */
  addRegisteredDrafts(): void {
    if (this.#journal.all().length > 0) return;
    for (const server of this.#context.cache.state.drafts.values()) this.#addServerDraft(server);
  }

  /** Returns whether the journal matches the drafts of the latest registration. */
  isInSync(): boolean {
    const {drafts} = this.#context.cache.state;
    const rows = this.#journal.all();
    return (
      !this.#writes.mayHaveOverwritten &&
      rows.length === drafts.size &&
      rows.every((row) => {
        const server = row.serverId === undefined ? undefined : drafts.get(row.serverId);
        return row.status === 'clean' && server !== undefined && this.#journal.isSame(server, row);
      })
    );
  }

  /** Keeps texts that were overwritten unseen. Returns whether the event contains a change made elsewhere. */
  onEvent(event: EventOf<'drafts'>): boolean {
    if (event.op === 'remove') {
      this.#keepOverwritten(this.#writes.takeRemoved(event.draft_id));
      const draft = this.#journal.byServerId(event.draft_id);
      return draft !== undefined && draft.status !== 'deleted';
    }
    const drafts = event.op === 'add' ? event.drafts : [event.draft];
    const selfId = this.#context.cache.state.self.userId;
    return drafts.filter((wire) => this.#isFromElsewhere(draftFromWire(wire, selfId))).length > 0;
  }

  #isFromElsewhere(server: ServerDraft): boolean {
    const {isOwn, overwritten} = this.#writes.takeChanged(server);
    this.#keepOverwritten(overwritten);
    if (isOwn) return false;
    const draft = this.#journal.byServerId(server.id) ?? this.#findBeingCreated(server);
    return (
      draft === undefined ||
      !(isKnownVersion(draft, server, this.#journal.isSame) || this.#journal.isSame(server, draft))
    );
  }

  /** Adds a text that only its event still has as a new draft. */
  #keepOverwritten(server: ServerDraft | undefined): void {
    const {clock, random} = this.#context;
    if (server === undefined || this.#isContinued(server)) return;
    this.#journal.add(newDraft(`${keptPrefix}${newId(clock, random)}`, server, server.timestamp * 1000));
  }

  /** Removes kept texts that their writer went on with in another draft. */
  #removeContinued(): void {
    for (const draft of this.#journal.visible()) {
      if (draft.id.startsWith(keptPrefix) && this.#isContinued(draft, draft.id))
        this.#journal.replace(draft, withoutText(draft));
    }
  }

  /** Returns whether a draft has the text, or goes on from it: an earlier version of a text is not kept apart. */
  #isContinued(text: DraftContent, exceptId?: string): boolean {
    const {state} = this.#context.cache;
    return this.#journal.visible().some((draft) => draft.id !== exceptId && continuesOnServer(draft, text, state));
  }

  #findBeingCreated(server: ServerDraft): LocalDraft | undefined {
    const isMatch = ({serverId, sent}: LocalDraft) =>
      serverId === undefined && sent !== undefined && this.#journal.isSame(server, sent);
    return this.#journal.all().find(isMatch);
  }

  /** Finds the draft without a server copy that this one belongs to. */
  #findUnlinked(server: ServerDraft): LocalDraft | undefined {
    const drafts = this.#journal.all().filter((draft) => draft.serverId === undefined && !isDeleted(draft));
    const continues = ({formerBase}: LocalDraft) =>
      formerBase !== undefined && this.#journal.isSame(server, formerBase);
    return (
      this.#findBeingCreated(server) ??
      drafts.find((draft) => this.#journal.isSame(server, draft)) ??
      drafts.find(continues)
    );
  }

  /**
   * Merges the server's drafts into the journal. Returns false when another process wrote at the same time,
   * so that it must be repeated.
   */
  async mergeServerDrafts(): Promise<boolean> {
    const {api, cache, signal} = this.#context;
    const response = await api.getDrafts({}, {signal});
    const drafts = response.drafts.map((wire) => draftFromWire(wire, cache.state.self.userId));
    let isDone = true;
    const byId = new Map(drafts.map((draft) => [draft.id, draft]));
    // Drafts that could not be decoded exist all the same.
    const isComplete = drafts.length < maxListLength && drafts.length >= response.count;
    for (const draft of this.#journal.all()) {
      if (draft.serverId === undefined) continue;
      const server = byId.get(draft.serverId);
      if (server !== undefined || isComplete) {
        isDone = this.#journal.replace(draft, reconcileDraft(draft, server, this.#journal.isSame)) && isDone;
      }
    }
    for (const server of drafts) this.#addServerDraft(server);
    for (const server of this.#writes.takeOverwritten(byId)) this.#keepOverwritten(server);
    this.#removeContinued();
    for (const {id} of this.#journal.all().filter(isUnconfirmed)) {
      this.#journal.update(id, (draft) => draft && withoutSent(draft));
    }
    return isDone;
  }

  /**
   * Adds a server draft that matches no journal entry by id: one that was sent without a response, one that
   * was only local, one that another client uploaded too, or one written elsewhere.
   */
  #addServerDraft(server: ServerDraft): void {
    if (this.#journal.byServerId(server.id) !== undefined) return;
    const match = this.#findUnlinked(server);
    if (match !== undefined) {
      this.#journal.markSynced(match.id, server.id, versionOnServer(server));
      return;
    }
    const twin = this.#journal.visible().find(({serverId, formerBase, ...draft}) => {
      return serverId !== undefined && formerBase !== undefined && this.#journal.isSame(server, draft);
    });
    if (twin?.serverId !== undefined) this.#removeTwin(twin, twin.serverId, server);
    else this.#journal.add(draftFromServer(server, this.#freeId(server.id)));
  }

  /**
   * Deletes one of two copies of a draft. Clients upload their drafts at the same time when synchronization is turned
   * on; each of them keeps the copy with the lowest id.
   */
  #removeTwin(draft: LocalDraft, serverId: number, other: ServerDraft): void {
    const kept = Math.min(serverId, other.id);
    const removed = Math.max(serverId, other.id);
    this.#journal.update(draft.id, (current) => current && {...current, serverId: kept});
    this.#journal.add(tombstone(this.#freeId(removed), removed, versionOnServer(other)));
  }

  /** Returns a local id that derives from the server's, so that two processes do not add a draft twice. */
  #freeId(serverId: number): string {
    let id = `s${serverId}`;
    while (this.#journal.get(id) !== undefined) id += '+';
    return id;
  }
}
