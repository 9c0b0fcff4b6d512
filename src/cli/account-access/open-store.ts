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

/** Opens the account's database. Throws when it can only be opened in memory. */
export function openPersistentStore(account: Account, io: CliIo): AccountStore {
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
  const {env, home, clock, random} = io;
  return openAccountStore({
    path: accountDatabase(pathsOf(env, home), account.id),
    clock,
    random,
    maxMessages: readConfigSettings(io).keepMessages,
    log: () => {},
    onNotice: onNotice,
  });
}
