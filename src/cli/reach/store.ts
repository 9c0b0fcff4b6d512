import {type CliIo, note} from '#cli/io.ts';
import {accountDatabase} from '#config/account-id.ts';
import type {Account} from '#config/accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {readSettings, type Settings} from '#config/settings.ts';
import type {AccountStore} from '#state/ports.ts';
import {openAccountStore} from '#storage/open.ts';

export function settingsOf({env, home}: CliIo): Settings {
  return readSettings(pathsOf(env, home).config, env).settings;
}

/** What is kept on this machine for the account; to be closed. */
export function openStore(account: Account, io: CliIo): AccountStore {
  const {env, home, clock, random} = io;
  const {store, notice} = openAccountStore({
    path: accountDatabase(pathsOf(env, home), account.id),
    clock,
    random,
    keepMessages: settingsOf(io).keepMessages,
    log: () => {},
    onNotice: (text) => note(io, text),
  });
  if (notice !== undefined) note(io, notice);
  return store;
}
