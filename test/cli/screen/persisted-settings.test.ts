import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {LocalSetting} from '#app/core/settings.ts';
import {appSettings} from '#cli/screen/app-settings.ts';
import {PersistedSettings} from '#cli/screen/persisted-settings.ts';
import {pathsOf} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';
import {defaultSettings, readSettings} from '#config/settings.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

function persistedSettings(env: Record<string, string> = {}) {
  const home = scratchDirectory();
  const paths = pathsOf(env, home);
  const persisted = new PersistedSettings({paths, env, home, settings: defaultSettings});
  const file = join(paths.config, 'config.toml');
  return {persisted, home, paths, file, text: () => readFileSync(file, 'utf8')};
}

const chosen: readonly LocalSetting[] = [
  {name: 'theme', value: 'light'},
  {name: 'glyphs', value: 'ascii'},
  {name: 'mouse', value: true},
  {name: 'enterSends', value: false},
  {name: 'markRead', value: 'onDone'},
  {name: 'readOn', value: 'page'},
  {name: 'afterReply', value: 'stay'},
  {name: 'undoSendSeconds', value: 10},
];

test('settings: a change is saved for the next start', () => {
  const {persisted, paths} = persistedSettings();
  for (const setting of chosen) expect(persisted.persist(setting)).toEqual({isSaved: true, statusText: 'saved'});
  const {settings, warnings} = readSettings(paths.config, {});
  expect(warnings).toEqual([]);
  expect(settings).toEqual(persisted.settings);
  expect(settings).toMatchObject({theme: 'light', glyphs: 'ascii', mouse: true});
  expect(appSettings(settings, {get: () => undefined})).toEqual(
    Object.fromEntries(chosen.slice(3).map(({name, value}) => [name, value])),
  );
});

test('settings: an unreadable file is reported and unchanged, and the change lasts until exit', () => {
  const {persisted, paths, file, text} = persistedSettings();
  ensurePrivateDirectory(paths.config);
  writeFileSync(file, 'theme = \n');
  const {isSaved, statusText} = persisted.persist({name: 'theme', value: 'dark'});
  expect(isSaved).toBe(false);
  expect(statusText).toMatch(/^until Parley exits: ~\/\.config\/parley\/config\.toml, line 1: /);
  expect(text()).toBe('theme = \n');
  expect(persisted.settings.theme).toBe('dark');
});

test('settings: an environment variable that overrides the file is named', () => {
  const {persisted, text} = persistedSettings({PARLEY_THEME: 'light'});
  const {statusText} = persisted.persist({name: 'theme', value: 'dark'});
  expect(statusText).toBe('saved, but $PARLEY_THEME overrides it at the next start');
  expect(text()).toBe('theme = "dark"\n');
});

test('settings: concurrent programs keep each other’s changes', async () => {
  const {home, text} = persistedSettings();
  const script = `
    import {PersistedSettings} from '#cli/screen/persisted-settings.ts';
    import {pathsOf} from '#config/paths.ts';
    import {defaultSettings} from '#config/settings.ts';
    const [home, name, ...values] = process.argv.slice(1);
    const persisted = new PersistedSettings({paths: pathsOf({}, home), env: {}, home, settings: defaultSettings});
    for (let turn = 0; turn < 10; turn++)
      for (const value of values) {
        const {isSaved, statusText} = persisted.persist({name, value: JSON.parse(value)});
        if (!isSaved) throw new Error(statusText);
      }
  `;
  const run = async (...words: readonly string[]) => {
    const args = ['--input-type=module-typescript', '--eval', script, '--', home, ...words];
    const child = spawn(process.execPath, args, {stdio: ['ignore', 'inherit', 'inherit']});
    expect(await once(child, 'exit')).toEqual([0, null]);
  };
  await Promise.all([
    run('theme', '"dark"', '"light"'),
    run('readOn', '"advance"', '"page"'),
    run('undoSendSeconds', '5', '30'),
  ]);
  expect(text().trim().split('\n').sort()).toEqual(['read_on = "page"', 'theme = "light"', 'undo_send_seconds = 30']);
});
