import type {PendingChangeStore} from '#state/account-store.ts';

/**
 * A right that only one of all programs has at a time, and that a dead one loses.
 *
 * It is a deed that nobody ever carries out; when two programs made one at the same moment, the older one counts.
 */
export class Lease {
  readonly #deeds: PendingChangeStore;
  readonly #body: string;
  readonly #now: () => number;
  #held: number | undefined;

  constructor(deeds: PendingChangeStore, name: string, now: () => number) {
    this.#deeds = deeds;
    this.#body = JSON.stringify({kind: leaseKind, name});
    this.#now = now;
  }

  acquire(): boolean {
    if (this.#held !== undefined) return true;
    if (this.#find() === undefined) this.#deeds.add(this.#body, this.#now());
    const id = this.#find();
    if (id === undefined || !this.#deeds.claim(id)) return false;
    this.#held = id;
    return true;
  }

  release(): void {
    if (this.#held === undefined) return;
    this.#deeds.release(this.#held);
    this.#held = undefined;
  }

  #find(): number | undefined {
    return this.#deeds.all().find(({body}) => body === this.#body)?.id;
  }
}

export const leaseKind = 'lease';
