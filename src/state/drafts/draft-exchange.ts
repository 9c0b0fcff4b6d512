import {isFromElsewhere, isRefusal, type PermanentFailure} from '#api/failure.ts';
import type {DraftVersion, LocalDraft} from '#state/model/draft.ts';
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
  isSameDraftText,
  isSameOnServer,
  isUnconfirmed,
  newDraft,
  reconcileDraft,
  tombstone,
  versionOnServer,
  versionToSend,
  wireDraft,
  withoutSent,
  withoutServerCopy,
  withoutText,
} from './draft-versions.ts';
import {UnconfirmedWrites} from './unconfirmed-writes.ts';

/** A list this long may be truncated: drafts missing from it may still exist. */
const maxListLength = 1000;

/** The begin of the local id of a text that was overwritten unseen and kept. */
const keptPrefix = 'kept-';

/** `again`: the draft needs another pass. */
type PushResult = 'done' | 'again';

/**
 * Exchanges drafts between the journal and the server, one step at a time, while no other process does.
 *
 * A version is on disk before it is sent. So a version on the server that is neither the last agreed nor the
 * last sent one was written elsewhere. Nothing is fetched before a write: a text that was overwritten unseen is in
 * its event, and is kept as another draft (`UnconfirmedWrites`).
 */
export class DraftExchange {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  /** Drafts that the server refused, by id; not retried until they change. */
  readonly #refused = new Map<string, LocalDraft>();
  readonly #unconfirmedWrites: UnconfirmedWrites;

  constructor(context: SessionContext, journal: DraftJournal) {
    this.#context = context;
    this.#journal = journal;
    this.#unconfirmedWrites = new UnconfirmedWrites(this.#isSame);
  }

  /** Runs when the server is reachable again: a proxy may have refused the drafts. */
  onReachable(): void {
    this.#refused.clear();
  }

  /** Runs after a new registration: the events of earlier writes do not come. */
  onRegistered(): void {
    this.#unconfirmedWrites.clear();
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
      !this.#unconfirmedWrites.mayHaveOverwritten &&
      rows.length === drafts.size &&
      rows.every((row) => {
        const server = row.serverId === undefined ? undefined : drafts.get(row.serverId);
        return row.status === 'clean' && server !== undefined && this.#isSame(server, row);
      })
    );
  }

  /** Keeps texts that were overwritten unseen. Returns whether the event contains a change made elsewhere. */
  onEvent(event: EventOf<'drafts'>): boolean {
    if (event.op === 'remove') {
      this.#keepOverwritten(this.#unconfirmedWrites.takeRemoved(event.draft_id));
      const draft = this.#journal.byServerId(event.draft_id);
      return draft !== undefined && draft.status !== 'deleted';
    }
    const drafts = event.op === 'add' ? event.drafts : [event.draft];
    const selfId = this.#context.cache.state.self.userId;
    return drafts.filter((wire) => this.#isFromElsewhere(draftFromWire(wire, selfId))).length > 0;
  }

  #isFromElsewhere(server: ServerDraft): boolean {
    const {isOwn, overwritten} = this.#unconfirmedWrites.takeChanged(server);
    this.#keepOverwritten(overwritten);
    if (isOwn) return false;
    const draft = this.#journal.byServerId(server.id) ?? this.#findBeingCreated(server);
    return draft === undefined || !(isKnownVersion(draft, server, this.#isSame) || this.#isSame(server, draft));
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

  #isSame = (a: DraftContent, b: DraftContent): boolean => isSameOnServer(a, b, this.#context.cache.state);

  #findBeingCreated(server: ServerDraft): LocalDraft | undefined {
    const isMatch = ({serverId, sent}: LocalDraft) =>
      serverId === undefined && sent !== undefined && this.#isSame(server, sent);
    return this.#journal.all().find(isMatch);
  }

  /** Finds the draft without a server copy that this one belongs to. */
  #findUnlinked(server: ServerDraft): LocalDraft | undefined {
    const drafts = this.#journal.all().filter((draft) => draft.serverId === undefined && !isDeleted(draft));
    const continues = ({formerBase}: LocalDraft) => formerBase !== undefined && this.#isSame(server, formerBase);
    return (
      this.#findBeingCreated(server) ?? drafts.find((draft) => this.#isSame(server, draft)) ?? drafts.find(continues)
    );
  }

  /** Returns whether the server's drafts must be fetched before pushing: it is unknown whether a write arrived. */
  mustFetchFirst(): boolean {
    return this.#journal.all().some((draft) => isUnconfirmed(draft) || (draft.status === 'dirty' && draft.sent));
  }

  /** Returns whether there is something to send for this draft. */
  needsPush(draft: LocalDraft): boolean {
    if (draft.status === 'deleted') return isUnconfirmed(draft) || !this.#isBeingSent(draft);
    return draft.status === 'dirty' && !this.#isRefused(draft);
  }

  #isRefused(draft: LocalDraft): boolean {
    const refused = this.#refused.get(draft.id);
    return refused !== undefined && isSameDraftText(refused, draft);
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
        isDone = this.#journal.replace(draft, reconcileDraft(draft, server, this.#isSame)) && isDone;
      }
    }
    for (const server of drafts) this.#addServerDraft(server);
    for (const server of this.#unconfirmedWrites.takeOverwritten(byId)) this.#keepOverwritten(server);
    this.#removeContinued();
    for (const {id} of this.#journal.all().filter(isUnconfirmed)) {
      this.#journal.update(id, (draft) => draft && withoutSent(draft));
    }
    return isDone;
  }

  /**
   * Makes all drafts local. Servers delete the drafts of users who turn synchronization off, and the clients
   * keep them. Deleted drafts stay deleted, in case the server kept them.
   */
  detachFromServer(): void {
    for (const {id} of this.#journal.all()) {
      this.#journal.update(id, (draft) => {
        const isLocalOnly = draft?.serverId === undefined && draft?.sent === undefined;
        return draft === undefined || isLocalOnly || isDeleted(draft)
          ? draft
          : {...withoutServerCopy(draft), status: 'dirty'};
      });
    }
  }

  /**
   * Adds a server draft that matches no journal entry by id: one that was sent without a response, one that
   * was only local, one that another client uploaded too, or one written elsewhere.
   */
  #addServerDraft(server: ServerDraft): void {
    if (this.#journal.byServerId(server.id) !== undefined) return;
    const match = this.#findUnlinked(server);
    if (match !== undefined) {
      this.#markSynced(match.id, server.id, versionOnServer(server));
      return;
    }
    const twin = this.#journal.visible().find(({serverId, formerBase, ...draft}) => {
      return serverId !== undefined && formerBase !== undefined && this.#isSame(server, draft);
    });
    if (twin?.serverId !== undefined) this.#removeTwin(twin, twin.serverId, server);
    else this.#journal.add(draftFromServer(server, this.#freeId(server.id)));
  }

  /**
   * Deletes one of two copies of a draft. Clients upload their drafts at the same time when synchronization is turned
   * on; each of them keeps the copy with the lowest id.
   */
  #removeTwin(draft: LocalDraft, serverId: number, other: ServerDraft): void {
    const [kept, removed] = [Math.min(serverId, other.id), Math.max(serverId, other.id)];
    this.#journal.update(draft.id, (current) => current && {...current, serverId: kept});
    this.#journal.add(tombstone(this.#freeId(removed), removed, versionOnServer(other)));
  }

  /** Returns a local id that derives from the server's, so that two processes do not add a draft twice. */
  #freeId(serverId: number): string {
    let id = `s${serverId}`;
    while (this.#journal.get(id) !== undefined) id += '+';
    return id;
  }

  /** Sends a local change or deletion. */
  push(draft: LocalDraft): Promise<PushResult> {
    if (draft.status === 'dirty') return this.#write(draft);
    return draft.status === 'deleted' ? this.#remove(draft) : Promise.resolve('done');
  }

  async #write(draft: LocalDraft): Promise<PushResult> {
    const {api, cache, signal} = this.#context;
    const sent = versionToSend(draft);
    // Stored before it is sent, so that every later process recognizes it as ours.
    if (!this.#journal.replace(draft, {...draft, sent})) return 'again';
    const wire = wireDraft(sent, cache.state.self.userId);
    try {
      if (draft.serverId === undefined) {
        const [id] = (await api.createDrafts({drafts: [wire]}, {signal})).ids;
        if (id === undefined) return 'done';
        if (!cache.state.drafts.has(id)) this.#unconfirmedWrites.add(id, sent, []);
        this.#markSynced(draft.id, id, sent);
      } else {
        this.#unconfirmedWrites.add(draft.serverId, sent, [draft.base, draft.sent]);
        await api.editDraft({draft_id: draft.serverId, draft: wire}, {signal});
        this.#markSynced(draft.id, draft.serverId, sent);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return this.#writeRefused(draft, error);
    }
    return 'done';
  }

  #writeRefused(draft: LocalDraft, failure: PermanentFailure): PushResult {
    if (draft.serverId !== undefined) this.#unconfirmedWrites.undo(draft.serverId);
    if (isMissing(failure) && draft.serverId !== undefined) {
      this.#journal.update(
        draft.id,
        (current) => current && (isDeleted(current) ? undefined : withoutServerCopy(current)),
      );
      return 'again';
    }
    this.#refused.set(draft.id, draft);
    this.#journal.update(draft.id, (current) => current && withoutSent(current));
    return 'done';
  }

  /** Records that the server has this version; later edits still have to be sent. */
  #markSynced(id: string, serverId: number, version: DraftVersion): void {
    this.#journal.update(id, (draft) => {
      // The draft was sent as a message or discarded before its server id was known, so it must be deleted there too.
      if (draft === undefined) return tombstone(id, serverId, version);
      const {formerBase, ...rest} = withoutSent(draft);
      const isNew = draft.serverId === undefined && formerBase !== undefined;
      const synced = {...rest, serverId, base: version, ...(isNew && {formerBase})};
      if (draft.status === 'deleted') return synced;
      return {...synced, status: this.#isSame(draft, version) ? 'clean' : 'dirty'};
    });
  }

  async #remove(draft: LocalDraft): Promise<PushResult> {
    const {api, signal} = this.#context;
    if (draft.serverId === undefined) {
      if (!isUnconfirmed(draft)) this.#journal.replace(draft, undefined);
      return 'done';
    }
    this.#unconfirmedWrites.add(draft.serverId, undefined, [draft, draft.base, draft.sent]);
    try {
      await api.deleteDraft({draft_id: draft.serverId}, {signal});
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#unconfirmedWrites.undo(draft.serverId);
      if (!isMissing(error)) throw error;
    }
    this.#journal.update(draft.id, (current) => {
      if (current === undefined || current.serverId !== draft.serverId) return current;
      return isDeleted(current) ? undefined : {...withoutServerCopy(current), status: 'dirty'};
    });
    return 'done';
  }

  /**
   * Returns whether a message from this draft is in the outbox: until it is delivered, the server's copy is a
   * backup of the text.
   */
  #isBeingSent({id}: LocalDraft): boolean {
    return this.#context.store.outbox.all().some(({draftId}) => draftId === id);
  }
}

/** Returns whether the server has no such draft. A proxy's page with this status does not say so. */
function isMissing(failure: PermanentFailure): boolean {
  return failure.status === 404 && !isFromElsewhere(failure);
}
