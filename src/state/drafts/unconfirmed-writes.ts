import type {ServerDraft} from '#state/slices/drafts.ts';
import type {DraftContent, SameTest} from './draft-versions.ts';

interface Write {
  /** Undefined: deleted. */
  readonly version: DraftContent | undefined;
  /** The versions that were replaced knowingly. */
  readonly known: readonly DraftContent[];
}

/**
 * The writes of this process to the server's drafts whose events have not arrived yet.
 *
 * The server overwrites and deletes without checks. Events have the order of the changes, so a text from elsewhere
 * that arrives before the event of an own write was overwritten by it, and must be kept as another draft.
 */
export class UnconfirmedWrites {
  readonly #same: SameTest;
  readonly #writes = new Map<number, readonly Write[]>();
  /** Texts from elsewhere that an own write or deletion overwrote, if it was carried out. */
  readonly #overwritten = new Map<number, {readonly text: ServerDraft; readonly isDeletion: boolean}>();

  constructor(same: SameTest) {
    this.#same = same;
  }

  get mayHaveOverwritten(): boolean {
    return this.#overwritten.size > 0;
  }

  add(draftId: number, version: DraftContent | undefined, known: readonly (DraftContent | undefined)[]): void {
    const write = {version, known: known.filter((each) => each !== undefined)};
    this.#writes.set(draftId, [...this.#of(draftId), write]);
  }

  /** Forgets the latest write: the server refused it. */
  undo(draftId: number): void {
    this.#set(draftId, this.#of(draftId).slice(0, -1));
  }

  /** Forgets the writes, whose events a new event queue does not deliver. */
  clear(): void {
    this.#writes.clear();
  }

  /** Returns whether the version is an own write, and the text that this write overwrote. */
  takeChanged(server: ServerDraft): {readonly isOwn: boolean; readonly overwritten: ServerDraft | undefined} {
    const writes = this.#of(server.id);
    const index = writes.findIndex(({version}) => version !== undefined && this.#same(version, server));
    if (index >= 0) {
      this.#set(server.id, writes.slice(index + 1));
      return {isOwn: true, overwritten: this.#take(server.id)?.text};
    }
    const isKnown = writes.some(({known}) => known.some((version) => this.#same(version, server)));
    if (writes.length > 0 && !isKnown) {
      const isDeletion = writes.some(({version}) => version === undefined);
      this.#overwritten.set(server.id, {text: server, isDeletion});
    }
    return {isOwn: false, overwritten: undefined};
  }

  /** Returns the text that an own deletion deleted unseen. */
  takeRemoved(draftId: number): ServerDraft | undefined {
    this.#writes.delete(draftId);
    const overwritten = this.#take(draftId);
    return overwritten?.isDeletion ? overwritten.text : undefined;
  }

  /** Returns the overwritten texts, given the server's present drafts. */
  takeOverwritten(drafts: ReadonlyMap<number, ServerDraft>): readonly ServerDraft[] {
    const candidates = [...this.#overwritten.values()];
    this.#overwritten.clear();
    return candidates.flatMap(({text, isDeletion}) => {
      const now = drafts.get(text.id);
      const isGone = now === undefined ? isDeletion : !this.#same(now, text);
      return isGone ? [text] : [];
    });
  }

  #of(draftId: number): readonly Write[] {
    return this.#writes.get(draftId) ?? [];
  }

  #set(draftId: number, writes: readonly Write[]): void {
    if (writes.length === 0) this.#writes.delete(draftId);
    else this.#writes.set(draftId, writes);
  }

  #take(draftId: number) {
    const overwritten = this.#overwritten.get(draftId);
    this.#overwritten.delete(draftId);
    return overwritten;
  }
}
