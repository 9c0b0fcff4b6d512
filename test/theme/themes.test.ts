import {describe, expect, test} from 'vitest';
import type {Sgr} from '#content/styled-text/ansi.ts';
import type {ColorDepth} from '#theme/color-depth.ts';
import {indexedRgb, lightPalette, nearestIndexed, type Rgb} from '#theme/palette.ts';
import {roleStyles} from '#theme/role-styles.ts';
import {senderRole, senderRoles} from '#theme/roles.ts';
import {type Theme, themeOf, themes} from '#theme/themes.ts';
import {contrast, hexRgb} from './contrast.ts';

const everyTheme = Object.values(themes);

function painted(theme: Theme, depth: ColorDepth): [role: string, sgr: Sgr][] {
  return Object.entries(theme.look(depth).roles);
}

describe('contrast', () => {
  test('is that of the standard', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
  });

  const grounds: Readonly<Record<string, readonly string[]>> = {
    dark: ['#000000', '#1e1e1e', themes.dark.overlayBackground ?? ''],
    light: ['#ffffff', '#fdf6e3', themes.light.overlayBackground ?? ''],
  };
  test.each([
    ['dark', 'true'],
    ['dark', '256'],
    ['light', 'true'],
    ['light', '256'],
  ] as const)('every colour of the %s theme can be read on its grounds (%s)', (id, depth) => {
    for (const [role, {open}] of painted(themes[id], depth)) {
      const color = colorOf(open);
      for (const ground of color === undefined ? [] : (grounds[id] ?? []))
        expect([role, ground, contrast(color ?? [0, 0, 0], hexRgb(ground)) >= 4.5]).toEqual([
          role,
          ground,
          true,
        ]);
    }
  });
});

function colorOf(open: string): Rgb | undefined {
  const [, red, green, blue] = /38;2;(\d+);(\d+);(\d+)/.exec(open) ?? [];
  if (red !== undefined) return [Number(red), Number(green), Number(blue)];
  const [, index] = /38;5;(\d+)/.exec(open) ?? [];
  return index === undefined ? undefined : indexedRgb(Number(index));
}

test('the default theme uses the slots of the terminal only, and none that vanishes on some ground', () => {
  const allowed = new Set(['', '1', '2', '3', '4', '7', '31', '32', '34', '35', '36']);
  for (const depth of ['16', '256', 'true'] as const)
    for (const [role, {open}] of painted(themes.default, depth))
      expect([role, open.split(';').filter((code) => !allowed.has(code))]).toEqual([role, []]);
});

test('no theme paints the ground, and without colours none paints one', () => {
  for (const theme of everyTheme) {
    for (const depth of ['16', '256', 'true'] as const)
      for (const [role, {open}] of painted(theme, depth))
        expect([role, open]).toEqual([role, withoutGround(open)]);
    for (const [role, {open}] of painted(theme, 'mono'))
      expect([role, open]).toEqual([role, withoutColors(open)]);
    expect(theme.look('never').isPlain).toBe(true);
  }
});

function withoutGround(open: string): string {
  return open.replaceAll(/38;(?:5;\d+|2;\d+;\d+;\d+)|(?:^|;)(?:4[0-8]|10[0-7])(?![^;])/g, (found) =>
    found.startsWith('38') ? found : '',
  );
}

function withoutColors(open: string): string {
  return open
    .split(';')
    .filter((code) => code === '' || Number(code) < 10)
    .join(';');
}

test('what has a colour is told without it too, by an attribute or by its own mark', () => {
  // Their text is a cue already: a clock time, quotes and names of code, + and -, a word beside the dot.
  const marked = [
    'time',
    'code_string',
    'code_number',
    'code_name',
    'code_type',
    'code_added',
    'code_removed',
    'idle',
  ];
  const mono = themes.default.look('mono').roles;
  const lost = Object.entries(roleStyles).filter(
    ([role, {color}]) =>
      color !== undefined && Object.entries(mono).some(([name, {open}]) => name === role && open === ''),
  );
  expect(lost.map(([role]) => role)).toEqual(marked);
});

test('each sequence ends exactly what it began', () => {
  const ends: Readonly<Record<string, string>> = {'1': '22', '2': '22', '3': '23', '4': '24', '7': '27'};
  for (const theme of everyTheme)
    for (const depth of ['mono', '16', '256', 'true'] as const)
      for (const [, {open, close}] of painted(theme, depth)) {
        const codes = open.replace(/38;(?:5;\d+|2;\d+;\d+;\d+)/, '30').split(';');
        const needed = codes.filter((code) => code !== '').map((code) => ends[code] ?? '39');
        expect(close.split(';').filter((code) => code !== '')).toEqual([...new Set(needed)]);
      }
});

test('a theme changes one role by one line, and the rest of it and of the others stay', () => {
  const own = themeOf('light', {name: 'Own', palette: lightPalette, roles: {mention: {color: 'violet'}}});
  const [before, after] = [themes.light.look('16').roles, own.look('16').roles];
  expect(after).toEqual({...before, mention: {open: '35', close: '39'}});
  expect(own.look('mono').roles).toEqual(themes.light.look('mono').roles);
});

test('a look is the same object each time, so that painted lines can be kept', () => {
  for (const theme of everyTheme) expect(theme.look('256')).toBe(theme.look('256'));
});

test('a colour that is among the 256 is found, and the nearest one otherwise', () => {
  for (let index = 16; index < 256; index++)
    expect(indexedRgb(nearestIndexed(indexedRgb(index)))).toEqual(indexedRgb(index));
  expect(nearestIndexed([254, 2, 1])).toBe(196);
  expect(nearestIndexed([100, 101, 99])).toBe(241);
});

describe('names', () => {
  test('a person keeps a colour, and neighbours have different ones', () => {
    const roles = [10, 11, 12, 13, 14, 15].map((id) => senderRole({id}));
    expect(new Set(roles)).toEqual(new Set(senderRoles));
    expect(senderRole({id: 16})).toBe(senderRole({id: 10}));
    expect([senderRole({id: -1}), senderRole({id: Number.NaN})]).toEqual(['sender_2', 'sender']);
  });

  test('one’s own name and those of bots are told apart', () => {
    expect(senderRole({id: 1, isSelf: true})).toBe('sender_self');
    expect(senderRole({id: 1, isBot: true})).toBe('sender_bot');
  });
});
