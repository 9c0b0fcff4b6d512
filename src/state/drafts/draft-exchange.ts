import {isApiFailure, type PermanentFailure} from '#api/failure.ts';
import type {DraftVersion, LocalDraft} from '#state/model/draft.ts';
import {draftFromWire, type ServerDraft} from '#state/model/personal.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {DraftsEvent} from '#wire/events/drafts.ts';
import type {DraftJournal} from './draft-journal.ts';
import {
  type DraftContent,
  isSameDraftText,
  isSameOnServer,
  versionToSend,
  wireDraft,
} from './draft-versions.ts';
import {
  draftFromServer,
  isKnownVersion,
  reconcileDraft,
  versionOnServer,
  withoutSent,
  withoutServerCopy,
} from './reconcile-draft.ts';

/** A list this long may have been cut: what is not in it may still be there. */
const longestList = 1000;
/** A list of more than this is not asked for each time somebody pauses in writing. */
const manyDrafts = 100;

/** `again`: something else has to be done about it. */
export type PushResult = 'done' | 'again';

/**
 * What passes between the journal and the server, one step at a time, while no other program does the same.
 *
 * What is about to be sent is on disk before it leaves. So whatever the server has that is neither the last version agreed
 * on nor the last one sent was written elsewhere.
 */
export class DraftExchange {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  /** What the server does not take, by draft; not tried again until it is changed. */
  readonly #refused = new Map<string, LocalDraft>();

  constructor(context: SessionContext, journal: DraftJournal) {
    this.#context = context;
    this.#journal = journal;
  }

  /** What was refused may be taken now. */
  forgetRefusals(): void {
    this.#refused.clear();
  }

  /** Is there nothing to do, as far as the latest registration knows? */
  isInSync(): boolean {
    const {drafts} = this.#context.cache.state;
    const rows = this.#journal.all();
    return (
      rows.length === drafts.size &&
      rows.every((row) => {
        const server = row.serverId === undefined ? undefined : drafts.get(row.serverId);
        return row.status === 'clean' && server !== undefined && this.#same(server, row);
      })
    );
  }

  /** Does something in it come from elsewhere? */
  isFromElsewhere(event: DraftsEvent): boolean {
    if (event.op === 'remove') {
      const draft = this.#journal.byServerId(event.draft_id);
      return draft !== undefined && draft.status !== 'deleted';
    }
    const drafts = event.op === 'add' ? event.drafts : [event.draft];
    return drafts.some((wire) => {
      const server = draftFromWire(wire, this.#context.cache.state.self.userId);
      const draft = this.#journal.byServerId(server.id) ?? this.#beingCreated(server);
      return draft === undefined || !(isKnownVersion(draft, server, this.#same) || this.#same(server, draft));
    });
  }

  #same = (a: DraftContent, b: DraftContent): boolean => isSameOnServer(a, b, this.#context.cache.state);

  #beingCreated(server: ServerDraft): LocalDraft | undefined {
    const isIt = ({serverId, sent}: LocalDraft) =>
      serverId === undefined && sent !== undefined && this.#same(server, sent);
    return this.#journal.all().find(isIt);
  }

  #onlyHere(server: ServerDraft): LocalDraft | undefined {
    const isIt = (draft: LocalDraft) =>
      draft.serverId === undefined && !deletedIn(draft) && this.#same(server, draft);
    return this.#journal.all().find(isIt);
  }

  /**
   * The server overwrites and deletes without asking, and an edit from elsewhere may not have been heard of yet. So it is
   * looked at before, unless that costs much and only a change is at stake that events tell of soon enough.
   */
  mustFetchFirst(): boolean {
    const drafts = this.#journal.all();
    return drafts.some((draft) => {
      if (isInDoubt(draft)) return true;
      if (draft.serverId === undefined || draft.status === 'clean') return false;
      return draft.status === 'deleted' ? !this.#isBeingSent(draft) : drafts.length <= manyDrafts;
    });
  }

  /** Takes in what the server has. False when another program wrote at the same time: then it has to be done again. */
  async mergeServerDrafts(): Promise<boolean> {
    const {api, cache, signal} = this.#context;
    const answer = await api.getDrafts({}, {signal});
    const drafts = answer.drafts.map((wire) => draftFromWire(wire, cache.state.self.userId));
    let isDone = true;
    const byId = new Map(drafts.map((draft) => [draft.id, draft]));
    // What could not be read is there all the same.
    const isWhole = drafts.length < longestList && drafts.length >= answer.count;
    for (const draft of this.#journal.all()) {
      if (draft.serverId === undefined) continue;
      const server = byId.get(draft.serverId);
      if (server !== undefined || isWhole) isDone = this.#reconcile(draft, server) && isDone;
    }
    for (const server of drafts) this.#takeIn(server);
    for (const {id} of this.#journal.all().filter(isInDoubt)) {
      this.#journal.update(id, (draft) => draft && withoutSent(draft));
    }
    return isDone;
  }

  #reconcile(draft: LocalDraft, server: ServerDraft | undefined): boolean {
    const result = reconcileDraft(draft, server, this.#same);
    if (result.other !== undefined && this.#journal.get(result.other.id) === undefined) {
      this.#journal.add(result.other);
    }
    return this.#journal.replace(draft, result.draft);
  }

  /**
   * Servers delete the drafts of those who no longer want them there, and leave it to the clients to keep them: what was
   * agreed on is only here from now on. What is deleted stays so, should the server have kept it.
   */
  detachFromServer(): void {
    for (const {id} of this.#journal.all()) {
      this.#journal.update(id, (draft) => {
        const isHere = draft?.serverId === undefined && draft?.sent === undefined;
        return draft === undefined || isHere || deletedIn(draft)
          ? draft
          : {...withoutServerCopy(draft), status: 'dirty'};
      });
    }
  }

  /**
   * A draft of the server that no draft of ours belongs to: one that we sent and never heard of, one that we kept while the
   * server was not to have it, or somebody else's.
   */
  #takeIn(server: ServerDraft): void {
    if (this.#journal.byServerId(server.id) !== undefined) return;
    const own = this.#beingCreated(server) ?? this.#onlyHere(server);
    if (own === undefined) this.#journal.update(`s${server.id}`, (draft) => draft ?? draftFromServer(server));
    else this.#agree(own.id, server.id, versionOnServer(server));
  }

  /** What was written or removed here. */
  push(draft: LocalDraft): Promise<PushResult> {
    if (draft.status === 'dirty') return this.#write(draft);
    return draft.status === 'deleted' ? this.#remove(draft) : Promise.resolve('done');
  }

  async #write(draft: LocalDraft): Promise<PushResult> {
    const {api, cache, signal} = this.#context;
    const refused = this.#refused.get(draft.id);
    if (refused !== undefined && isSameDraftText(refused, draft)) return 'done';
    const sent = versionToSend(draft);
    // On disk before it leaves: whoever comes after us must know it for ours.
    if (!this.#journal.replace(draft, {...draft, sent})) return 'again';
    const wire = wireDraft(sent, cache.state.self.userId);
    try {
      if (draft.serverId === undefined) {
        const [id] = (await api.createDrafts({drafts: [wire]}, {signal})).ids;
        if (id !== undefined) this.#agree(draft.id, id, sent);
      } else {
        await api.editDraft({draft_id: draft.serverId, draft: wire}, {signal});
        this.#agree(draft.id, draft.serverId, sent);
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
        (current) => current && (deletedIn(current) ? undefined : withoutServerCopy(current)),
      );
      return 'again';
    }
    this.#refused.set(draft.id, draft);
    this.#journal.update(draft.id, (current) => current && withoutSent(current));
    return 'done';
  }

  /** The server has this version; whatever was written since is still to be sent. */
  #agree(id: string, serverId: number, version: DraftVersion): void {
    this.#journal.update(id, (draft) => {
      // Sent or thrown away in the meantime, when nobody knew yet that the server has it: it has to go there too.
      if (draft === undefined) return tombstone(id, serverId, version);
      const agreed = {...withoutSent(draft), serverId, base: version};
      if (draft.status === 'deleted') return agreed;
      return {...agreed, status: this.#same(draft, version) ? 'clean' : 'dirty'};
    });
  }

  async #remove(draft: LocalDraft): Promise<PushResult> {
    const {api, signal} = this.#context;
    if (draft.serverId === undefined) {
      if (!isInDoubt(draft)) this.#journal.replace(draft, undefined);
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
      return deletedIn(current) ? undefined : {...withoutServerCopy(current), status: 'dirty'};
    });
    return 'done';
  }

  /** Until the message written in it has arrived, the server's copy is one more place where the text is safe. */
  #isBeingSent({id}: LocalDraft): boolean {
    return this.#context.store.outbox.all().some(({draftId}) => draftId === id);
  }
}

/** It was sent as a new draft, and no answer came. */
function isInDoubt({serverId, sent}: LocalDraft): boolean {
  return serverId === undefined && sent !== undefined;
}

function deletedIn({status}: LocalDraft): boolean {
  return status === 'deleted';
}

function tombstone(id: string, serverId: number, {target, content, timestamp}: DraftVersion): LocalDraft {
  const base = {target, content, timestamp};
  return {id, serverId, target, content, editedAt: timestamp * 1000, base, status: 'deleted'};
}

function isRefusal(error: unknown): error is PermanentFailure {
  return isApiFailure(error) && error.kind === 'permanent' && error.status !== undefined;
}
