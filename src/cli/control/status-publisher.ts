import type {App} from '#app/core/app.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import {unreadCounts, viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import type {Clock} from '#std/clock.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {type AccountStatus, type ProgramStatus, writeStatusFile} from './status-text.ts';

/** The status file and events about counts and connections are written at most this often. */
const statusIntervalMs = 1000;

export interface StatusParts {
  readonly folder: string;
  readonly pid: number;
  readonly clock: Clock;
  /** The app of the account on the screen, whose status comes first. */
  readonly shown: () => App | undefined;
  readonly log: (line: string, error?: unknown) => void;
}

/** Keeps the status file of the open accounts up to date, and tells `notify` which counts and connections changed. */
export class StatusPublisher {
  readonly #parts: StatusParts;
  readonly #notify: (event: string, params: unknown) => void;
  readonly #startedAt: number;
  /** The open accounts, with what ends the watching of their states. */
  readonly #apps = new Map<App, () => void>();
  #written: readonly AccountStatus[] = [];
  #writtenAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(parts: StatusParts, notify: (event: string, params: unknown) => void) {
    this.#parts = parts;
    this.#notify = notify;
    this.#startedAt = parts.clock.now();
  }

  /** Includes an account from now on. Returns false for one that is included already. */
  add(app: App): boolean {
    if (this.#isStopped || this.#apps.has(app)) return false;
    this.#apps.set(app, () => {});
    app.onEnd(() => {
      this.#apps.get(app)?.();
      this.#apps.delete(app);
      this.#updateSoon();
    });
    // Another account may be on the screen now.
    app.afterPaint(() => {
      if (this.#parts.shown()?.info.accountName !== this.#written[0]?.account) this.#updateSoon();
    });
    this.#updateSoon();
    return true;
  }

  app(accountName: string): App | undefined {
    return this.#sorted().find(({info}) => info.accountName === accountName);
  }

  status(): ProgramStatus {
    return this.#statusOf(({state, info}) => accountStatus(state, info.accountName));
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  #sorted(): readonly App[] {
    const first = this.#parts.shown();
    return [...this.#apps.keys()].sort((one, other) => Number(other === first) - Number(one === first));
  }

  #statusOf(read: (app: App) => AccountStatus): ProgramStatus {
    return {pid: this.#parts.pid, startedAt: this.#startedAt, accounts: this.#sorted().map(read)};
  }

  #updateSoon(): void {
    const {clock} = this.#parts;
    if (this.#isStopped || this.#cancel !== undefined) return;
    this.#cancel = clock.after(Math.max(0, this.#writtenAt + statusIntervalMs - clock.monotonic()), () => {
      this.#cancel = undefined;
      this.#writtenAt = clock.monotonic();
      this.#update();
    });
  }

  #update(): void {
    const now = this.#statusOf((app) => this.#watchedStatus(app));
    const before = this.#written;
    if (now.accounts.length === 0 || deepEqual(now.accounts, before)) return;
    this.#written = now.accounts;
    try {
      writeStatusFile(this.#parts.folder, now);
    } catch (error) {
      this.#parts.log('The status file cannot be written', error);
    }
    for (const {account, connection, unread, mentions, direct} of now.accounts) {
      const old = before.find((each) => each.account === account);
      if (old?.connection !== connection) this.#notify('connection', {account, connection});
      if (old?.unread !== unread || old.mentions !== mentions || old.direct !== direct) {
        this.#notify('unread', {account, unread, mentions, direct});
      }
    }
  }

  /** Returns the account's status. Each slice of the state that was read for it is watched from now on, and no other. */
  #watchedStatus(app: App): AccountStatus {
    const slices = new Set<SliceName>();
    const status = accountStatus(recordingState(app.state, slices), app.info.accountName);
    this.#apps.get(app)?.();
    this.#apps.set(
      app,
      app.session.cache.subscribe([...slices], () => this.#updateSoon()),
    );
    return status;
  }
}

/** Returns the state as it is; what is read of it is added to `slices`. */
function recordingState(state: AccountState, slices: Set<SliceName>): AccountState {
  return new Proxy(state, {
    get: (_state, name) => {
      const slice = name as SliceName; // A state has nothing but slices.
      slices.add(slice);
      return state[slice];
    },
  });
}

function accountStatus(state: AccountState, account: string): AccountStatus {
  const {count, mentions} = viewUnreads(state, combinedFeedNarrow);
  return {
    account,
    organization: state.realm.name ?? '',
    connection: state.connection.phase,
    unread: count,
    mentions,
    direct: unreadCounts(state).directs,
    unsent: state.outbox.filter(({status}) => status !== 'sent').length,
  };
}
