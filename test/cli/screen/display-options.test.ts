import {expect, test} from 'vitest';
import {type DisplayPreferences, resolveDisplayOptions, shownScreenColors} from '#cli/screen/app-settings.ts';
import {type Capabilities, initialCapabilities} from '#terminal/capabilities.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {themes} from '#theme/themes.ts';

const env = {TERM: 'xterm-256color', LANG: 'C.UTF-8'};
const capabilities = initialCapabilities(terminalEnvironment(env, true));
const usual: DisplayPreferences = {
  theme: themes.default,
  glyphs: 'auto',
  bidi: 'auto',
  color: undefined,
  linkPreviews: true,
  screenReader: 'off',
  images: 'auto',
  imageRows: 12,
};

function displayOptions(wishes: Partial<DisplayPreferences>, known: Partial<Capabilities> = {}) {
  return resolveDisplayOptions({...usual, ...wishes}, {...capabilities, ...known}, env);
}

test('display options: the automatic theme follows the background, and is the default while it is unknown', () => {
  expect(displayOptions({theme: 'auto'}).theme.id).toBe('default');
  expect(displayOptions({theme: 'auto'}, {background: 'dark'}).theme.id).toBe('dark');
  expect(displayOptions({theme: 'auto'}, {background: 'light'}).theme.id).toBe('light');
  expect(displayOptions({theme: themes.dark}, {background: 'light'}).theme.id).toBe('dark');
});

test('display options: a theme with a background is used unless the terminal cannot be given one', () => {
  const theme = {...themes.dark, id: 'night', screenColors: {text: '#ffffff', background: '#000020'}};
  const shown = (known: Partial<Capabilities>, color?: DisplayPreferences['color']) => {
    const options = displayOptions({theme, color}, known);
    return [options.theme.id, shownScreenColors(options)?.background];
  };
  expect(shown({})).toEqual(['night', '#000020']);
  expect(shown({isSettled: true, reportsBackground: true})).toEqual(['night', '#000020']);
  expect(shown({isSettled: true})).toEqual(['default', undefined]);
  expect(shown({}, '16')).toEqual(['night', undefined]);
  expect(shown({}, 'never')).toEqual(['night', undefined]);
});

test('display options: a terminal without UTF-8 gets ASCII glyphs, unless the setting says otherwise', () => {
  expect(displayOptions({}).glyphs).toBe('unicode');
  expect(displayOptions({}, {isUtf8: false}).glyphs).toBe('ascii');
  expect(displayOptions({glyphs: 'unicode'}, {isUtf8: false}).glyphs).toBe('unicode');
  expect(displayOptions({glyphs: 'ascii'}).glyphs).toBe('ascii');
});

test('display options: colours follow the terminal or the option', () => {
  expect(displayOptions({}).depth).toBe('256');
  expect(displayOptions({}, {trueColor: true}).depth).toBe('true');
  expect(displayOptions({color: '16'}, {trueColor: true}).depth).toBe('16');
  expect(displayOptions({color: 'never'}).depth).toBe('mono');
});

test('display options: Parley orders right-to-left text unless the terminal does and cannot be stopped', () => {
  expect(displayOptions({}).bidi).toBe('reorder');
  expect(displayOptions({}, {bidi: 'switchable'}).bidi).toBe('reorder');
  expect(displayOptions({}, {bidi: 'own'}).bidi).toBe('terminal');
  expect(displayOptions({}, {bidi: 'words'}).bidi).toBe('words');
  expect(displayOptions({bidi: 'reorder'}, {bidi: 'words'}).bidi).toBe('reorder');
  expect(displayOptions({bidi: 'reorder'}, {bidi: 'own'}).bidi).toBe('reorder');
  expect(displayOptions({bidi: 'off'}).bidi).toBe('off');
  // A screen reader speaks the order in which text is written.
  expect(displayOptions({screenReader: 'on'}, {bidi: 'words'}).bidi).toBe('off');
  expect(displayOptions({screenReader: 'announce', bidi: 'reorder'}).bidi).toBe('reorder');
});

test('display options: a screen reader gets words, and changes wait for the next key or a pause', () => {
  expect(displayOptions({})).toMatchObject({glyphs: 'unicode', heldMs: undefined});
  const held = {on: Number.POSITIVE_INFINITY, announce: 10_000};
  for (const screenReader of ['on', 'announce'] as const) {
    expect(displayOptions({screenReader, glyphs: 'ascii'})).toMatchObject({
      glyphs: 'words',
      heldMs: held[screenReader],
    });
  }
});

test('display options: emoji are written as the terminal counts them', () => {
  expect(displayOptions({}).emoji).toEqual({wideVariation: false});
  const whole = displayOptions({}, {clusterWidths: {tone: 2, joined: 2, variation: 2}});
  expect([whole.emoji, whole.clusterWidths]).toEqual([{wideVariation: true}, {}]);
  const parts = displayOptions({}, {clusterWidths: {tone: 4, joined: 6, variation: 1}});
  expect(parts.emoji).toEqual({wideVariation: false, sequences: false});
  expect(parts.clusterWidths).toEqual({tone: 4, joined: 6, variation: 1});
});
