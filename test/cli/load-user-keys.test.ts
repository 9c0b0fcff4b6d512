import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {loadUserKeys} from '#cli/load-user-keys.ts';
import {localSettingsFile} from '#cli/screen/persisted-settings.ts';
import {writingCommand} from '#commands/keymap.ts';
import {readSettings} from '#config/settings.ts';
import {testIo} from '#test/support/cli-io.ts';

/** A home with this `keys.toml`, and the setting “typing” as the settings list changes it. */
function scene(keys?: string) {
  const io = testIo();
  mkdirSync(io.paths.config, {recursive: true});
  if (keys !== undefined) writeFileSync(join(io.paths.config, 'keys.toml'), keys);
  return {
    setting: () => {
      const {settings} = readSettings(io.paths.config, {});
      return localSettingsFile({...io, settings})
        .list()
        .find(({key}) => key === 'typing');
    },
    choose: (value: string) => {
      const {settings} = readSettings(io.paths.config, {});
      return localSettingsFile({...io, settings}).change('typing', value).statusText;
    },
    startsWriting: () => loadUserKeys(io.paths, io).keymap.msgs.get('a') === writingCommand,
  };
}

test('keys: letters start writing when the setting says so, without keys.toml and against it', () => {
  const {choose, setting, startsWriting} = scene();
  expect([setting()?.value, startsWriting()]).toEqual(['auto', false]);
  expect(choose('on')).toBe('saved, from the next start on');
  expect([setting()?.value, startsWriting()]).toEqual(['on', true]);
  choose('off');
  expect(startsWriting()).toBe(false);
  const file = scene('typing = false');
  file.choose('on');
  expect(file.startsWriting()).toBe(true);
});

test('keys: with the setting “auto”, letters start writing as keys.toml and its preset say', () => {
  const {choose, startsWriting} = scene('preset = "weechat"');
  expect(startsWriting()).toBe(true);
  choose('off');
  expect(startsWriting()).toBe(false);
  choose('auto');
  expect(startsWriting()).toBe(true);
  expect(scene('preset = "weechat"\ntyping = false').startsWriting()).toBe(false);
});
