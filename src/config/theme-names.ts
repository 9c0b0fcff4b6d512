import {readdirSync} from 'node:fs';
import {join} from 'node:path';

/** The themes that come with the program, with their names on the screen. Except for the first four, each is a file of `assets/themes/`. */
export const themeChoices = {
  default: 'terminal colours',
  dark: 'dark',
  light: 'light',
  auto: 'by background',
  'catppuccin-latte': 'Catppuccin Latte',
  'catppuccin-mocha': 'Catppuccin Mocha',
  dracula: 'Dracula',
  'gruvbox-dark': 'Gruvbox dark',
  'gruvbox-light': 'Gruvbox light',
  nord: 'Nord',
  'solarized-dark': 'Solarized dark',
  'solarized-light': 'Solarized light',
} as const;

/** Whether a text can be the name of a theme, and so of its file. */
export function isThemeName(text: string): boolean {
  return /^[\w+-][\w.+-]{0,99}$/.test(text);
}

/** The folder of the user's own themes, in the configuration folder. */
export const themeFolder = 'themes';

/** The themes without a file, whose names files cannot have. */
const withoutFile = ['default', 'dark', 'light', 'auto'];

/** Returns the names of the user's own themes. */
export function ownThemeNames(config: string): readonly string[] {
  try {
    const names = readdirSync(join(config, themeFolder)).flatMap((file) => /^(.+)\.toml$/.exec(file)?.[1] ?? []);
    return names.filter((name) => isThemeName(name) && !withoutFile.includes(name)).sort();
  } catch {
    return [];
  }
}
