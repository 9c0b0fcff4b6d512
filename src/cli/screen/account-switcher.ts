import type {AccountChoice, Accounts} from '#app/core/accounts.ts';
import {unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountApp} from './account-app.ts';
import {errorMessage} from './log-file.ts';
import type {ScreenHost} from './screen-host.tsx';

export interface AccountEntry {
  readonly name: string;
  readonly detail: () => string;
  /** Opens it; asked for once, and again after a failure. */
  readonly open: () => Promise<AccountApp>;
}

/** The accounts of this program. Each is opened when it is first shown, and stays. */
export class AccountSwitcher implements Accounts {
  readonly #stage: Pick<ScreenHost, 'show' | 'shown'>;
  readonly #places: readonly AccountEntry[];
  readonly #opened = new Map<number, AccountApp>();
  #shown = 0;
  #isOpening = false;

  constructor(stage: Pick<ScreenHost, 'show' | 'shown'>, places: readonly AccountEntry[]) {
    this.#stage = stage;
    this.#places = places;
  }

  get size(): number {
    return this.#places.length;
  }

  get opened(): readonly AccountApp[] {
    return [...this.#opened.values()];
  }

  list(): readonly AccountChoice[] {
    return this.#places.map(({name, detail}, index) => {
      const opened = this.#opened.get(index);
      return {
        name,
        detail: detail(),
        isShown: index === this.#shown,
        unreadCount: opened === undefined ? undefined : unreadCounts(opened.app.state).total,
      };
    });
  }

  /** The first one: it is there before anything else happens. */
  async openFirst(index: number): Promise<AccountApp> {
    const place = this.#places[index];
    if (place === undefined) throw new Error(`There is no account number ${index + 1}`);
    const account = await place.open();
    this.#opened.set(index, account);
    this.#shown = index;
    this.#stage.show(account.app);
    return account;
  }

  show(index: number): void {
    const place = this.#places[index];
    const current = this.#stage.shown;
    if (place === undefined) {
      current?.toast(`There is no account number ${index + 1}.`, 'warning');
      return;
    }
    const opened = this.#opened.get(index);
    if (opened !== undefined) this.#bring(index, opened);
    else if (!this.#isOpening) void this.#open(index, place);
  }

  async #open(index: number, place: AccountEntry): Promise<void> {
    this.#isOpening = true;
    try {
      const account = await place.open();
      this.#opened.set(index, account);
      this.#bring(index, account);
      account.start();
    } catch (error) {
      this.#stage.shown?.toast(errorMessage(error), 'error');
    } finally {
      this.#isOpening = false;
    }
  }

  #bring(index: number, {app}: AccountApp): void {
    this.#shown = index;
    this.#stage.show(app);
  }
}
