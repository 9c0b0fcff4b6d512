import type {Colour} from './screen.ts';

/** The colours of a terminal: the sixteen named ones, text and background. */
export interface Palette {
  readonly foreground: string;
  readonly background: string;
  /** Black, red, green, yellow, blue, magenta, cyan, white; then their bright versions. */
  readonly named: readonly string[];
}

export const palettes: Readonly<Record<'dark' | 'light', Palette>> = {
  dark: {
    foreground: '#d0d4da',
    background: '#16181d',
    named: [
      ...['#2a2e37', '#e0787c', '#8fbf7f', '#d8b271', '#7ba6dd', '#bb92d6', '#6fb9bd', '#b9bfc9'],
      ...['#6d7482', '#f0969a', '#a8d699', '#ecca8e', '#9abff0', '#d0ade9', '#8fd2d5', '#eef0f3'],
    ],
  },
  light: {
    foreground: '#24292f',
    background: '#fcfcfb',
    named: [
      ...['#24292f', '#b3343c', '#3b7a2a', '#8a6100', '#2460b0', '#8040a5', '#1b7378', '#6e7681'],
      ...['#57606a', '#cf4850', '#4c9338', '#a57708', '#3a78cc', '#9a59c2', '#278b91', '#8c959f'],
    ],
  },
};

/** Returns the colour of `#rrggbb`. */
export function shownColour(colour: Colour, palette: Palette, otherwise: string): string {
  if (colour === 'default') return otherwise;
  if (typeof colour === 'string') return colour;
  return palette.named[colour] ?? indexed(colour);
}

/** Returns the colours after the named ones: a cube of 6×6×6, then 24 greys. */
function indexed(index: number): string {
  if (index >= 232) return hex([0, 1, 2].map(() => 8 + 10 * (index - 232)));
  const at = index - 16;
  return hex([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => step && 55 + 40 * step));
}

/** Mixes two colours; 0 is the first. */
export function mixed(first: string, second: string, share: number): string {
  const [a, b] = [channels(first), channels(second)];
  return hex(a.map((value, at) => Math.round(value + ((b[at] ?? 0) - value) * share)));
}

/** Formats a colour as a terminal reports it: `rrrr/gggg/bbbb`. */
export function reportedColour(colour: string): string {
  return channels(colour)
    .map((value) => value.toString(16).padStart(2, '0').repeat(2))
    .join('/');
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

function hex(values: readonly number[]): string {
  return `#${values.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
