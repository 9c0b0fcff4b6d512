import type {Api} from '#api/api.ts';
import type {AccountStore} from '#state/account-store.ts';

/** Thrown by every operation of a killed client. */
export class KilledError extends Error {}

/**
 * Kills a client between any two of its steps: there is a step before each change on disk, one before each
 * request and one before its response, and these are counted. From step `dieAt` on, nothing has any effect:
 * the disk throws, responses never arrive.
 */
export class KillSwitch {
  readonly #dieAt: number;
  /** Resolves when the client is killed, since its own promises never settle. */
  readonly death: Promise<void>;
  #die = () => {};
  #moments = 0;

  constructor(dieAt: number) {
    this.#dieAt = dieAt;
    this.death = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  get isDead(): boolean {
    return this.#moments > this.#dieAt;
  }

  wrap = (parts: {api: Api; store: AccountStore}): {api: Api; store: AccountStore} => {
    const {outbox, drafts, keyValues: notes, pendingChanges, messages, savedState: snapshot} = parts.store;
    const store: AccountStore = {
      outbox: this.#disk(outbox),
      drafts: this.#disk(drafts),
      keyValues: this.#disk(notes),
      pendingChanges: this.#disk(pendingChanges),
      messages,
      savedState: snapshot,
      synced: () => parts.store.synced(),
      writeProblem: undefined,
      onWriteProblem: () => () => {},
      onExternalChange: (listener) => parts.store.onExternalChange(() => this.isDead || listener()),
      close: () => {},
    };
    return {store, api: this.#server(parts.api)};
  };

  /** Counts a step; returns true when the client is dead. */
  #step(): boolean {
    this.#moments++;
    if (this.isDead) this.#die();
    return this.isDead;
  }

  #disk<T extends object>(part: T): T {
    return mapped(part, (call, name) => (...args: unknown[]) => {
      if (readOnlyMethods.has(name) ? this.isDead : this.#step()) throw new KilledError();
      return call(...args);
    });
  }

  #server(api: Api): Api {
    return mapped(api, (call) => async (...args: unknown[]) => {
      if (this.#step()) return new Promise(() => {});
      const result = await call(...args);
      return this.#step() ? new Promise(() => {}) : result;
    });
  }
}

/** Methods that change nothing on disk, before which killing makes no difference. */
const readOnlyMethods: ReadonlySet<string> = new Set(['all', 'get']);

type Call = (...args: unknown[]) => unknown;

function mapped<T extends object>(object: T, wrap: (call: Call, name: string) => Call): T {
  const entries = Object.entries(object).map(([name, value]) => [
    name,
    typeof value === 'function' ? wrap(value.bind(object), name) : value,
  ]);
  return Object.fromEntries(entries);
}
