import {writeSync} from 'node:fs';
import {applySetting} from '#app/settings/local-settings.ts';
import {type AccountFlags, demoName, resolveAccountFlags} from '#cli/account-access/open-account.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {reportFailure} from '#cli/failures.ts';
import type {CliIo} from '#cli/io.ts';
import {commandTable} from '#commands/command-table.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {displayPath, pathsOf} from '#config/paths.ts';
import {readSmallFile} from '#config/private-files.ts';
import {type ConfigSettings, readSettings} from '#config/settings.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import type {EndReason} from '#terminal/lifecycle.ts';
import type {ColorDepth} from '#theme/color-depth.ts';
import {AccountApp, type AccountAppParts} from './account-app.ts';
import {type AccountEntry, AccountSwitcher} from './account-switcher.ts';
import {loadUserKeys} from './load-user-keys.ts';
import {errorMessage, LogFile} from './log-file.ts';
import {PersistedSettings} from './persisted-settings.ts';
import {ScreenHost} from './screen-host.tsx';
import type {StartDestination} from './start-destination.ts';

export interface ScreenOptions extends AccountFlags {
  /** What to open, as it stood on the command line. */
  readonly destination?: string | undefined;
  readonly isTriage: boolean;
  readonly isExploring: boolean;
  readonly isReadOnly: boolean;
  readonly isAlternate: boolean;
  readonly theme?: ConfigSettings['theme'] | undefined;
  readonly color?: ColorDepth | undefined;
}

/** The screen, until somebody leaves it. The first picture comes from the disk; the network is asked when it is there. */
export async function openScreen(options: ScreenOptions, io: CliIo): Promise<ExitCode> {
  try {
    return await shown(options, io);
  } catch (error) {
    return reportFailure(io, error);
  }
}

async function shown(options: ScreenOptions, io: CliIo): Promise<ExitCode> {
  const paths = pathsOf(io.env, io.home);
  const log = new LogFile(paths, io.clock);
  const {settings, warnings} = readSettings(paths.config, io.env);
  const {keymap, problems} = loadUserKeys(paths, io.home);
  const stage: ScreenHost = new ScreenHost({
    io,
    displayPreferences: {
      theme: options.theme ?? settings.theme,
      glyphs: settings.glyphs,
      color: options.color,
    },
    isAlternate: options.isAlternate,
    router: new KeyRouter(keymap, commandTable),
    save: () => saveAll(ring),
    afterEnd: (reason) => sayWhy(reason, log, io),
    onResumed: () => {
      for (const account of ring.opened) account.wakeAfterSuspend();
    },
  });
  const {places, first} = accountEntries(options, io, (flags, wish) => AccountApp.open(flags, parts, wish));
  const ring: AccountSwitcher = new AccountSwitcher(stage, places);
  const {isExploring, isReadOnly} = options;
  const accountCount = places.length;
  const kept = new PersistedSettings({paths, env: io.env, home: io.home, settings});
  const parts: AccountAppParts = {
    io,
    host: stage,
    get settings() {
      return kept.settings;
    },
    persistSetting: (app, setting) => {
      if (setting.name === 'theme' || setting.name === 'glyphs')
        stage.setDisplayPreferences({[setting.name]: setting.value});
      for (const other of ring.opened) if (other.app !== app) applySetting(other.app, setting);
      return kept.persist(setting);
    },
    log,
    isExploring,
    isReadOnly,
    accounts: ring,
    accountCount,
  };
  const account = await ring.openFirst(first);
  await stage.whenPainted();
  account.start();
  const [news] = [...crashNotice(log, io), ...problems, ...warnings];
  if (news !== undefined) account.app.toast(news, 'warning');
  await stage.quitRequested;
  for (const {app} of ring.opened) app.frames.stop();
  stage.close();
  await Promise.all(ring.opened.map((each) => each.stop()));
  return exitCodes.ok;
}

function crashNotice(log: LogFile, {home}: CliIo): string[] {
  const crash = log.takeCrash();
  const file = displayPath(log.path, home);
  return crash === undefined ? [] : [`Parley ended unexpectedly last time: ${crash} · ${file} says more`];
}

/** What is written at once comes first: all of it is on disk before anything is waited for. */
async function saveAll(ring: AccountSwitcher): Promise<void> {
  for (const account of ring.opened) account.save();
  await Promise.all(ring.opened.map((account) => account.stop()));
}

function sayWhy(reason: EndReason, log: LogFile, {home}: CliIo): void {
  if (reason.kind !== 'crash') return;
  log.markCrash(reason.error);
  try {
    writeSync(
      2,
      `Parley crashed: ${errorMessage(reason.error)}. What you wrote is kept. Details: ${displayPath(log.path, home)}\n`,
    );
  } catch {
    // Nobody is there to read it.
  }
}

type Open = (flags: AccountFlags, wish: StartDestination) => Promise<AccountApp>;

/** The one that was asked for, and all that have a name. */
function accountEntries(
  options: ScreenOptions,
  io: CliIo,
  open: Open,
): {readonly places: readonly AccountEntry[]; readonly first: number} {
  const resolved = resolveAccountFlags(options, io);
  const current = resolved?.account.name ?? demoName;
  const named = new NamedAccounts(pathsOf(io.env, io.home)).names();
  const names = named.includes(current) ? named : [current, ...named];
  const first = names.indexOf(current);
  const wish: StartDestination = options.isTriage ? {kind: 'triage'} : options.destination;
  const places = names.map((name, index): AccountEntry => {
    const isFirst = index === first;
    const flags = isFirst ? options : {account: name};
    return {name, detail: () => accountDetail(name, io), open: () => open(flags, isFirst ? wish : undefined)};
  });
  return {places, first};
}

/** Who one is there, for those who choose. */
function accountDetail(name: string, {env, home}: CliIo): string {
  const accounts = new NamedAccounts(pathsOf(env, home));
  if (!accounts.has(name)) return name === demoName ? 'the built-in organization' : '';
  try {
    const file = accounts.file(name);
    const {email, site} = parseZuliprc(readSmallFile(file), file, home);
    return `${email} at ${new URL(site).host}`;
  } catch {
    // What is wrong with it is said when it is opened.
    return '';
  }
}
