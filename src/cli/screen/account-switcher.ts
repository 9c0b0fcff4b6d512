import type {Accounts} from '#app/core/host.ts';
import {OpenOrganizations} from '#app/organizations/open-organizations.ts';
import {demoName} from '#cli/account-access/lazy-account.ts';
import type {CliIo} from '#cli/io.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {ConfigError, orConfigError} from '#config/private-files.ts';
import type {ConfigSettings} from '#config/settings.ts';
import {readZuliprc} from '#config/zuliprc.ts';
import {combinedFeedNarrow} from '#state/model/narrow.ts';
import {viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountApp} from './account-app.ts';
import {errorMessage} from './log-file.ts';
import type {ScreenHost} from './screen-host.tsx';

/** The next account is opened after this time even if the server of the one before has not answered. */
const patienceMs = 3000;

/** Opens an account by its name; one that is not shown opens its inbox and asks nothing. */
export type OpenAccount = (name: string, isShown: boolean) => Promise<AccountApp>;

export type AccountSwitcher = ReturnType<typeof accountSwitcher>;

/**
 * Switches between the accounts. Each is opened when it is first shown, or in the background where all are shown together, and
 * stays open. `canBeTogether`: not beside the demo or an account that was named by its file.
 */
export function accountSwitcher(
  host: Pick<ScreenHost, 'show' | 'shown'>,
  known: readonly string[],
  io: CliIo,
  openNamed: OpenAccount,
  {canBeTogether}: {readonly canBeTogether: boolean},
) {
  const names = [...known];
  const accounts = new Map<number, AccountApp>();
  const opening = new Map<number, Promise<AccountApp | undefined>>();
  /** The account that the user asked for last. */
  let wanted: number | undefined;
  let isEnded = false;
  let stopWaiting = () => {};

  const showOpened = (index: number, account: AccountApp, isSeen = false) => {
    organizations.shownIndex = index;
    host.show(account.app, isSeen);
  };
  const organizations = new OpenOrganizations(
    () => names,
    (index) => {
      // The account of a row that is on the screen: the next key is meant for it, however soon it comes.
      const account = accounts.get(index);
      if (account !== undefined) showOpened(index, account, true);
    },
  );
  const add = (index: number, account: AccountApp) => {
    accounts.set(index, account);
    organizations.add(index, account.app);
  };

  const tryToOpen = async (index: number, isShown: boolean): Promise<AccountApp | undefined> => {
    try {
      const account = await openNamed(names[index] ?? '', isShown);
      if (isEnded) {
        await account.stop();
        return undefined;
      }
      add(index, account);
      account.start(isShown);
      return account;
    } catch (error) {
      organizations.fail(index, errorMessage(error));
      return undefined;
    }
  };
  /** Opens an account once. Resolves with undefined when it could not be opened; `problemOf` says why. */
  const open = (index: number, isShown: boolean) => {
    const promise = opening.get(index) ?? tryToOpen(index, isShown);
    opening.set(index, promise);
    return promise.finally(() => opening.delete(index));
  };
  const openAndShow = async (index: number) => {
    wanted = index;
    const account = await open(index, true);
    if (wanted !== index) return;
    if (account !== undefined) showOpened(index, account);
    else if (!isEnded) host.shown?.toast(organizations.problemOf(index) ?? '', 'error');
  };
  const show = (index: number) => {
    const opened = accounts.get(index);
    if (names[index] === undefined) host.shown?.toast(`There is no account ${index + 1}`, 'warning');
    else if (opened !== undefined) showOpened(index, opened);
    else void openAndShow(index);
  };
  /** Shows an account that the user logged in to: a new one, or a known one with a new key. */
  const showNamed = async (name: string) => {
    const at = names.indexOf(name);
    const index = at < 0 ? names.push(name) - 1 : at;
    await accounts.get(index)?.connectWithNewKey();
    show(index);
  };
  /** Resolves when the server of an account has answered, or it cannot, or after a while. */
  const whenConnected = async (account: AccountApp | undefined) => {
    if (account === undefined || isEnded) return;
    const {promise, resolve} = Promise.withResolvers<void>();
    const cancel = io.clock.after(patienceMs, resolve);
    stopWaiting = resolve;
    account.app.session.ready().then(resolve, () => resolve());
    await promise;
    cancel();
  };

  return {
    get size() {
      return names.length;
    },
    get opened(): readonly AccountApp[] {
      return [...accounts.values()];
    },
    list: () =>
      names.map((name, index) => {
        const opened = accounts.get(index);
        return {
          name,
          detail: accountDetail(name, io),
          isShown: index === organizations.shownIndex,
          unreads: opened === undefined ? undefined : viewUnreads(opened.app.state, combinedFeedNarrow),
        };
      }),
    isShown: (accountName) => organizations.isShown(accountName),
    together: (accountName) => organizations.together(accountName),
    appAt: (index) => organizations.appAt(index),
    afterInput: (app) => organizations.afterInput(app),
    show,
    startLogin: async (addressOrPath) => {
      const {startLogin} = await import('./start-login.ts');
      return startLogin(addressOrPath, io, showNamed);
    },
    /** Opens and shows the first account at the start. */
    openFirst: async (name: string) => {
      const index = names.indexOf(name);
      organizations.shownIndex = index;
      const account = await openNamed(name, true);
      add(index, account);
      showOpened(index, account);
      return account;
    },
    /** Shows the accounts together or each alone. */
    arrange: (setting: ConfigSettings['organizations']) => {
      organizations.arrangement = setting === 'separate' || !canBeTogether ? undefined : setting;
      host.shown?.frames.paintSoon();
    },
    /** Opens the other accounts one by one, if all are shown together. The shown one comes first: it has what the user sees. */
    openOthers: async () => {
      for (const index of names.keys()) {
        await whenConnected(accounts.get(organizations.shownIndex));
        if (isEnded || organizations.arrangement === undefined) return;
        if (!accounts.has(index)) await whenConnected(await open(index, false));
      }
    },
    /** Stops opening accounts, then stops those that are open. */
    stop: async () => {
      isEnded = true;
      stopWaiting();
      await Promise.all(Array.from(accounts.values(), (account) => account.stop()));
    },
  } satisfies Accounts & Record<string, unknown>;
}

/** Returns the user and server of an account, for the account menu. */
function accountDetail(name: string, {paths, home}: CliIo): string {
  const accounts = new NamedAccounts(paths);
  if (!accounts.has(name)) return name === demoName ? 'built-in demo organization' : '';
  const zuliprc = orConfigError(() => readZuliprc(accounts.file(name), home));
  // A problem is reported when the account is opened.
  return zuliprc instanceof ConfigError ? '' : `${zuliprc.email} at ${new URL(zuliprc.site).host}`;
}
