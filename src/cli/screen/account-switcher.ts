import type {App} from '#app/core/app.ts';
import type {Accounts} from '#app/core/host.ts';
import {OpenOrganizations} from '#app/organizations/open-organizations.ts';
import {closeOtherPane} from '#app/panes/other-pane.ts';
import {demoName} from '#cli/account-access/lazy-account.ts';
import {unsentText} from '#cli/account-access/take-along-account.ts';
import type {CliIo} from '#cli/io.ts';
import {refusedOverSsh, refuseOverSsh} from '#cli/restriction.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {ConfigError, orConfigError} from '#config/private-files.ts';
import type {ConfigSettings} from '#config/settings.ts';
import {readZuliprc} from '#config/zuliprc.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import {viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {UnsentData} from '#storage/remove-store.ts';
import type {AccountApp} from './account-app.ts';
import {errorMessage} from './log-file.ts';
import type {ScreenHost} from './screen-host.tsx';

/** The next account is opened after this time even if the server of the one before has not answered. */
const patienceMs = 3000;

interface SwitcherParts {
  readonly host: Pick<ScreenHost, 'show' | 'shown'>;
  /** The names of the accounts, in the order of their numbers. */
  readonly names: readonly string[];
  readonly io: CliIo;
  /** Opens an account by its name; one that is not shown opens its inbox and asks nothing. */
  readonly openNamed: (name: string, isShown: boolean) => Promise<AccountApp>;
  /** Removes an account when the screen has ended; `isLossKnown`: the user was told what is lost. */
  readonly remove: (name: string, isLossKnown: boolean) => void;
  /** Whether accounts are shown together: not beside the demo or an account that was named by its file. */
  readonly canBeTogether: boolean;
}

/**
 * Switches between the accounts. Each is opened when it is first shown, or in the background where all are shown together, and
 * stays open.
 */
export class AccountSwitcher extends OpenOrganizations implements Accounts {
  readonly #parts: SwitcherParts;
  readonly #names: string[];
  readonly #accounts = new Map<number, AccountApp>();
  readonly #opening = new Map<number, Promise<AccountApp | undefined>>();
  /** The account that the user asked for last. */
  #wanted: number | undefined;
  #isEnded = false;
  #stopWaiting = () => {};

  constructor(parts: SwitcherParts) {
    const names = [...parts.names];
    super(
      () => names,
      (index) => this.#showSeen(index),
    );
    this.#names = names;
    this.#parts = parts;
  }

  get size(): number {
    return this.#names.length;
  }

  get opened(): readonly AccountApp[] {
    return [...this.#accounts.values()];
  }

  list() {
    return this.#names.map((name, index) => {
      const opened = this.#accounts.get(index);
      return {
        name,
        detail: accountDetail(name, this.#parts.io),
        isShown: index === this.shownIndex,
        unreads: opened === undefined ? undefined : viewUnreads(opened.app.state, combinedFeedNarrow),
      };
    });
  }

  show(index: number): void {
    const opened = this.#accounts.get(index);
    if (this.#names[index] === undefined) {
      this.#parts.host.shown?.toast(`There is no account ${index + 1}`, 'warning');
    } else if (opened !== undefined) this.#showOpened(index, opened);
    else void this.#openAndShow(index);
  }

  async startLogin(addressOrPath: string) {
    refuseOverSsh(this.#parts.io, 'accounts');
    const {startLogin} = await import('./start-login.ts');
    return startLogin(addressOrPath, this.#parts.io, (name) => this.#showNamed(name));
  }

  /** What only this machine has of an account that is not open is not known here: it is then checked before the removal. */
  removalOf(index: number) {
    if (this.#parts.io.restriction !== undefined) return {problem: refusedOverSsh.accounts};
    const name = this.#names[index] ?? '';
    if (!new NamedAccounts(this.#parts.io.paths).has(name))
      return {problem: `“${name}” is no saved account: it was opened by its file or as the demo`};
    const app = this.#accounts.get(index)?.app;
    return {lost: app === undefined ? '' : unsentText(unsentDataIn(app))};
  }

  remove(index: number): void {
    const name = this.#names[index];
    if (name !== undefined) this.#parts.remove(name, this.#accounts.has(index));
  }

  /** Opens and shows the first account at the start. */
  async openFirst(name: string): Promise<AccountApp> {
    const index = this.#names.indexOf(name);
    this.shownIndex = index;
    const account = await this.#parts.openNamed(name, true);
    this.#add(index, account);
    this.#showOpened(index, account);
    return account;
  }

  /** Shows the accounts together or each alone. */
  arrange(setting: ConfigSettings['organizations']): void {
    this.arrangement = setting === 'separate' || !this.#parts.canBeTogether ? undefined : setting;
    const shown = this.#parts.host.shown;
    if (this.arrangement === undefined && shown?.screen.otherPane?.organization !== undefined) closeOtherPane(shown);
    shown?.frames.paintSoon();
  }

  /** Opens the other accounts one by one, if all are shown together. The shown one comes first: it has what the user sees. */
  async openOthers(): Promise<void> {
    for (const index of this.#names.keys()) {
      await this.#whenConnected(this.#accounts.get(this.shownIndex));
      if (this.#isEnded || this.arrangement === undefined) return;
      if (!this.#accounts.has(index)) await this.#whenConnected(await this.#open(index, false));
    }
  }

  /** Stops opening accounts, then stops those that are open. */
  async stop(): Promise<void> {
    this.#isEnded = true;
    this.#stopWaiting();
    await Promise.all(this.opened.map((account) => account.stop()));
  }

  /** Shows the account of a row that is on the screen: the next key is meant for it, however soon it comes. */
  #showSeen(index: number): void {
    const account = this.#accounts.get(index);
    if (account !== undefined) this.#showOpened(index, account, true);
  }

  #showOpened(index: number, {app}: AccountApp, isSeen = false): void {
    this.#wanted = index;
    this.shownIndex = index;
    this.#parts.host.show(app, isSeen);
  }

  #add(index: number, account: AccountApp): void {
    this.#accounts.set(index, account);
    this.add(index, account.app);
  }

  /** Opens an account once. Resolves with undefined when it could not be opened; `problemOf` says why. */
  #open(index: number, isShown: boolean): Promise<AccountApp | undefined> {
    const promise = this.#opening.get(index) ?? this.#tryToOpen(index, isShown);
    this.#opening.set(index, promise);
    return promise.finally(() => this.#opening.delete(index));
  }

  async #tryToOpen(index: number, isShown: boolean): Promise<AccountApp | undefined> {
    try {
      const account = await this.#parts.openNamed(this.#names[index] ?? '', isShown);
      if (this.#isEnded) {
        await account.stop();
        return undefined;
      }
      this.#add(index, account);
      account.start(isShown);
      return account;
    } catch (error) {
      this.fail(index, errorMessage(error));
      return undefined;
    }
  }

  async #openAndShow(index: number): Promise<void> {
    this.#wanted = index;
    const account = await this.#open(index, true);
    if (this.#wanted !== index) return;
    if (account !== undefined) this.#showOpened(index, account);
    else if (!this.#isEnded) this.#parts.host.shown?.toast(this.problemOf(index) ?? '', 'error');
  }

  /** Shows an account that the user logged in to: a new one, or a known one with a new key. */
  async #showNamed(name: string): Promise<void> {
    const at = this.#names.indexOf(name);
    const index = at < 0 ? this.#names.push(name) - 1 : at;
    await this.#accounts.get(index)?.connectWithNewKey();
    this.show(index);
  }

  /** Resolves when the server of an account has answered, or it cannot, or after a while. */
  async #whenConnected(account: AccountApp | undefined): Promise<void> {
    if (account === undefined || this.#isEnded) return;
    const {promise, resolve} = Promise.withResolvers<void>();
    const cancel = this.#parts.io.clock.after(patienceMs, resolve);
    this.#stopWaiting = resolve;
    account.app.session.ready().then(resolve, () => resolve());
    await promise;
    cancel();
  }
}

/** Counts what only this machine has of an open account. */
function unsentDataIn({state, session}: App): UnsentData {
  const isUnsynced = ({status, base}: LocalDraft) => status === 'dirty' || (status !== 'deleted' && base === undefined);
  return {
    messages: state.outbox.filter(({status}) => status !== 'sent').length,
    drafts: session.drafts.all().filter(isUnsynced).length,
    changes: session.pendingChanges.pendingActions().length,
  };
}

/** Returns the user and server of an account, for the account menu. */
function accountDetail(name: string, {paths, home}: CliIo): string {
  const accounts = new NamedAccounts(paths);
  if (!accounts.has(name)) return name === demoName ? 'built-in demo organization' : '';
  const zuliprc = orConfigError(() => readZuliprc(accounts.file(name), home));
  // A problem is reported when the account is opened.
  return zuliprc instanceof ConfigError ? '' : `${zuliprc.email} at ${new URL(zuliprc.site).host}`;
}
