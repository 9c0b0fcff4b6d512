import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {accountDatabase} from '#config/account-id.ts';
import type {Account} from '#config/load-account.ts';
import {pathsOf} from '#config/paths.ts';
import {type ConfigSettings, readSettings} from '#config/settings.ts';
import type {AccountStore} from '#state/account-store.ts';
import {openAccountStore} from '#storage/open-account-store.ts';

export function readConfigSettings({env, home}: CliIo): ConfigSettings {
  return readSettings(pathsOf(env, home).config, env).settings;
}

const forgetful = new WeakSet<AccountStore>();

/** False where the disk allows nothing: what is put into this store is gone with the program. */
export function isPersistent(store: AccountStore): boolean {
  return !forgetful.has(store);
}

/** What is kept on this machine for the account; to be closed. */
export function openStore(
  account: Pick<Account, 'id'>,
  io: CliIo,
  tell: (notice: string) => void = (notice) => printNotice(io, notice),
): AccountStore {
  const {store, notice} = opened(account, io, tell);
  if (notice !== undefined) tell(notice);
  return store;
}

/** The same for what makes no sense without a disk. */
export function openPersistentStore(account: Account, io: CliIo): AccountStore {
  const {store, notice = ''} = opened(account, io, (text) => printNotice(io, text));
  if (isPersistent(store)) {
    if (notice !== '') printNotice(io, notice);
    return store;
  }
  store.close();
  throw new PlainFailure(notice);
}

function opened(
  account: Pick<Account, 'id'>,
  io: CliIo,
  tell: (notice: string) => void,
): {store: AccountStore; notice?: string} {
  const {env, home, clock, random} = io;
  const {
    store,
    notice,
    isKept: isOnDisk,
  } = openAccountStore({
    path: accountDatabase(pathsOf(env, home), account.id),
    clock,
    random,
    maxMessages: readConfigSettings(io).keepMessages,
    log: () => {},
    onNotice: tell,
  });
  if (!isOnDisk) forgetful.add(store);
  return notice === undefined ? {store} : {store, notice};
}
