import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {appSettings} from '#cli/screen/app-settings.ts';
import {localSettingsFile} from '#cli/screen/persisted-settings.ts';
import {pathsOf} from '#config/paths.ts';
import {ensurePrivateDirectory} from '#config/private-files.ts';
import {readSettings, settingTable} from '#config/settings.ts';
import {defaultSettings} from '#test/support/default-settings.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';

function persistedSettings(env: Record<string, string> = {}, apply?: Parameters<typeof localSettingsFile>[0]['apply']) {
  const home = scratchDirectory();
  const paths = pathsOf(env, home);
  const persisted = localSettingsFile({paths, env, home, settings: defaultSettings, apply});
  const file = join(paths.config, 'config.toml');
  return {persisted, home, paths, file, text: () => readFileSync(file, 'utf8')};
}

const chosen = {
  theme: 'light',
  glyphs: 'ascii',
  mouse: true,
  enterSends: 'no',
  markRead: 'on-done',
  readOn: 'page',
  afterReply: 'stay',
  inboxOrder: 'oldest',
  undoSendSeconds: 10,
} as const;

test('settings: a change is applied, and saved for the next start', () => {
  const applied: string[] = [];
  const {persisted, paths} = persistedSettings({}, (_settings, key) => applied.push(key));
  for (const [key, value] of Object.entries(chosen)) {
    expect(persisted.change(key, value)).toEqual({isSaved: true, statusText: 'saved'});
  }
  expect(applied).toEqual(Object.keys(chosen));
  const {settings, warnings} = readSettings(paths.config, {});
  expect(warnings).toEqual([]);
  expect(settings).toEqual(persisted.settings);
  expect(settings).toMatchObject(chosen);
  expect(appSettings(settings, {get: () => undefined})).toMatchObject({
    enterSends: false,
    markRead: 'on-done',
    readOn: 'page',
    afterReply: 'stay',
    undoSendSeconds: 10,
  });
});

test('settings: what a session reads at its start is applied then, and the result says so', () => {
  const applied: string[] = [];
  const {persisted} = persistedSettings({}, (_settings, key) => applied.push(key));
  expect(persisted.change('keepMessages', 500)).toEqual({isSaved: true, statusText: 'saved, from the next start on'});
  expect(applied).toEqual([]);
});

test('settings: the list has every setting of the file, and accepts only its values', () => {
  const {persisted} = persistedSettings();
  const list = persisted.list();
  expect(list.map(({key}) => key)).toEqual(Object.keys(settingTable));
  expect(list.find(({key}) => key === 'notifyShow')).toMatchObject({default: 'text', value: 'text'});
  expect(() => persisted.change('notifyShow', 'all')).toThrow();
  expect(() => persisted.change('keepMessages', -1)).toThrow();
  expect(() => persisted.change('toString', 1)).toThrow();
});

test('settings: an unreadable file is reported and unchanged, and the change lasts until exit', () => {
  const {persisted, paths, file, text} = persistedSettings();
  ensurePrivateDirectory(paths.config);
  writeFileSync(file, 'theme = \n');
  const {isSaved, statusText} = persisted.change('theme', 'dark');
  expect(isSaved).toBe(false);
  expect(statusText).toMatch(/^until Parley exits: ~\/\.config\/parley\/config\.toml, line 1: /);
  expect(text()).toBe('theme = \n');
  expect(persisted.settings.theme).toBe('dark');
});

test('settings: an environment variable that overrides the file is named', () => {
  const {persisted, text} = persistedSettings({PARLEY_THEME: 'light'});
  const {statusText} = persisted.change('theme', 'dark');
  expect(statusText).toBe('saved, but $PARLEY_THEME overrides it at the next start');
  expect(text()).toBe('theme = "dark"\n');
});

slowTest('settings: concurrent programs keep each other’s changes', async () => {
  const {home, text} = persistedSettings();
  const script = `
    import {localSettingsFile} from '#cli/screen/persisted-settings.ts';
    import {pathsOf} from '#config/paths.ts';
    import {defaultSettings} from '#test/support/default-settings.ts';
    const [home, name, ...values] = process.argv.slice(1);
    const persisted = localSettingsFile({paths: pathsOf({}, home), env: {}, home, settings: defaultSettings});
    for (let turn = 0; turn < 10; turn++)
      for (const value of values) {
        const {isSaved, statusText} = persisted.change(name, JSON.parse(value));
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
