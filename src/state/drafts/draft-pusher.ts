import type {LocalDraft} from '#state/model/draft.ts';
import type {SessionContext} from '#state/session-context.ts';
import {isFromElsewhere, isRefusal, type PermanentFailure} from '#wire/failure.ts';
import type {DraftJournal} from './draft-journal.ts';
import {
  isDeleted,
  isSameDraftText,
  isUnconfirmed,
  versionToSend,
  wireDraft,
  withoutSent,
  withoutServerCopy,
} from './draft-versions.ts';
import type {UnconfirmedWrites} from './unconfirmed-writes.ts';

/** `again`: the draft needs another pass. */
type PushResult = 'done' | 'again';

/**
 * Sends local changes and deletions to the server, one at a time, while no other process does.
 *
 * A version is on disk before it is sent. So a version on the server that is neither the last agreed nor the
 * last sent one was written elsewhere. Nothing is fetched before a write: a text that was overwritten unseen is in
 * its event, and is kept as another draft (`UnconfirmedWrites`).
 */
export class DraftPusher {
  readonly #context: SessionContext;
  readonly #journal: DraftJournal;
  readonly #writes: UnconfirmedWrites;
  /** Drafts that the server refused, by id; not retried until they change. */
  readonly #refused = new Map<string, LocalDraft>();

  constructor(context: SessionContext, journal: DraftJournal, writes: UnconfirmedWrites) {
    this.#context = context;
    this.#journal = journal;
    this.#writes = writes;
  }

  /** Runs when the server is reachable again: a proxy may have refused the drafts. */
  onReachable(): void {
    this.#refused.clear();
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
        if (!cache.state.drafts.has(id)) this.#writes.add(id, sent, []);
        this.#journal.markSynced(draft.id, id, sent);
      } else {
        this.#writes.add(draft.serverId, sent, [draft.base, draft.sent]);
        await api.editDraft({draft_id: draft.serverId, draft: wire}, {signal});
        this.#journal.markSynced(draft.id, draft.serverId, sent);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return this.#writeRefused(draft, error);
    }
    return 'done';
  }

  #writeRefused(draft: LocalDraft, failure: PermanentFailure): PushResult {
    if (draft.serverId !== undefined) this.#writes.undo(draft.serverId);
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

  async #remove(draft: LocalDraft): Promise<PushResult> {
    const {api, signal} = this.#context;
    if (draft.serverId === undefined) {
      if (!isUnconfirmed(draft)) this.#journal.replace(draft, undefined);
      return 'done';
    }
    this.#writes.add(draft.serverId, undefined, [draft, draft.base, draft.sent]);
    try {
      await api.deleteDraft({draft_id: draft.serverId}, {signal});
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#writes.undo(draft.serverId);
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
