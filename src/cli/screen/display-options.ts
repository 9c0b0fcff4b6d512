import type {Env} from '#config/paths.ts';
import type {ConfigSettings} from '#config/settings.ts';
import type {Capabilities} from '#terminal/capabilities.ts';
import {type ColorDepth, screenDepthOf} from '#theme/color-depth.ts';
import {type Theme, themes} from '#theme/themes.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';

/** The user's display settings; undefined where the terminal decides. */
export interface DisplayPreferences {
  readonly theme: ConfigSettings['theme'];
  readonly glyphs: ConfigSettings['glyphs'];
  readonly color: ColorDepth | undefined;
  readonly linkPreviews: boolean;
}

/** Combines the user's preferences with the capabilities of the terminal, as far as they are known. */
export function resolveDisplayOptions(
  {theme, glyphs, color, linkPreviews}: DisplayPreferences,
  capabilities: Capabilities,
  env: Env,
): DisplayOptions {
  const {isUtf8, hyperlinks, trueColor, background} = capabilities;
  return {
    theme: themeFor(theme, background),
    depth: screenDepthOf(env, trueColor, color),
    hasHyperlinks: hyperlinks,
    glyphs: glyphs === 'auto' ? (isUtf8 ? 'unicode' : 'ascii') : glyphs,
    emoji: {},
    zone: undefined,
    linkPreviews,
  };
}

/** Returns the theme. If the background is unknown, it is the default theme, which suits every background. */
function themeFor(preference: DisplayPreferences['theme'], background: Capabilities['background']): Theme {
  if (preference !== 'auto') return themes[preference];
  return themes[background ?? 'default'];
}
