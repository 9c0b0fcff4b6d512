import {type CliIo, PlainFailure, printNotice} from '#cli/io.ts';
import type {Account} from '#config/load-account.ts';
import {accountDatabase} from '#config/paths.ts';
import {type ConfigSettings, readSettings} from '#config/settings.ts';
import type {AccountStore} from '#state/account-store.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {type AccountFlags, openAccount} from './lazy-account.ts';

export function readConfigSettings({env, paths}: Pick<CliIo, 'env' | 'paths'>): ConfigSettings {
  return readSettings(paths.config, env).settings;
}

/** Returns false for a store in memory, which is used while the disk is not writable. */
export function isPersistent({writeProblem}: AccountStore): boolean {
  return writeProblem === undefined;
}

/** Opens the account's database on this machine. The caller must close it. */
export function openStore(
  account: Pick<Account, 'id'>,
  io: CliIo,
  onNotice: (notice: string) => void = (notice) => printNotice(io, notice),
): AccountStore {
  const {store, notice} = openWithNotice(account, io, onNotice);
  if (notice !== undefined) onNotice(notice);
  return store;
}

/** Runs the body with the database on this machine of the account that the flags name. No server is asked. */
export async function withStore<T>(
  flags: AccountFlags,
  io: CliIo,
  body: (store: AccountStore) => T | Promise<T>,
  open: (account: Account, io: CliIo) => AccountStore = openPersistentStore,
): Promise<T> {
  const {account, release} = await openAccount(flags, io);
  try {
    const store = open(account, io);
    try {
      return await body(store);
    } finally {
      store.close();
    }
  } finally {
    await release();
  }
}

/** Opens the account's database. Throws when it can only be opened in memory. */
function openPersistentStore(account: Account, io: CliIo): AccountStore {
  const {store, notice = ''} = openWithNotice(account, io, (text) => printNotice(io, text));
  if (isPersistent(store)) {
    if (notice !== '') printNotice(io, notice);
    return store;
  }
  store.close();
  throw new PlainFailure(notice);
}

function openWithNotice(
  account: Pick<Account, 'id'>,
  io: CliIo,
  onNotice: (notice: string) => void,
): {store: AccountStore; notice?: string} {
  const {paths, clock, random} = io;
  return openAccountStore({
    path: accountDatabase(paths, account.id),
    clock,
    random,
    maxMessages: readConfigSettings(io).keepMessages,
    log: () => {},
    onNotice,
  });
}
