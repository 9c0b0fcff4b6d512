/**
 * How much a terminal can show: nothing but text, attributes without colours (`NO_COLOR`), the sixteen slots of its own
 * palette, 256 fixed colours, or any.
 */
export type ColorDepth = 'never' | 'mono' | '16' | '256' | 'true';

/** A screen without attributes could not show what is selected. */
export type ScreenDepth = Exclude<ColorDepth, 'never'>;

type Environment = Readonly<Record<string, string | undefined>>;

const forced: Readonly<Record<string, ColorDepth>> = {
  '0': 'never',
  false: 'never',
  '1': '16',
  '2': '256',
  '3': 'true',
};

/**
 * What the environment says. `FORCE_COLOR` wins, also into a pipe; then https://no-color.org; then what the terminal has
 * said of itself, since ssh seldom passes COLORTERM on; then what TERM can do.
 */
export function colorDepthOf(env: Environment, isTty: boolean, hasTrueColor = false): ColorDepth {
  const force = env.FORCE_COLOR ?? '';
  if (force !== '')
    return (
      forced[force.toLowerCase()] ?? (named(env, hasTrueColor) === 'never' ? '16' : named(env, hasTrueColor))
    );
  if (!isTty) return 'never';
  const depth = named(env, hasTrueColor);
  return depth !== 'never' && (env.NO_COLOR ?? '') !== '' ? 'mono' : depth;
}

/** What a screen is drawn with; `asked` is what the command line says. */
export function screenDepthOf(env: Environment, hasTrueColor: boolean, asked?: ColorDepth): ScreenDepth {
  const depth = asked ?? colorDepthOf(env, true, hasTrueColor);
  return depth === 'never' ? 'mono' : depth;
}

function named(env: Environment, hasTrueColor: boolean): ColorDepth {
  const term = env.TERM ?? '';
  if (term === '' || term === 'dumb') return 'never';
  if (hasTrueColor || /^(?:truecolor|24bit)$/i.test(env.COLORTERM ?? '') || /-direct$/.test(term))
    return 'true';
  if (/256color|kitty|alacritty|foot|ghostty|wezterm/.test(term)) return '256';
  return /^(?:vt\d|ansi)/.test(term) ? 'mono' : '16';
}
