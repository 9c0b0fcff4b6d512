import type {DisplayOptions} from '#app/core/frame.ts';
import type {Env} from '#config/paths.ts';
import type {ConfigSettings} from '#config/settings.ts';
import type {Capabilities} from '#terminal/capabilities.ts';
import {type ColorDepth, screenDepthOf} from '#theme/color-depth.ts';
import {type Theme, themes} from '#theme/themes.ts';

/** How somebody wants the screen, as far as they said. */
export interface DisplayPreferences {
  readonly theme: ConfigSettings['theme'];
  readonly glyphs: ConfigSettings['glyphs'];
  readonly color: ColorDepth | undefined;
}

/** What the wishes come to on this terminal, as far as it is known. */
export function resolveDisplayOptions(
  {theme, glyphs, color}: DisplayPreferences,
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
  };
}

/** A background that nobody knows gets the colours that suit every one. */
function themeFor(wish: DisplayPreferences['theme'], background: Capabilities['background']): Theme {
  if (wish !== 'auto') return themes[wish];
  return themes[background ?? 'default'];
}
