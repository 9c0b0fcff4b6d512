import {demoName} from '#cli/account-access/lazy-account.ts';
import type {CliIo} from '#cli/io.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {ConfigError, orConfigError} from '#config/private-files.ts';
import type {ConfigSettings} from '#config/settings.ts';
import {readZuliprc} from '#config/zuliprc.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import {viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {App} from '#ui/core/app.ts';
import type {AccountChoice, Accounts, LoginServer} from '#ui/core/host.ts';
import type {Organizations} from '#ui/core/organizations.ts';
import {OpenOrganizations} from '#ui/organizations/open-organizations.ts';
import type {AccountApp} from './account-app.ts';
import {errorMessage} from './log-file.ts';
import type {ScreenHost} from './screen-host.tsx';

/** The next account is opened after this time even if the server of the one before has not answered. */
const patienceMs = 3000;

/** Opens an account by its name; one that is not shown opens its inbox and asks nothing. */
export type OpenAccount = (name: string, isShown: boolean) => Promise<AccountApp>;

/**
 * Switches between the accounts. Each is opened when it is first shown, or in the background where all are shown together, and
 * stays open.
 */
export class AccountSwitcher implements Accounts {
  readonly #host: Pick<ScreenHost, 'show' | 'shown'>;
  readonly #names: string[];
  readonly #io: CliIo;
  readonly #openNamed: OpenAccount;
  readonly #accounts = new Map<number, AccountApp>();
  readonly #organizations: OpenOrganizations;
  readonly #opening = new Map<number, Promise<AccountApp | undefined>>();
  /** Whether the accounts may be shown together: not beside the demo or an account that was named by its file. */
  readonly #canBeTogether: boolean;
  /** The account that the user asked for last. */
  #wanted: number | undefined;
  #isEnded = false;
  #stopWaiting = () => {};

  constructor(
    host: Pick<ScreenHost, 'show' | 'shown'>,
    names: readonly string[],
    io: CliIo,
    open: OpenAccount,
    {canBeTogether}: {readonly canBeTogether: boolean},
  ) {
    this.#host = host;
    this.#names = [...names];
    this.#io = io;
    this.#openNamed = open;
    this.#canBeTogether = canBeTogether;
    this.#organizations = new OpenOrganizations(
      () => this.#names,
      (index) => this.#follow(index),
    );
  }

  get size(): number {
    return this.#names.length;
  }

  get opened(): readonly AccountApp[] {
    return [...this.#accounts.values()];
  }

  list(): readonly AccountChoice[] {
    return this.#names.map((name, index) => {
      const opened = this.#accounts.get(index);
      return {
        name,
        detail: accountDetail(name, this.#io),
        isShown: index === this.#organizations.shownIndex,
        unreads: opened === undefined ? undefined : viewUnreads(opened.app.state, combinedFeedNarrow),
      };
    });
  }

  isShown(accountName: string): boolean {
    return this.#organizations.isShown(accountName);
  }

  together(accountName: string): Organizations | undefined {
    return this.#organizations.together(accountName);
  }

  appAt(index: number): App | undefined {
    return this.#organizations.appAt(index);
  }

  afterInput(app: App): App {
    return this.#organizations.afterInput(app);
  }

  /** Opens and shows the first account at the start. */
  async openFirst(name: string): Promise<AccountApp> {
    const index = this.#names.indexOf(name);
    this.#organizations.shownIndex = index;
    const account = await this.#openNamed(name, true);
    this.#add(index, account);
    this.#showOpened(index, account);
    return account;
  }

  /** Shows the accounts together or each alone. */
  arrange(setting: ConfigSettings['organizations']): void {
    this.#organizations.arrangement = setting === 'separate' || !this.#canBeTogether ? undefined : setting;
    this.#host.shown?.frames.paintSoon();
  }

  /** Opens the other accounts one by one, if all are shown together. The shown one comes first: it has what the user sees. */
  async openOthers(): Promise<void> {
    for (const index of this.#names.keys()) {
      await this.#whenConnected(this.#accounts.get(this.#organizations.shownIndex));
      if (this.#isEnded || this.#organizations.arrangement === undefined) return;
      if (this.#accounts.has(index)) continue;
      const account = await this.#open(index, false);
      await this.#whenConnected(account);
    }
  }

  show(index: number): void {
    const opened = this.#accounts.get(index);
    if (this.#names[index] === undefined) this.#host.shown?.toast(`There is no account ${index + 1}`, 'warning');
    else if (opened !== undefined) this.#showOpened(index, opened);
    else void this.#openAndShow(index);
  }

  async startLogin(addressOrPath: string): Promise<LoginServer | undefined> {
    const {startLogin} = await import('./start-login.ts');
    return startLogin(addressOrPath, this.#io, (name) => this.#showNamed(name));
  }

  /** Stops opening accounts, then stops those that are open. */
  async stop(): Promise<void> {
    this.#isEnded = true;
    this.#stopWaiting();
    await Promise.all(this.opened.map((account) => account.stop()));
  }

  /** Shows an account that the user logged in to: a new one, or a known one with a new key. */
  async #showNamed(name: string): Promise<void> {
    const known = this.#names.indexOf(name);
    const index = known < 0 ? this.#names.push(name) - 1 : known;
    await this.#accounts.get(index)?.connectWithNewKey();
    this.show(index);
  }

  async #openAndShow(index: number): Promise<void> {
    this.#wanted = index;
    const account = await this.#open(index, true);
    if (this.#wanted !== index) return;
    if (account !== undefined) this.#showOpened(index, account);
    else if (!this.#isEnded) this.#host.shown?.toast(this.#organizations.problemOf(index) ?? '', 'error');
  }

  /** Opens an account once. Resolves with undefined when it could not be opened; `problemOf` says why. */
  #open(index: number, isShown: boolean): Promise<AccountApp | undefined> {
    const opening = this.#opening.get(index) ?? this.#tryToOpen(index, isShown);
    this.#opening.set(index, opening);
    return opening.finally(() => this.#opening.delete(index));
  }

  async #tryToOpen(index: number, isShown: boolean): Promise<AccountApp | undefined> {
    try {
      const account = await this.#openNamed(this.#names[index] ?? '', isShown);
      if (this.#isEnded) {
        await account.stop();
        return undefined;
      }
      this.#add(index, account);
      account.start(isShown);
      return account;
    } catch (error) {
      this.#organizations.fail(index, errorMessage(error));
      return undefined;
    }
  }

  /** Resolves when the server of an account has answered, or it cannot, or after a while. */
  async #whenConnected(account: AccountApp | undefined): Promise<void> {
    if (account === undefined || this.#isEnded) return;
    const {promise, resolve} = Promise.withResolvers<void>();
    const cancel = this.#io.clock.after(patienceMs, resolve);
    this.#stopWaiting = resolve;
    account.app.session.ready().then(resolve, () => resolve());
    await promise;
    cancel();
  }

  #add(index: number, account: AccountApp): void {
    this.#accounts.set(index, account);
    this.#organizations.add(index, account.app);
  }

  /** Shows the account of a row that is on the screen: the next key is meant for it, however soon it comes. */
  #follow(index: number): void {
    const account = this.#accounts.get(index);
    if (account !== undefined) this.#showOpened(index, account, true);
  }

  #showOpened(index: number, account: AccountApp, isSeen = false): void {
    this.#organizations.shownIndex = index;
    this.#host.show(account.app, isSeen);
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
