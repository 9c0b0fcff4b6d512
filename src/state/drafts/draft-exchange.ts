import {isApiFailure, type PermanentFailure} from '#api/failure.ts';
import type {DraftVersion, LocalDraft} from '#state/model/draft.ts';
import {draftFromWire, type ServerDraft} from '#state/model/personal.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {DraftsEvent} from '#wire/events/drafts.ts';
import type {DraftJournal} from './draft-journal.ts';
import {type DraftContent, isSameDraftText, isSameOnServer, versionToSend, wireDraft} from './draft-versions.ts';
import {
  draftFromServer,
  isKnownVersion,
  reconcileDraft,
  versionOnServer,
  withoutSent,
  withoutServerCopy,
} from './reconcile-draft.ts';

/** A list this long may be truncated: drafts missing from it may still exist. */
const maxListLength = 1000;
/** With more drafts than this the list is not fetched at every pause in typing. */
const manyDrafts = 100;

/** `again`: the draft needs another pass. */
export type PushResult = 'done' | 'again';

/**
 * Exchanges drafts between the journal and the server, one step at a time, while no other process does.
 *
 * A version is on disk before it is sent. So a version on the server that is neither the last agreed nor the
 * last sent one was written elsewhere.
 */
export class DraftExchange {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  /** Drafts that the server refused, by id; not retried until they change. */
  readonly #refused = new Map<string, LocalDraft>();

  constructor(context: SessionContext, journal: DraftJournal) {
    this.#context = context;
    this.#journal = journal;
  }

  /** Allows refused drafts to be sent again. */
  forgetRefusals(): void {
    this.#refused.clear();
  }

  /** Returns whether the journal matches the drafts of the latest registration. */
  isInSync(): boolean {
    const {drafts} = this.#context.cache.state;
    const rows = this.#journal.all();
    return (
      rows.length === drafts.size &&
      rows.every((row) => {
        const server = row.serverId === undefined ? undefined : drafts.get(row.serverId);
        return row.status === 'clean' && server !== undefined && this.#isSame(server, row);
      })
    );
  }

  /** Returns whether the event contains a change made elsewhere. */
  isFromElsewhere(event: DraftsEvent): boolean {
    if (event.op === 'remove') {
      const draft = this.#journal.byServerId(event.draft_id);
      return draft !== undefined && draft.status !== 'deleted';
    }
    const drafts = event.op === 'add' ? event.drafts : [event.draft];
    return drafts.some((wire) => {
      const server = draftFromWire(wire, this.#context.cache.state.self.userId);
      const draft = this.#journal.byServerId(server.id) ?? this.#findBeingCreated(server);
      return draft === undefined || !(isKnownVersion(draft, server, this.#isSame) || this.#isSame(server, draft));
    });
  }

  #isSame = (a: DraftContent, b: DraftContent): boolean => isSameOnServer(a, b, this.#context.cache.state);

  #findBeingCreated(server: ServerDraft): LocalDraft | undefined {
    const isMatch = ({serverId, sent}: LocalDraft) =>
      serverId === undefined && sent !== undefined && this.#isSame(server, sent);
    return this.#journal.all().find(isMatch);
  }

  #findLocalOnly(server: ServerDraft): LocalDraft | undefined {
    const isMatch = (draft: LocalDraft) =>
      draft.serverId === undefined && !isDeleted(draft) && this.#isSame(server, draft);
    return this.#journal.all().find(isMatch);
  }

  /**
   * Returns whether the server's drafts must be fetched before pushing: the server overwrites and deletes
   * without checks, and an edit from elsewhere may not have arrived yet. Skipped when the list is long and
   * only edits are at stake, since events report those soon.
   */
  mustFetchFirst(): boolean {
    const drafts = this.#journal.all();
    return drafts.some((draft) => {
      if (isUnconfirmed(draft)) return true;
      if (draft.serverId === undefined || draft.status === 'clean') return false;
      return draft.status === 'deleted' ? !this.#isBeingSent(draft) : drafts.length <= manyDrafts;
    });
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
      if (server !== undefined || isComplete) isDone = this.#reconcile(draft, server) && isDone;
    }
    for (const server of drafts) this.#addServerDraft(server);
    for (const {id} of this.#journal.all().filter(isUnconfirmed)) {
      this.#journal.update(id, (draft) => draft && withoutSent(draft));
    }
    return isDone;
  }

  #reconcile(draft: LocalDraft, server: ServerDraft | undefined): boolean {
    const result = reconcileDraft(draft, server, this.#isSame);
    if (result.other !== undefined && this.#journal.get(result.other.id) === undefined) {
      this.#journal.add(result.other);
    }
    return this.#journal.replace(draft, result.draft);
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
   * was only local, or one written elsewhere.
   */
  #addServerDraft(server: ServerDraft): void {
    if (this.#journal.byServerId(server.id) !== undefined) return;
    const match = this.#findBeingCreated(server) ?? this.#findLocalOnly(server);
    if (match === undefined) this.#journal.update(`s${server.id}`, (draft) => draft ?? draftFromServer(server));
    else this.#markSynced(match.id, server.id, versionOnServer(server));
  }

  /** Sends a local change or deletion. */
  push(draft: LocalDraft): Promise<PushResult> {
    if (draft.status === 'dirty') return this.#write(draft);
    return draft.status === 'deleted' ? this.#remove(draft) : Promise.resolve('done');
  }

  async #write(draft: LocalDraft): Promise<PushResult> {
    const {api, cache, signal} = this.#context;
    const refused = this.#refused.get(draft.id);
    if (refused !== undefined && isSameDraftText(refused, draft)) return 'done';
    const sent = versionToSend(draft);
    // Stored before it is sent, so that every later process recognizes it as ours.
    if (!this.#journal.replace(draft, {...draft, sent})) return 'again';
    const wire = wireDraft(sent, cache.state.self.userId);
    try {
      if (draft.serverId === undefined) {
        const [id] = (await api.createDrafts({drafts: [wire]}, {signal})).ids;
        if (id !== undefined) this.#markSynced(draft.id, id, sent);
      } else {
        await api.editDraft({draft_id: draft.serverId, draft: wire}, {signal});
        this.#markSynced(draft.id, draft.serverId, sent);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return this.#writeRefused(draft, error);
    }
    return 'done';
  }

  #writeRefused(draft: LocalDraft, {status}: PermanentFailure): PushResult {
    if (status === 404 && draft.serverId !== undefined) {
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
      const synced = {...withoutSent(draft), serverId, base: version};
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
    if (this.#isBeingSent(draft)) return 'done';
    try {
      await api.deleteDraft({draft_id: draft.serverId}, {signal});
    } catch (error) {
      if (!isRefusal(error) || error.status !== 404) throw error;
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

/** Returns whether the draft was sent as new and no response arrived. */
function isUnconfirmed({serverId, sent}: LocalDraft): boolean {
  return serverId === undefined && sent !== undefined;
}

function isDeleted({status}: LocalDraft): boolean {
  return status === 'deleted';
}

function tombstone(id: string, serverId: number, {target, content, timestamp}: DraftVersion): LocalDraft {
  const base = {target, content, timestamp};
  return {id, serverId, target, content, editedAt: timestamp * 1000, base, status: 'deleted'};
}

function isRefusal(error: unknown): error is PermanentFailure {
  return isApiFailure(error) && error.kind === 'permanent' && error.status !== undefined;
}
