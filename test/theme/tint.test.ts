import {expect, test} from 'vitest';
import {ansiLine} from '#content/styled-text/ansi.ts';
import {indexedRgb, type Rgb} from '#std/indexed-color.ts';
import {luminance, tintRanges, tintSgr} from '#theme/palette.ts';
import {themes} from '#theme/themes.ts';

const colors = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#4f8de4',
  '#7b1fa2',
  '#000080',
  '#ffff00',
];
const backgrounds = {
  default: [
    [0, 0, 0],
    [255, 255, 255],
  ],
  dark: [
    [0, 0, 0],
    [42, 45, 51],
  ],
  light: [
    [242, 242, 242],
    [255, 255, 255],
  ],
} as const;
const minContrast = {default: 4.4, dark: 4.4, light: 4.4};

function contrast(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
}

function shownRgb(open: string): Rgb {
  const [, kind, ...parts] = open.split(';').map(Number);
  if (kind === 5) return indexedRgb(parts[0] ?? 0);
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
}

test.each(['default', 'dark', 'light'] as const)('tint: colours are readable in the theme “%s”', (theme) => {
  for (const color of colors) {
    const exact = shownRgb(tintSgr(color, tintRanges[theme], 'true')?.open ?? '');
    const indexed = shownRgb(tintSgr(color, tintRanges[theme], '256')?.open ?? '');
    for (const background of backgrounds[theme]) {
      expect(contrast(exact, background), `${color} on ${background}`).toBeGreaterThan(minContrast[theme]);
      expect(contrast(indexed, background), `${color} indexed on ${background}`).toBeGreaterThan(
        minContrast[theme] * 0.8,
      );
    }
  }
});

test('tint: a colour that is readable already is not changed', () => {
  expect(tintSgr('#76ce90', tintRanges.dark, 'true')?.open).toBe('38;2;118;206;144');
});

test('tint: 16 colours are chosen by hue, and there is none for greys and without colours', () => {
  const slot = (hex: string) => tintSgr(hex, tintRanges.default, '16')?.open;
  expect([slot('#76ce90'), slot('#4f8de4'), slot('#e79ab5'), slot('#00bcd4')]).toEqual(['32', '35', '35', '36']);
  expect(slot('#c2c2c2')).toBeUndefined();
  expect(slot('blue')).toBeUndefined();
  expect(tintSgr('#76ce90', tintRanges.dark, 'mono')).toBeUndefined();
});

test('tint: the attributes of the role stay', () => {
  const line = {spans: [{text: '#a', role: 'unread', tint: '#76ce90'} as const], width: 2};
  expect(ansiLine(line, themes.dark.styleSheet('true'))).toBe('\u001b[1;38;2;118;206;144m#a\u001b[22;39m');
  expect(ansiLine(line, themes.dark.styleSheet('mono'))).toBe('\u001b[1m#a\u001b[22m');
});
