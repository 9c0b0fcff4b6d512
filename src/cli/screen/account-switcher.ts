import {demoName} from '#cli/account-access/open-account.ts';
import type {CliIo} from '#cli/io.ts';
import {ConfigError, orConfigError} from '#config/config-error.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {readZuliprc} from '#config/zuliprc.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import {viewUnreads} from '#state/selectors/unreads/view-unreads.ts';
import type {AccountChoice, Accounts, LoginServer} from '#ui/core/host.ts';
import type {AccountApp} from './account-app.ts';
import {errorMessage} from './log-file.ts';
import type {ScreenHost} from './screen-host.tsx';

/** Switches between the accounts. Each is opened when it is first shown, and stays open. */
export class AccountSwitcher implements Accounts {
  readonly #host: Pick<ScreenHost, 'show' | 'shown'>;
  readonly #names: string[];
  readonly #io: CliIo;
  readonly #openNamed: (name: string) => Promise<AccountApp>;
  readonly #opened = new Map<number, AccountApp>();
  #shown = 0;
  #isOpening = false;

  /** `open` opens the account with a name. It is called once for each, and again after a failure. */
  constructor(
    host: Pick<ScreenHost, 'show' | 'shown'>,
    names: readonly string[],
    io: CliIo,
    open: (name: string) => Promise<AccountApp>,
  ) {
    this.#host = host;
    this.#names = [...names];
    this.#io = io;
    this.#openNamed = open;
  }

  get size(): number {
    return this.#names.length;
  }

  get opened(): readonly AccountApp[] {
    return [...this.#opened.values()];
  }

  list(): readonly AccountChoice[] {
    return this.#names.map((name, index) => {
      const opened = this.#opened.get(index);
      return {
        name,
        detail: accountDetail(name, this.#io),
        isShown: index === this.#shown,
        unreads: opened === undefined ? undefined : viewUnreads(opened.app.state, combinedFeedNarrow),
      };
    });
  }

  /** Opens and shows the first account at the start. */
  async openFirst(name: string): Promise<AccountApp> {
    return this.#showOpened(this.#names.indexOf(name), await this.#openNamed(name));
  }

  show(index: number): void {
    const name = this.#names[index];
    const opened = this.#opened.get(index);
    if (name === undefined) this.#host.shown?.toast(`There is no account ${index + 1}`, 'warning');
    else if (opened !== undefined) this.#showOpened(index, opened);
    else if (!this.#isOpening) void this.#open(index, name);
  }

  async startLogin(addressOrPath: string): Promise<LoginServer | undefined> {
    const {startLogin} = await import('./start-login.ts');
    return startLogin(addressOrPath, this.#io, (name) => this.#showNamed(name));
  }

  /** Shows an account that the user logged in to: a new one, or a known one with a new key. */
  async #showNamed(name: string): Promise<void> {
    const known = this.#names.indexOf(name);
    const index = known < 0 ? this.#names.push(name) - 1 : known;
    await this.#opened.get(index)?.connectWithNewKey();
    this.show(index);
  }

  async #open(index: number, name: string): Promise<void> {
    this.#isOpening = true;
    try {
      this.#showOpened(index, await this.#openNamed(name)).start();
    } catch (error) {
      this.#host.shown?.toast(errorMessage(error), 'error');
    } finally {
      this.#isOpening = false;
    }
  }

  #showOpened(index: number, account: AccountApp): AccountApp {
    this.#opened.set(index, account);
    this.#shown = index;
    this.#host.show(account.app);
    return account;
  }
}

/** Returns the user and server of an account, for the account menu. */
function accountDetail(name: string, {env, home}: CliIo): string {
  const accounts = new NamedAccounts(pathsOf(env, home));
  if (!accounts.has(name)) return name === demoName ? 'built-in demo organization' : '';
  const zuliprc = orConfigError(() => readZuliprc(accounts.file(name), home));
  // A problem is reported when the account is opened.
  return zuliprc instanceof ConfigError ? '' : `${zuliprc.email} at ${new URL(zuliprc.site).host}`;
}
