import type {CliIo} from '#cli/io.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import {viewUnreads} from '#state/selectors/unreads/view-unreads.ts';
import type {AccountChoice, Accounts, LoginServer} from '#ui/core/accounts.ts';
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
  readonly #entries: AccountEntry[];
  readonly #io: CliIo;
  readonly #newEntry: (name: string) => AccountEntry;
  readonly #opened = new Map<number, AccountApp>();
  #shown = 0;
  #isOpening = false;

  /** `newEntry` returns the entry of an account that was added meanwhile. */
  constructor(
    host: Pick<ScreenHost, 'show' | 'shown'>,
    entries: readonly AccountEntry[],
    io: CliIo,
    newEntry: (name: string) => AccountEntry,
  ) {
    this.#host = host;
    this.#entries = [...entries];
    this.#io = io;
    this.#newEntry = newEntry;
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
        unreads: opened === undefined ? undefined : viewUnreads(opened.app.state, combinedFeedNarrow),
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
      current?.toast(`There is no account ${index + 1}`, 'warning');
      return;
    }
    const opened = this.#opened.get(index);
    if (opened !== undefined) this.#showOpened(index, opened);
    else if (!this.#isOpening) void this.#open(index, entry);
  }

  async startLogin(addressOrPath: string): Promise<LoginServer | undefined> {
    const {startLogin} = await import('./start-login.ts');
    return startLogin(addressOrPath, this.#io, (name) => this.#showNamed(name));
  }

  /** Shows an account that the user logged in to: a new one, or a known one with a new key. */
  async #showNamed(name: string): Promise<void> {
    const known = this.#entries.findIndex((entry) => entry.name === name);
    const index = known < 0 ? this.#entries.push(this.#newEntry(name)) - 1 : known;
    const opened = this.#opened.get(index);
    await opened?.connectWithNewKey();
    this.show(index);
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
