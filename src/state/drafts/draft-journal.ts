import type {DraftVersion, LocalDraft} from '#state/model/draft.ts';
import type {SessionContext} from '#state/session-context.ts';
import {isDeleted, isSameOnServer, type SameTest, tombstone, withoutSent, withoutServerCopy} from './draft-versions.ts';

/**
 * The drafts on disk and, except those waiting for deletion, in the state.
 *
 * Several processes share them. Every change names the version it replaces, so that no process undoes another's change.
 */
export class DraftJournal {
  readonly #context: Pick<SessionContext, 'cache' | 'store'>;
  #rows = new Map<string, LocalDraft>();
  #published: readonly LocalDraft[] = [];

  constructor(context: Pick<SessionContext, 'cache' | 'store'>) {
    this.#context = context;
    this.reload();
  }

  get(id: string): LocalDraft | undefined {
    return this.#current().get(id);
  }

  all(): readonly LocalDraft[] {
    return [...this.#current().values()];
  }

  visible(): readonly LocalDraft[] {
    this.#current();
    return this.#published;
  }

  byServerId(serverId: number): LocalDraft | undefined {
    return this.all().find((draft) => draft.serverId === serverId);
  }

  reload(): void {
    this.#rows = new Map(this.#context.store.drafts.all().map((draft) => [draft.id, draft]));
    this.#publish();
  }

  add(draft: LocalDraft): void {
    this.#context.store.drafts.put(draft);
    this.#current().set(draft.id, draft);
    this.#publish();
  }

  /** Returns false, and reloads, when the stored draft differs from `before`. */
  replace(before: LocalDraft, after: LocalDraft | undefined): boolean {
    if (before === after) return true;
    if (!this.#context.store.drafts.replace(before, after)) {
      this.reload();
      return false;
    }
    const rows = this.#current();
    if (after === undefined) rows.delete(before.id);
    else rows.set(before.id, after);
    this.#publish();
    return true;
  }

  /**
   * Applies `change` until it succeeds, and returns the draft that was written. `change` may return its
   * argument when nothing is left to do.
   */
  update(id: string, change: (draft: LocalDraft | undefined) => LocalDraft | undefined): LocalDraft | undefined {
    for (;;) {
      const before = this.get(id);
      const after = change(before);
      if (before === undefined) {
        if (after !== undefined) this.add(after);
        return after;
      }
      if (this.replace(before, after)) return after;
    }
  }

  /** Returns whether two drafts are equal to the server. */
  readonly isSame: SameTest = (a, b) => isSameOnServer(a, b, this.#context.cache.state);

  /** Records that the server has this version; later edits still have to be sent. */
  markSynced(id: string, serverId: number, version: DraftVersion): void {
    this.update(id, (draft) => {
      // The draft was sent as a message or discarded before its server id was known, so it must be deleted there too.
      if (draft === undefined) return tombstone(id, serverId, version);
      const {formerBase, ...rest} = withoutSent(draft);
      const isNew = draft.serverId === undefined && formerBase !== undefined;
      const synced = {...rest, serverId, base: version, ...(isNew && {formerBase})};
      if (draft.status === 'deleted') return synced;
      return {...synced, status: this.isSame(draft, version) ? 'clean' : 'dirty'};
    });
  }

  /**
   * Makes all drafts local. Servers delete the drafts of users who turn synchronization off, and the clients
   * keep them. Deleted drafts stay deleted, in case the server kept them.
   */
  detachFromServer(): void {
    for (const {id} of this.all()) {
      this.update(id, (draft) => {
        const isLocalOnly = draft?.serverId === undefined && draft?.sent === undefined;
        return draft === undefined || isLocalOnly || isDeleted(draft)
          ? draft
          : {...withoutServerCopy(draft), status: 'dirty'};
      });
    }
  }

  /**
   * Returns the rows, reloaded if the outbox changed the drafts: sending removes a draft, and a message may
   * become one again.
   */
  #current(): Map<string, LocalDraft> {
    if (this.#context.cache.state.localDrafts !== this.#published) this.reload();
    return this.#rows;
  }

  #publish(): void {
    const {cache} = this.#context;
    const visible = [...this.#rows.values()].filter(({status}) => status !== 'deleted');
    const known = cache.state.localDrafts;
    const isKnown = known.length === visible.length && visible.every((draft, index) => draft === known[index]);
    this.#published = isKnown ? known : visible;
    if (!isKnown) cache.apply({type: 'local_drafts_changed', localDrafts: visible});
  }
}
