import type {PendingChangeStore} from '#state/account-store.ts';

/**
 * A lock that only one process has at a time, and that a dead process loses.
 *
 * It is a stored pending change that is never sent; when two processes create one at the same moment, the
 * older one counts.
 */
export class Lease {
  readonly #store: PendingChangeStore;
  readonly #body: string;
  readonly #now: () => number;
  #heldId: number | undefined;

  constructor(store: PendingChangeStore, name: string, now: () => number) {
    this.#store = store;
    this.#body = JSON.stringify({kind: leaseKind, name});
    this.#now = now;
  }

  acquire(): boolean {
    if (this.#heldId !== undefined) return true;
    if (this.#find() === undefined) this.#store.add(this.#body, this.#now());
    const id = this.#find();
    if (id === undefined || !this.#store.claim(id)) return false;
    this.#heldId = id;
    return true;
  }

  release(): void {
    if (this.#heldId === undefined) return;
    this.#store.release(this.#heldId);
    this.#heldId = undefined;
  }

  #find(): number | undefined {
    return this.#store.all().find(({body}) => body === this.#body)?.id;
  }
}

const leaseKind = 'lease';
