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

function keeper(env: Record<string, string> = {}) {
  const home = scratchDirectory();
  const paths = pathsOf(env, home);
  const kept = new PersistedSettings({paths, env, home, settings: defaultSettings});
  const file = join(paths.config, 'config.toml');
  return {kept, home, paths, file, text: () => readFileSync(file, 'utf8')};
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

test('whatever is chosen is so at the next start', () => {
  const {kept, paths} = keeper();
  for (const setting of chosen) expect(kept.persist(setting)).toEqual({isKept: true, said: 'saved'});
  const {settings, warnings} = readSettings(paths.config, {});
  expect(warnings).toEqual([]);
  expect(settings).toEqual(kept.settings);
  expect(settings).toMatchObject({theme: 'light', glyphs: 'ascii', mouse: true});
  expect(appSettings(settings, {get: () => undefined})).toEqual(
    Object.fromEntries(chosen.slice(3).map(({name, value}) => [name, value])),
  );
});

test('a file that cannot be read is said, left alone, and the choice holds until the end', () => {
  const {kept, paths, file, text} = keeper();
  ensurePrivateDirectory(paths.config);
  writeFileSync(file, 'theme = \n');
  const {isSaved: isKept, statusText: said} = kept.persist({name: 'theme', value: 'dark'});
  expect(isKept).toBe(false);
  expect(said).toMatch(/^until Parley ends: ~\/\.config\/parley\/config\.toml, line 1: /);
  expect(text()).toBe('theme = \n');
  expect(kept.settings.theme).toBe('dark');
});

test('a variable that is over the file is named', () => {
  const {kept, text} = keeper({PARLEY_THEME: 'light'});
  const {statusText: said} = kept.persist({name: 'theme', value: 'dark'});
  expect(said).toBe('saved, but $PARLEY_THEME is over it at the next start');
  expect(text()).toBe('theme = "dark"\n');
});

test('programs that write at once keep what each of them wrote', async () => {
  const {home, text} = keeper();
  const script = `
    import {KeptSettings} from '#cli/screen/persisted-settings.ts';
    import {pathsOf} from '#config/paths.ts';
    import {defaultSettings} from '#config/settings.ts';
    const [home, name, ...values] = process.argv.slice(1);
    const kept = new KeptSettings({paths: pathsOf({}, home), env: {}, home, settings: defaultSettings});
    for (let turn = 0; turn < 10; turn++)
      for (const value of values) {
        const {isKept, said} = kept.keep({name, value: JSON.parse(value)});
        if (!isKept) throw new Error(said);
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
  expect(text().trim().split('\n').sort()).toEqual([
    'read_on = "page"',
    'theme = "light"',
    'undo_send_seconds = 30',
  ]);
});
