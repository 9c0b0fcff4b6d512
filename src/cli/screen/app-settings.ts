import type {App} from '#app/core/app.ts';
import type {AppSettings, LocalSettings} from '#app/core/host.ts';
import {openPicker} from '#app/overlays/picker.ts';
import type {CliIo} from '#cli/io.ts';
import {inputMode} from '#commands/keymap.ts';
import type {Env} from '#config/paths.ts';
import type {ConfigSettings} from '#config/settings.ts';
import {type ClusterWidths, clusterKinds, unusualWidths} from '#content/styled-text/cluster-widths.ts';
import type {KeyValueStore} from '#state/account-store.ts';
import {localeFormat, timeLocale} from '#std/locale-format.ts';
import type {Capabilities} from '#terminal/capabilities.ts';
import {type ColorDepth, screenDepthOf} from '#theme/color-depth.ts';
import {type ScreenColors, type Theme, themes} from '#theme/themes.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';

/**
 * The key of the user's answer to the question about Enter, which is asked when the account's setting is a new line.
 */
const enterChoiceKey = 'enter';
type EnterChoice = 'send' | 'account';

/** Returns the settings of the screen, from the configuration file and the account's saved answer about Enter. */
export function appSettings(settings: ConfigSettings, store: Pick<KeyValueStore, 'get'>): AppSettings {
  return {...settings, enterSends: enterSends(settings, store)};
}

/** Returns true (Enter sends) by default; undefined, which follows the account, when the user chose that. */
function enterSends(settings: ConfigSettings, store: Pick<KeyValueStore, 'get'>): boolean | undefined {
  if (settings.enterSends !== 'auto') return settings.enterSends === 'yes';
  return persistedEnterChoice(store) === 'account' ? undefined : true;
}

function persistedEnterChoice(store: Pick<KeyValueStore, 'get'>): EnterChoice | undefined {
  const saved = store.get(enterChoiceKey);
  if (saved === '"send"') return 'send';
  if (saved === '"account"') return 'account';
  return undefined;
}

function persistEnterChoice(store: Pick<KeyValueStore, 'set'>, answer: EnterChoice): void {
  store.set(enterChoiceKey, JSON.stringify(answer));
}

/** Returns the program's settings for an account. That Enter follows the account's setting is saved per account: the file applies to all. */
export function accountSettings(
  shared: LocalSettings,
  store: Pick<KeyValueStore, 'set'>,
  current: () => Pick<AppSettings, 'enterSends'>,
): LocalSettings {
  return {
    ...shared,
    list: () =>
      shared.list().map((setting) => {
        const isSend = setting.key === 'enterSends' && setting.value === 'auto' && current().enterSends === true;
        return isSend ? {...setting, value: 'yes', default: 'yes'} : setting;
      }),
    change: (key, value) => {
      if (key === 'enterSends' && value === 'auto') persistEnterChoice(store, 'account');
      return shared.change(key, value);
    },
  };
}

/**
 * Asks once, at the first start, whether Enter should start a new line when the account's setting says so. A
 * user who closes the question sends with Enter and is not asked again. It never interrupts: if the user is
 * writing or in a menu, it is asked at the next start.
 */
export function askAboutEnter(app: App, store: Pick<KeyValueStore, 'get' | 'set'>): void {
  if (persistedEnterChoice(store) !== undefined) return;
  app.session.ready().then(
    () => {
      if (app.state.settings.enterSends !== false) persistEnterChoice(store, 'send');
      else if (inputMode(app.screen) === 'NAV') ask(app, store);
    },
    () => {},
  );
}

function ask(app: App, store: Pick<KeyValueStore, 'get' | 'set'>): void {
  openPicker(app, {
    id: 'first-question',
    title: 'What should Enter do while writing?',
    isMenu: true,
    columns: 64,
    rows: () => [
      {key: 'send', label: '1  Send the message', detail: 'Ctrl-J starts a new line'},
      {key: 'account', label: '2  Start a new line, like your Zulip setting', detail: 'Ctrl-D sends'},
    ],
    accept: (_app, row) => {
      app.closeOverlay();
      choose(app, store, row.key === 'account');
    },
    onKey: (_app, {name, alt}) => {
      // Alt with a digit switches accounts.
      if (alt === true || (name !== '1' && name !== '2')) return false;
      app.closeOverlay();
      choose(app, store, name === '2');
      return true;
    },
    onClose: () => {
      // Also when the question is closed without an answer.
      if (persistedEnterChoice(store) === undefined) persistEnterChoice(store, 'send');
    },
    hint: 'Asked once. Change it later in the settings.',
  });
}

function choose(app: App, store: Pick<KeyValueStore, 'set'>, asAccount: boolean): void {
  persistEnterChoice(store, asAccount ? 'account' : 'send');
  app.changeSettings({enterSends: asAccount ? undefined : true});
}

/** The settings that the host applies to the display. */
export const displaySettings = [
  'theme',
  'glyphs',
  'bidi',
  'linkPreviews',
  'screenReader',
  'images',
  'imageRows',
] as const satisfies (keyof ConfigSettings)[];

/** The user's display settings; without a colour depth the terminal decides. */
export type DisplayPreferences = Omit<Pick<ConfigSettings, (typeof displaySettings)[number]>, 'theme'> & {
  readonly theme: ThemeChoice;
  readonly color: ColorDepth | undefined;
};

const heldMs: Readonly<Record<ConfigSettings['screenReader'], number | undefined>> = {
  off: undefined,
  on: Number.POSITIVE_INFINITY,
  announce: 10_000,
};

/** Combines the user's preferences with the capabilities of the terminal, as far as they are known. */
export function resolveDisplayOptions(
  {theme, glyphs, bidi, color, linkPreviews, screenReader}: DisplayPreferences,
  capabilities: Capabilities,
  env: Env,
): DisplayOptions {
  const {isUtf8, hyperlinks, clusterWidths} = capabilities;
  const automaticGlyphs = isUtf8 ? 'unicode' : 'ascii';
  const visibleGlyphs = glyphs === 'auto' ? automaticGlyphs : glyphs;
  return {
    theme: themeFor(theme, capabilities),
    depth: screenDepthOf(env, capabilities, color),
    hasHyperlinks: hyperlinks,
    glyphs: screenReader === 'off' ? visibleGlyphs : 'words',
    bidi: bidi === 'auto' ? automaticBidi(screenReader, capabilities) : bidi,
    heldMs: heldMs[screenReader],
    emoji: emojiOptions(clusterWidths),
    clusterWidths: unusualWidths(clusterWidths),
    zone: undefined,
    locale: localeFormat(timeLocale(env)),
    linkPreviews,
  };
}

/** A screen reader speaks the text in the order in which it is written. */
function automaticBidi(screenReader: ConfigSettings['screenReader'], {bidi}: Capabilities): DisplayOptions['bidi'] {
  if (screenReader !== 'off') return 'off';
  return bidi === 'words' ? 'words' : bidi === 'own' ? 'terminal' : 'reorder';
}

/** Returns how emoji are written: as characters as far as the terminal shows each as one, else by name. */
function emojiOptions({tone, joined, variation}: ClusterWidths): DisplayOptions['emoji'] {
  const tones = clusterKinds.tone.columns;
  const families = clusterKinds.joined.columns;
  const hasParts = tone === tones[1] && joined === families[1];
  return {wideVariation: variation === 2, ...(hasParts && {sequences: false})};
}

/** A theme, or the one that suits the background. */
export type ThemeChoice = Theme | 'auto';

export interface LoadedTheme {
  readonly theme: ThemeChoice;
  /** A sentence for each line of its file that cannot be used. */
  readonly problems: readonly string[];
}

/** Returns the theme of a name. Files and what reads them are loaded only if the theme is one. */
export async function themeOfName(name: string, {paths, home}: Pick<CliIo, 'paths' | 'home'>): Promise<LoadedTheme> {
  if (name === 'auto') return {theme: name, problems: []};
  const own = Object.entries(themes).find(([id]) => id === name)?.[1];
  if (own !== undefined) return {theme: own, problems: []};
  const {loadTheme} = await import('./load-theme.ts');
  return loadTheme(name, paths, home);
}

/**
 * Returns the theme. The default theme suits every background: it is used while the background is unknown, and where a theme
 * needs a background that the terminal cannot be given.
 */
function themeFor(choice: ThemeChoice, {background, reportsBackground, isSettled}: Capabilities): Theme {
  if (choice === 'auto') return themes[background ?? 'default'];
  return choice.screenColors !== undefined && isSettled && !reportsBackground ? themes.default : choice;
}

/** Returns the colours that the terminal must have for the theme. With fewer than 256 colours it keeps its own. */
export function shownScreenColors({theme, depth}: DisplayOptions): ScreenColors | undefined {
  return depth === '256' || depth === 'true' ? theme.screenColors : undefined;
}
