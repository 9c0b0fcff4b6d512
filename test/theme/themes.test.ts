import {describe, expect, test} from 'vitest';
import type {Sgr} from '#content/styled-text/ansi.ts';
import {indexedRgb, nearestIndexed, type Rgb} from '#std/indexed-color.ts';
import type {ColorDepth} from '#theme/color-depth.ts';
import {lightPalette, tintRanges} from '#theme/palette.ts';
import {type RoleStyle, roleStyles, senderRole, senderRoles} from '#theme/roles.ts';
import {makeTheme, type Theme, themes} from '#theme/themes.ts';
import {contrast, distance, hexRgb, oklab} from './contrast.ts';

const allThemes = Object.values(themes);

function roleCodes(theme: Theme, depth: ColorDepth): [role: string, sgr: Sgr][] {
  return Object.entries(theme.styleSheet(depth).roles);
}

describe('theme contrast', () => {
  test('the contrast ratio is that of WCAG', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
  });

  const backgrounds = {
    dark: ['#000000', '#1e1e1e', '#2a2d33'],
    light: ['#ffffff', '#fdf6e3', '#f2f2f2'],
  };
  test.each([
    ['dark', 'true'],
    ['dark', '256'],
    ['light', 'true'],
    ['light', '256'],
  ] as const)('every colour of the %s theme has enough contrast on its backgrounds at depth %s', (id, depth) => {
    for (const [role, {open}] of roleCodes(themes[id], depth)) {
      const color = colorOf(open);
      for (const background of color === undefined ? [] : backgrounds[id])
        expect([role, background, contrast(color ?? [0, 0, 0], hexRgb(background)) >= 4.5]).toEqual([
          role,
          background,
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

test('default theme: uses colours of the terminal except for senders, and none that is invisible on some background', () => {
  const senders = new Set<string>(senderRoles);
  for (const depth of ['16', '256', 'true'] as const) {
    const allowed = new Set(['', '1', '2', '3', '4', '7', '31', '32', '35', '36', ...(depth === '16' ? [] : ['34'])]);
    for (const [role, {open}] of roleCodes(themes.default, depth).filter(
      ([name]) => depth === '16' || !senders.has(name),
    ))
      expect([role, open.split(';').filter((code) => !allowed.has(code))]).toEqual([role, []]);
  }
});

test('dark theme: of 16 colours it uses bright ones, and no blue', () => {
  const dark = ['30', '31', '32', '33', '34', '35', '36', '37', '94'];
  for (const [role, {open}] of roleCodes(themes.dark, '16'))
    expect([role, open.split(';').filter((code) => dark.includes(code))]).toEqual([role, []]);
});

test('themes: set no background at any depth, and no colours on screens without colours', () => {
  for (const theme of allThemes) {
    for (const depth of ['16', '256', 'true'] as const)
      for (const [role, {open}] of roleCodes(theme, depth))
        expect([role, open]).toEqual([role, withoutBackground(open)]);
    for (const [role, {open}] of roleCodes(theme, 'mono')) expect([role, open]).toEqual([role, withoutColors(open)]);
    expect(theme.styleSheet('never').isPlain).toBe(true);
  }
});

function withoutBackground(open: string): string {
  return open.replaceAll(/38;(?:5;\d+|2;\d+;\d+;\d+)|(?:^|;)(?:4[0-8]|10[0-7])(?![^;])/g, (code) =>
    code.startsWith('38') ? code : '',
  );
}

function withoutColors(open: string): string {
  return open
    .split(';')
    .filter((code) => code === '' || Number(code) < 10)
    .join(';');
}

test('themes: a coloured role also has an attribute on screens without colours, unless its text is a cue', () => {
  // Their text is a cue: a clock time, quotes and names in code, + and -, a word beside the dot.
  const rolesWithCue = [
    'time',
    'code_string',
    'code_number',
    'code_name',
    'code_type',
    'code_added',
    'code_removed',
    'idle',
  ];
  const mono = themes.default.styleSheet('mono').roles;
  const lost = Object.entries<RoleStyle>(roleStyles).filter(
    ([role, {color}]) =>
      color !== undefined && Object.entries(mono).some(([name, {open}]) => name === role && open === ''),
  );
  expect(lost.map(([role]) => role)).toEqual(rolesWithCue);
});

test('themes: the closing codes of a role end exactly its opening codes', () => {
  const ends: Readonly<Record<string, string>> = {'1': '22', '2': '22', '3': '23', '4': '24', '7': '27'};
  for (const theme of allThemes)
    for (const depth of ['mono', '16', '256', 'true'] as const)
      for (const [, {open, close}] of roleCodes(theme, depth)) {
        const codes = open.replace(/38;(?:5;\d+|2;\d+;\d+;\d+)/, '30').split(';');
        const needed = codes.filter((code) => code !== '').map((code) => ends[code] ?? '39');
        expect(close.split(';').filter((code) => code !== '')).toEqual([...new Set(needed)]);
      }
});

test('themes: overriding one role of one theme takes one line and changes nothing else', () => {
  const custom = makeTheme('custom', lightPalette, {
    tintRange: tintRanges.light,
    changes: {mention: {color: 'violet'}},
  });
  const [before, after] = [themes.light.styleSheet('16').roles, custom.styleSheet('16').roles];
  expect(after).toEqual({...before, mention: {open: '35', close: '39'}});
  expect(custom.styleSheet('mono').roles).toEqual(themes.light.styleSheet('mono').roles);
});

test('themes: the style sheet of a depth is always the same object, so that painted lines can be cached', () => {
  for (const theme of allThemes) expect(theme.styleSheet('256')).toBe(theme.styleSheet('256'));
});

test('indexed colours: a colour of the 256 maps to itself, any other to the nearest one', () => {
  for (let index = 16; index < 256; index++)
    expect(indexedRgb(nearestIndexed(indexedRgb(index)))).toEqual(indexedRgb(index));
  expect(nearestIndexed([254, 2, 1])).toBe(196);
  expect(nearestIndexed([100, 101, 99])).toBe(241);
});

describe('sender names', () => {
  test('a user always has the same colour, and consecutive ids have different ones', () => {
    const roles = senderRoles.map((_, at) => senderRole({id: 10 + at}));
    expect(new Set(roles)).toEqual(new Set(senderRoles));
    expect(senderRole({id: 10 + senderRoles.length})).toBe(senderRole({id: 10}));
    expect([senderRole({id: -1}), senderRole({id: Number.NaN})]).toEqual(['sender_2', 'sender']);
  });

  test.each(allThemes.flatMap((theme) => (['256', 'true'] as const).map((depth) => [theme.id, depth, theme] as const)))(
    'the theme “%s” has twelve distinguishable colours at depth %s',
    (_id, depth, theme) => {
      const {roles} = theme.styleSheet(depth);
      const shown = senderRoles.map((role) => oklab(colorOf(roles[role]?.open ?? '') ?? [0, 0, 0]));
      expect(shown).toHaveLength(12);
      for (const [at, color] of shown.entries()) {
        expect(Math.hypot(color[1], color[2]), `${senderRoles[at]} is not grey`).toBeGreaterThan(0.06);
        for (const other of shown.slice(0, at)) expect(distance(color, other)).toBeGreaterThan(0.055);
      }
      // Users who joined together differ most.
      for (const [at, color] of shown.entries())
        expect(distance(color, shown[(at + 1) % shown.length] ?? color)).toBeGreaterThan(0.12);
    },
  );

  test('16 colours show each sender in a colour of the terminal, bright ones in the dark theme', () => {
    const codes = (id: 'dark' | 'light') =>
      new Set(senderRoles.map((role) => themes[id].styleSheet('16').roles[role]?.open));
    expect(codes('light')).toEqual(new Set(['1;32', '1;34', '1;35', '1;36']));
    expect(codes('dark')).toEqual(new Set(['1;92', '1;95', '1;96']));
  });

  test('the own name and names of bots have roles of their own', () => {
    expect(senderRole({id: 1, isSelf: true})).toBe('sender_self');
    expect(senderRole({id: 1, isBot: true})).toBe('sender_bot');
  });
});

test('themes: an alert word is quieter than a mention of the reader, which is reversed', () => {
  for (const theme of allThemes)
    for (const depth of ['mono', '16', '256', 'true'] as const) {
      const {alert_word, self_mention} = theme.styleSheet(depth).roles;
      const isReversed = (sgr: Sgr | undefined) => sgr?.open.split(';').includes('7');
      expect([isReversed(alert_word), isReversed(self_mention)]).toEqual([false, true]);
      expect(alert_word?.open).not.toBe('');
    }
});
