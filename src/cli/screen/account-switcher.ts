import type {AccountChoice, Accounts} from '#app/core/accounts.ts';
import {unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountApp} from './account-app.ts';
import {errorMessage} from './log-file.ts';
import type {ScreenHost} from './screen-host.tsx';

/** An account that can be shown. */
export interface AccountEntry {
  readonly name: string;
  readonly detail: () => string;
  /** Opens the account. It is called once, and again after a failure. */
  readonly open: () => Promise<AccountApp>;
}

/** Switches between the accounts. Each is opened when it is first shown, and stays open. */
export class AccountSwitcher implements Accounts {
  readonly #host: Pick<ScreenHost, 'show' | 'shown'>;
  readonly #entries: readonly AccountEntry[];
  readonly #opened = new Map<number, AccountApp>();
  #shown = 0;
  #isOpening = false;

  constructor(host: Pick<ScreenHost, 'show' | 'shown'>, entries: readonly AccountEntry[]) {
    this.#host = host;
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.length;
  }

  get opened(): readonly AccountApp[] {
    return [...this.#opened.values()];
  }

  list(): readonly AccountChoice[] {
    return this.#entries.map(({name, detail}, index) => {
      const opened = this.#opened.get(index);
      return {
        name,
        detail: detail(),
        isShown: index === this.#shown,
        unreadCount: opened === undefined ? undefined : unreadCounts(opened.app.state).total,
      };
    });
  }

  /** Opens and shows the first account at the start. */
  async openFirst(index: number): Promise<AccountApp> {
    const entry = this.#entries[index];
    if (entry === undefined) throw new Error(`There is no account ${index + 1}`);
    const account = await entry.open();
    this.#opened.set(index, account);
    this.#shown = index;
    this.#host.show(account.app);
    return account;
  }

  show(index: number): void {
    const entry = this.#entries[index];
    const current = this.#host.shown;
    if (entry === undefined) {
      current?.toast(`There is no account ${index + 1}. Add one with “parley login”.`, 'warning');
      return;
    }
    const opened = this.#opened.get(index);
    if (opened !== undefined) this.#showOpened(index, opened);
    else if (!this.#isOpening) void this.#open(index, entry);
  }

  async #open(index: number, entry: AccountEntry): Promise<void> {
    this.#isOpening = true;
    try {
      const account = await entry.open();
      this.#opened.set(index, account);
      this.#showOpened(index, account);
      account.start();
    } catch (error) {
      this.#host.shown?.toast(errorMessage(error), 'error');
    } finally {
      this.#isOpening = false;
    }
  }

  #showOpened(index: number, {app}: AccountApp): void {
    this.#shown = index;
    this.#host.show(app);
  }
}
