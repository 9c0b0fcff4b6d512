import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {onlyAccount} from '#app/core/host.ts';
import {type AccountAppParts, type AppHost, openAccountApp} from '#cli/screen/account-app.ts';
import {logFile} from '#cli/screen/log-file.ts';
import {localSettingsFile} from '#cli/screen/persisted-settings.ts';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {defaultKeymap} from '#commands/keymap.ts';
import type {ConfigSettings} from '#config/settings.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {testIo} from '#test/support/cli-io.ts';
import {recordingDevice} from '#test/support/create-app.ts';
import {defaultSettings} from '#test/support/default-settings.ts';
import {egDisplay} from '#test/support/frame-fixture.ts';
import {testServer} from '#test/support/server.ts';
import {writeZuliprc} from '#test/support/terminal/parley-command.ts';

/** A server with Meg and Otto, and a home with an account of each (`meg`, `otto`), which open as on a screen, without a terminal. */
export async function accountAppFixture(
  settings: Partial<ConfigSettings> = {},
  {clock = systemClock, ...changes}: Partial<AccountAppParts> & {readonly clock?: Clock} = {},
) {
  const server = await testServer({testHooks: true, rateLimited: false});
  const [meg, otto] = [server.people.member('Meg'), server.people.member('Otto')];
  server.people.channel('general', [meg, otto]);
  const io = testIo({random: Math.random, clock});
  const accounts = join(io.paths.config, 'accounts');
  mkdirSync(accounts, {recursive: true, mode: 0o700});
  for (const [name, {email, apiKey}] of Object.entries({meg, otto}))
    writeZuliprc(join(accounts, `${name}.zuliprc`), {site: server.url, email, apiKey});
  const all = {...defaultSettings, ...settings};
  const host: AppHost = {
    size: {columns: 120, rows: 40},
    displayOptions: egDisplay,
    keyGuide: makeKeyGuide(defaultKeymap, commandTable),
    output: {needsDrain: false, whenDrained: async () => {}},
    deviceFor: () => recordingDevice([]),
    add: () => {},
  };
  const log = logFile(io.paths, io.clock);
  const parts = {
    io,
    host,
    settings: all,
    localSettings: localSettingsFile({...io, settings: all}),
    log,
    isExploring: false,
    isReadOnly: false,
    accounts: onlyAccount,
    accountCount: 1,
    ...changes,
  };
  const fileOf = (account: string) => join(accounts, `${account}.zuliprc`);
  const open = async (account: string) => {
    const opened = await openAccountApp({account}, parts, undefined);
    onTestFinished(() => opened.stop());
    return opened;
  };
  /** Opens an account and waits until it is connected. */
  const online = async (account: string) => {
    const opened = await open(account);
    opened.start(false);
    await opened.app.session.ready();
    return opened;
  };
  return {server, meg, otto, io, log, settings: all, fileOf, open, online};
}
