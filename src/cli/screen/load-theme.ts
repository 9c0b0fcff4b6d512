import {join} from 'node:path';
import {parse, TomlError, type TomlTable} from 'smol-toml';
import {outlineOf} from '#config/change-setting.ts';
import {displayPath, type Paths} from '#config/paths.ts';
import {ConfigError, orConfigError, readSmallFile} from '#config/private-files.ts';
import {isTable, tomlErrorText} from '#config/settings.ts';
import {ownThemeNames, themeChoices, themeFolder} from '#config/theme-names.ts';
import type {Rgb} from '#std/indexed-color.ts';
import {readAsset} from '#std/program-files.ts';
import {
  type Color,
  type ColorName,
  readableColor,
  readableRange,
  rgbOf,
  type TintRange,
  terminalPalette,
} from '#theme/palette.ts';
import {type Attribute, roleStyles, type UiRole} from '#theme/roles.ts';
import {makeTheme, type RoleChanges, themes} from '#theme/themes.ts';
import type {LoadedTheme} from './app-settings.ts';

/** Reads a theme: the user's own file of this name, or the one that comes with the program. */
export function loadTheme(name: string, {config}: Pick<Paths, 'config'>, home: string): LoadedTheme {
  if (ownThemeNames(config).includes(name)) {
    const file = join(config, themeFolder, `${name}.toml`);
    const text = orConfigError(() => readSmallFile(file));
    if (text instanceof ConfigError) return {theme: themes.default, problems: [text.message]};
    return parseTheme(name, text, displayPath(file, home));
  }
  if (Object.hasOwn(themeChoices, name)) return parseTheme(name, readAsset(`themes/${name}.toml`), name);
  const place = displayPath(join(config, themeFolder), home);
  return {theme: themes.default, problems: [`There is no theme “${name}”: neither in Parley nor in ${place}.`]};
}

const colorNames = Object.keys(terminalPalette) as ColorName[];
const attributeNames: readonly Attribute[] = ['bold', 'italic', 'underline', 'reverse'];
const hexText = 'a colour such as "#76ce90"';
const defaultContrast = 4.5;
const maxContrast = 21;

/** Reads the text of a theme file. A line with an error is reported and skipped; all others apply. */
export function parseTheme(name: string, text: string, source: string): LoadedTheme {
  const file = openThemeFile(text, source);
  if (typeof file === 'string') return {theme: themes.default, problems: [file]};
  const {table, problems, report} = file;
  const {name: _title, background, text: plain, contrast = defaultContrast, colors = {}, roles = {}, ...others} = table;
  for (const key of Object.keys(others)) report([key], 'is not known in themes');
  const hexOf = (path: readonly string[], value: unknown): Rgb | undefined => {
    const rgb = typeof value === 'string' ? rgbOf(value) : undefined;
    if (rgb === undefined) report(path, `must be ${hexText}`);
    return rgb;
  };
  const behind = background === undefined ? undefined : hexOf(['background'], background);
  const front = plain === undefined ? undefined : hexOf(['text'], plain);
  if ((background === undefined) !== (plain === undefined))
    report([background === undefined ? 'text' : 'background'], 'needs the other one of background and text');
  const isContrast = typeof contrast === 'number' && contrast >= 1 && contrast <= maxContrast;
  if (!isContrast) report(['contrast'], `must be a number from 1 to ${maxContrast}`);
  const range = behind && front && readableRange(behind, front, isContrast ? contrast : defaultContrast);

  const palette: Record<ColorName, Color> = {...terminalPalette};
  for (const [key, value] of entriesOf(colors, () => report(['colors'], 'must be a table'))) {
    const color = colorNames.find((one) => one === key);
    if (color === undefined) report(['colors', key], `is no colour; there are ${colorNames.join(', ')}`);
    else palette[color] = colorOf(hexOf(['colors', key], value), range, palette[color]);
  }
  const changes: {-readonly [R in keyof RoleChanges]: RoleChanges[R]} = {};
  for (const [key, value] of entriesOf(roles, () => report(['roles'], 'must be a table'))) {
    const words = typeof value === 'string' ? value.split(/\s+/).filter((word) => word !== '') : undefined;
    if (!Object.hasOwn(roleStyles, key)) report(['roles', key], 'is no role');
    else if (words === undefined) report(['roles', key], 'must be a text such as "blue bold"');
    else changes[key as UiRole] = roleStyle(words, range, (problem) => report(['roles', key], problem));
  }
  const screenColors = behind && front ? {text: hexText6(front), background: hexText6(behind)} : undefined;
  return {theme: makeTheme(name, palette, {changes, screenColors, ...(range && {tintRange: range})}), problems};
}

function hexText6(rgb: Rgb): string {
  return `#${rgb.map((component) => component.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the table of the file, and a function that reports a problem with the line of a value; or why it is not TOML. */
function openThemeFile(text: string, source: string) {
  let table: TomlTable;
  try {
    table = parse(text);
  } catch (error) {
    if (error instanceof TomlError) return tomlErrorText(source, error);
    throw error;
  }
  const problems: string[] = [];
  const {assignments, tables} = outlineOf(text);
  const report = (path: readonly string[], problem: string) => {
    const isHere = (one: {readonly path: readonly string[]}) => path.every((word, at) => one.path[at] === word);
    const start = assignments.find(isHere)?.keyStart ?? tables.find(isHere)?.start ?? 0;
    const line = text.slice(0, start).split('\n').length;
    problems.push(`${source}, line ${line}: “${path.at(-1)}” ${problem}.`);
  };
  return {table, problems, report};
}

function entriesOf(value: unknown, onProblem: () => void): readonly [string, unknown][] {
  if (isTable(value)) return Object.entries(value);
  onProblem();
  return [];
}

/** Returns the colour, readable on the background of the theme if it has one; `before` without a colour. */
function colorOf(rgb: Rgb | undefined, range: TintRange | undefined, before: Color): Color {
  if (rgb === undefined) return before;
  const {basic, ofSixteen = basic} = before;
  return range === undefined ? {basic, ofSixteen, rgb} : readableColor(rgb, range, {basic, ofSixteen});
}

/** Returns the style of a role from words: a colour, then attributes. Terminals without colours keep the usual attributes. */
function roleStyle(
  words: readonly string[],
  range: TintRange | undefined,
  report: (problem: string) => void,
): NonNullable<RoleChanges[UiRole]> {
  let color: ColorName | Color | undefined;
  const attributes: Attribute[] = [];
  for (const word of words) {
    const attribute = attributeNames.find((one) => one === word);
    const rgb = rgbOf(word);
    if (attribute !== undefined) attributes.push(attribute);
    else if (rgb !== undefined) color = colorOf(rgb, range, {basic: {open: '', close: ''}});
    else {
      const named = colorNames.find((one) => one === word);
      if (named === undefined && word !== 'text')
        report(`has “${word}”: use ${[...colorNames, 'text', ...attributeNames].join(', ')} or ${hexText}`);
      color = named ?? color;
    }
  }
  return {color, tint: undefined, attributes};
}
