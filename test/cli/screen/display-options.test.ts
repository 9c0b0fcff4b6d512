import {expect, test} from 'vitest';
import {type DisplayPreferences, resolveDisplayOptions} from '#cli/screen/display-options.ts';
import {type Capabilities, initialCapabilities} from '#terminal/capabilities.ts';
import {terminalEnvironment} from '#terminal/environment.ts';

const env = {TERM: 'xterm-256color', LANG: 'C.UTF-8'};
const capabilities = initialCapabilities(terminalEnvironment(env, true));
const usual: DisplayPreferences = {theme: 'default', glyphs: 'auto', color: undefined};

function looks(wishes: Partial<DisplayPreferences>, known: Partial<Capabilities> = {}) {
  return resolveDisplayOptions({...usual, ...wishes}, {...capabilities, ...known}, env);
}

test('the automatic theme follows the background, and suits every one while that is not known', () => {
  expect(looks({theme: 'auto'}).theme.id).toBe('default');
  expect(looks({theme: 'auto'}, {background: 'dark'}).theme.id).toBe('dark');
  expect(looks({theme: 'auto'}, {background: 'light'}).theme.id).toBe('light');
  expect(looks({theme: 'dark'}, {background: 'light'}).theme.id).toBe('dark');
});

test('a terminal without UTF-8 gets plain signs, unless somebody says otherwise', () => {
  expect(looks({}).glyphs).toBe('unicode');
  expect(looks({}, {isUtf8: false}).glyphs).toBe('ascii');
  expect(looks({glyphs: 'unicode'}, {isUtf8: false}).glyphs).toBe('unicode');
  expect(looks({glyphs: 'ascii'}).glyphs).toBe('ascii');
});

test('colours are as many as the terminal has, or as were asked for', () => {
  expect(looks({}).depth).toBe('256');
  expect(looks({}, {trueColor: true}).depth).toBe('true');
  expect(looks({color: '16'}, {trueColor: true}).depth).toBe('16');
  expect(looks({color: 'never'}).depth).toBe('mono');
});
