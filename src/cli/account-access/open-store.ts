import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, note} from '#cli/io.ts';
import {accountDatabase} from '#config/account-id.ts';
import type {Account} from '#config/load-account.ts';
import {pathsOf} from '#config/paths.ts';
import {readSettings, type Settings} from '#config/settings.ts';
import type {AccountStore} from '#state/account-store.ts';
import {openAccountStore} from '#storage/open-account-store.ts';

export function settingsOf({env, home}: CliIo): Settings {
  return readSettings(pathsOf(env, home).config, env).settings;
}

const forgetful = new WeakSet<AccountStore>();

/** False where the disk allows nothing: what is put into this store is gone with the program. */
export function isKept(store: AccountStore): boolean {
  return !forgetful.has(store);
}

/** What is kept on this machine for the account; to be closed. */
export function openStore(
  account: Pick<Account, 'id'>,
  io: CliIo,
  tell: (notice: string) => void = (notice) => note(io, notice),
): AccountStore {
  const {store, notice} = opened(account, io, tell);
  if (notice !== undefined) tell(notice);
  return store;
}

/** The same for what makes no sense without a disk. */
export function openKeptStore(account: Account, io: CliIo): AccountStore {
  const {store, notice = ''} = opened(account, io, (text) => note(io, text));
  if (isKept(store)) {
    if (notice !== '') note(io, notice);
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
    keepMessages: settingsOf(io).keepMessages,
    log: () => {},
    onNotice: tell,
  });
  if (!isOnDisk) forgetful.add(store);
  return notice === undefined ? {store} : {store, notice};
}
