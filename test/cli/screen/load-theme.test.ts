import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {themeOfName} from '#cli/screen/app-settings.ts';
import {loadTheme, parseTheme} from '#cli/screen/load-theme.ts';
import {pathsOf} from '#config/paths.ts';
import {ownThemeNames, themeChoices} from '#config/theme-names.ts';
import {indexedRgb, type Rgb} from '#std/indexed-color.ts';
import {assetNames} from '#std/program-files.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {contrast, hexRgb} from '#test/theme/contrast.ts';
import {type Theme, themes} from '#theme/themes.ts';

const {default: _default, dark: _dark, light: _light, auto: _auto, ...withFile} = themeChoices;
const fileNames = Object.keys(withFile);

/** WCAG’s floor for text (level AA), for every role; the text without a role must be the clearest of all. */
const floor = 4.5;

function fixture() {
  const home = scratchDirectory();
  const paths = pathsOf({}, home);
  mkdirSync(join(paths.config, 'themes'), {recursive: true});
  const write = (name: string, text: string) => writeFileSync(join(paths.config, 'themes', name), text);
  return {home, paths, write};
}

function shipped(name: string): Theme {
  const {home, paths} = fixture();
  const {theme, problems} = loadTheme(name, paths, home);
  expect(problems).toEqual([]);
  if (theme === 'auto') throw new Error('A file is one theme.');
  return theme;
}

function colorOf(open: string): Rgb | undefined {
  const [, red, green, blue] = /38;2;(\d+);(\d+);(\d+)/.exec(open) ?? [];
  if (red !== undefined) return [Number(red), Number(green), Number(blue)];
  const [, index] = /38;5;(\d+)/.exec(open) ?? [];
  return index === undefined ? undefined : indexedRgb(Number(index));
}

test('themes: each choice has its file, and each file is a choice', () => {
  expect(assetNames('themes')).toEqual(fileNames.map((name) => `${name}.toml`).sort());
});

test.each(fileNames.flatMap((name) => (['true', '256'] as const).map((depth) => [name, depth] as const)))(
  'themes: every role of %s has a contrast of at least 4.5 on its background, at depth %s',
  (name, depth) => {
    const {screenColors, styleSheet} = shipped(name);
    const background = hexRgb(screenColors?.background ?? '');
    const colored = Object.entries(styleSheet(depth).roles).flatMap(([role, {open}]) => {
      const color = colorOf(open);
      return color === undefined ? [] : [[role, contrast(color, background)] as const];
    });
    expect(colored.length).toBeGreaterThan(50);
    expect(colored.filter(([, ratio]) => ratio < floor)).toEqual([]);
    expect(contrast(hexRgb(screenColors?.text ?? ''), background)).toBeGreaterThanOrEqual(floor);
    const tint = colorOf(styleSheet(depth).tint?.('#76ce90')?.open ?? '');
    expect(contrast(tint ?? background, background)).toBeGreaterThanOrEqual(floor);
  },
);

test('themes: with 16 colours a theme uses those of the terminal that suit every background', () => {
  for (const name of fileNames)
    expect(shipped(name).styleSheet('16').roles).toEqual(themes.default.styleSheet('16').roles);
});

test('themes: a colour that is clear enough is exactly that of the palette', () => {
  const {roles} = shipped('gruvbox-dark').styleSheet('true');
  expect(roles.success?.open).toBe('38;2;184;187;38');
  expect(roles.link?.open).toBe('4;38;2;131;165;152');
});

test('own theme: a file sets colours and roles, and its name is a choice', async () => {
  const {home, paths, write} = fixture();
  write(
    'sea.toml',
    'background = "#001020"\ntext = "#ddeeff"\n[colors]\nblue = "#44AAFF"\n[roles]\nlink = "blue bold"\ntopic = "#ffcc00"\nmention = "text underline"\n',
  );
  write('dark.toml', '');
  write('not a name!.toml', '');
  expect(ownThemeNames(paths.config)).toEqual(['sea']);
  const {theme, problems} = await themeOfName('sea', {home, paths});
  expect(problems).toEqual([]);
  if (theme === 'auto') throw new Error('A file is one theme.');
  expect(theme.screenColors).toEqual({text: '#ddeeff', background: '#001020'});
  const {roles} = theme.styleSheet('true');
  expect([roles.link?.open, roles.topic?.open, roles.mention?.open]).toEqual([
    '1;38;2;68;170;255',
    '38;2;255;204;0',
    '4',
  ]);
  expect(theme.styleSheet('mono').roles).toEqual(themes.default.styleSheet('mono').roles);
});

test('own theme: unreadable colours are changed until they have the contrast that the file says', () => {
  const text = 'background = "#000000"\ntext = "#ffffff"\n[colors]\nred = "#330000"\n';
  const redOf = (source: string) => {
    const {theme} = parseTheme('own', source, 'own.toml');
    return theme === 'auto' ? undefined : colorOf(theme.styleSheet('true').roles.error?.open ?? '');
  };
  expect(contrast(redOf(text) ?? [0, 0, 0], [0, 0, 0])).toBeGreaterThanOrEqual(4.5);
  expect(redOf(`contrast = 1\n${text}`)).toEqual([51, 0, 0]);
});

test('own theme: each line that cannot be used is reported with its number, and the others apply', () => {
  const text = [
    'background = "#000000"',
    'text = "white"',
    'contrast = 99',
    'font = "big"',
    '[colors]',
    'pink = "#ff00ff"',
    'red = "#f00"',
    '[roles]',
    'links = "blue"',
    'link = "bleu bold"',
    'topic = 7',
    'title = "green"',
  ].join('\n');
  const {theme, problems} = parseTheme('own', text, '~/own.toml');
  expect(
    problems.map((problem) => problem.replace(/^~\/own\.toml, line /, '').split(/ (?:must|is|has|needs) /)[0]),
  ).toEqual([
    '4: “font”',
    '2: “text”',
    '3: “contrast”',
    '6: “pink”',
    '7: “red”',
    '9: “links”',
    '10: “link”',
    '11: “topic”',
  ]);
  const roles = theme === 'auto' ? {} : theme.styleSheet('16').roles;
  expect([roles.link?.open, roles.title?.open]).toEqual(['1', '32']);
});

test('own theme: a missing file, one that is not TOML and an unreadable one leave the default theme', () => {
  const {home, paths, write} = fixture();
  write('broken.toml', 'text = \n');
  mkdirSync(join(paths.config, 'themes', 'folder.toml'));
  const place = '~/.config/parley/themes';
  expect(loadTheme('broken', paths, home)).toEqual({
    theme: themes.default,
    problems: [expect.stringContaining(`${place}/broken.toml, line 1: `)],
  });
  expect(loadTheme('missing', paths, home)).toEqual({
    theme: themes.default,
    problems: [`There is no theme “missing”: neither in Parley nor in ${place}.`],
  });
  expect(loadTheme('folder', paths, home)).toMatchObject({theme: themes.default, problems: [expect.any(String)]});
});

test('own theme: a file replaces the palette of its name until it is removed, and never a theme without a file', async () => {
  const {home, paths, write} = fixture();
  const textOf = async (name: string) => {
    const {theme} = await themeOfName(name, {home, paths});
    return theme === 'auto' ? theme : theme.screenColors?.text;
  };
  const before = await textOf('nord');
  const mine = 'background = "#001020"\ntext = "#ddeeff"\n';
  for (const name of ['nord', 'default', 'dark', 'light', 'auto']) write(`${name}.toml`, mine);
  expect(await textOf('nord')).toBe('#ddeeff');
  expect(await Promise.all(['default', 'dark', 'light', 'auto'].map(textOf))).toEqual([
    undefined,
    undefined,
    undefined,
    'auto',
  ]);
  rmSync(join(paths.config, 'themes', 'nord.toml'));
  expect([before, await textOf('nord')]).toEqual([expect.stringMatching(/^#/), before]);
});
