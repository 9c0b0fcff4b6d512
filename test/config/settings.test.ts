import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readSettings, settingTable} from '#config/settings.ts';
import {defaultSettings} from '#test/support/default-settings.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

function read(toml: string, env: Record<string, string> = {}) {
  const directory = scratchDirectory();
  const file = join(directory, 'config.toml');
  writeFileSync(file, toml);
  const {settings, warnings} = readSettings(directory, env);
  return {settings, warnings: warnings.map((line) => line.replace(file, 'config.toml'))};
}

test('settings: without a file all have their defaults', () => {
  expect(readSettings(scratchDirectory(), {})).toEqual({settings: defaultSettings, warnings: []});
  expect(defaultSettings).toMatchObject({draftSync: true, askAfterOfflineMinutes: 10});
});

test('settings: the file overrides the defaults, the environment overrides the file', () => {
  const toml = 'keep_messages = 500\nask_after_offline_minutes = 5\n[drafts]\nsync = false';
  const env = {PARLEY_KEEP_MESSAGES: '7', PARLEY_ASK_AFTER_OFFLINE_MINUTES: ''};
  expect(read(toml, env)).toEqual({
    settings: {...defaultSettings, keepMessages: 7, askAfterOfflineMinutes: 5, draftSync: false},
    warnings: [],
  });
  expect(read(toml, {PARLEY_DRAFTS_SYNC: 'on'}).settings.draftSync).toBe(true);
});

test('settings: each invalid or unknown setting is one warning', () => {
  const toml = `
    keep_messages = -1
    colour = 7
    [drafts]
    sync = "on"
    later = 1
    [nonsense.deep]
    a = 1
    b = 2`;
  expect(read(toml, {PARLEY_ASK_AFTER_OFFLINE_MINUTES: 'soon'})).toEqual({
    settings: defaultSettings,
    warnings: [
      'config.toml: there is no setting “colour”.',
      'config.toml: there is no setting “drafts.later”.',
      'config.toml: there is no setting “nonsense”.',
      'config.toml: drafts.sync must be true or false.',
      '$PARLEY_ASK_AFTER_OFFLINE_MINUTES: ask_after_offline_minutes must be a whole number from 0 to 10080.',
      'config.toml: keep_messages must be a whole number from 0 to 1000000.',
    ],
  });
  expect(read('drafts = 3').warnings).toEqual(['config.toml: there is no setting “drafts”.']);
});

test('settings: a number may be its smallest and its largest, and words of the environment are in any case', () => {
  const numbers = Object.values(settingTable).filter((setting) => setting.type === 'number');
  for (const {name, min, max} of numbers) {
    const warned = (value: number) => read(`${name} = ${value}`).warnings.length;
    expect([name, ...[min - 1, min, max, max + 1].map(warned)]).toEqual([name, 1, 0, 0, 1]);
  }
  const env = {PARLEY_GLYPHS: 'ASCII', PARLEY_THEME: ' Dark', PARLEY_MOUSE: 'Yes'};
  expect(read('', env)).toMatchObject({settings: {glyphs: 'ascii', theme: 'dark', mouse: true}, warnings: []});
});

test('settings: invalid TOML leaves the defaults, and the warning names the line', () => {
  const {settings, warnings} = read('keep_messages = 3\nask_after_offline_minutes = = 1\n');
  expect(settings).toEqual(defaultSettings);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^config\.toml, line 2: .*All settings keep their defaults\.$/);
});

test('settings: a name such as __proto__ is harmless', () => {
  const {settings, warnings} = read('__proto__ = 1\nconstructor = 2');
  expect(settings).toEqual(defaultSettings);
  expect(warnings).toHaveLength(2);
});

test('settings: every default is an allowed value, and names are unique', () => {
  for (const setting of Object.values(settingTable)) {
    const {warnings} = read(`${setting.name} = ${JSON.stringify(setting.default)}`);
    expect(warnings).toEqual([]);
  }
  const names = Object.values(settingTable).map(({name}) => name);
  expect(new Set(names).size).toBe(names.length);
});
