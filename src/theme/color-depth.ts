/**
 * The styles that a terminal can show: none, attributes without colours (`NO_COLOR`), the 16 colours of its own palette, 256
 * indexed colours, or any colour.
 */
export type ColorDepth = 'never' | 'mono' | '16' | '256' | 'true';

/** The depths that the screen uses: without attributes it could not show the selected row. */
type ScreenDepth = Exclude<ColorDepth, 'never'>;

type Environment = Readonly<Record<string, string | undefined>>;

const forceColorDepths: Readonly<Record<string, ColorDepth>> = {
  '0': 'never',
  false: 'never',
  '1': '16',
  '2': '256',
  '3': 'true',
};

/** What the terminal itself reports of its colours. */
interface ReportedColors {
  readonly trueColor?: boolean;
  readonly indexedColor?: boolean;
}

/**
 * Returns the colour depth of the output. `FORCE_COLOR` wins, even for a pipe; then `NO_COLOR` (https://no-color.org); then
 * the terminal's own report, since ssh rarely forwards COLORTERM; then COLORTERM and TERM.
 */
export function colorDepthOf(env: Environment, isTty: boolean, reported: ReportedColors = {}): ColorDepth {
  const force = env.FORCE_COLOR ?? '';
  const depth = terminalDepth(env, reported);
  if (force !== '') return forceColorDepths[force.toLowerCase()] ?? (depth === 'never' ? '16' : depth);
  if (!isTty) return 'never';
  return depth !== 'never' && (env.NO_COLOR ?? '') !== '' ? 'mono' : depth;
}

/** Returns the colour depth of the screen; `fromCommandLine` overrides the environment. */
export function screenDepthOf(env: Environment, reported: ReportedColors, fromCommandLine?: ColorDepth): ScreenDepth {
  const depth = fromCommandLine ?? colorDepthOf(env, true, reported);
  return depth === 'never' ? 'mono' : depth;
}

function terminalDepth(env: Environment, {trueColor = false, indexedColor = false}: ReportedColors): ColorDepth {
  const term = env.TERM ?? '';
  if (term === '' || term === 'dumb') return 'never';
  if (trueColor || /^(?:truecolor|24bit)$/i.test(env.COLORTERM ?? '') || /-direct$/.test(term)) return 'true';
  if (indexedColor || /256color|kitty|alacritty|foot|ghostty|wezterm/.test(term)) return '256';
  return /^(?:vt\d|ansi)/.test(term) ? 'mono' : '16';
}
