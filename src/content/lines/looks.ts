import type {Look, Sgr} from './ansi.ts';
import type {Role} from './line.ts';

export type ColorDepth = 'never' | '16' | '256' | 'true';

type Color = {
  readonly basic: number;
  readonly indexed: number;
  readonly rgb: readonly [number, number, number];
};

// Legible on light and on dark grounds; the sixteen are whatever the reader's terminal makes of them.
const colors = {
  red: {basic: 31, indexed: 160, rgb: [205, 62, 62]},
  green: {basic: 32, indexed: 71, rgb: [76, 153, 76]},
  brown: {basic: 33, indexed: 136, rgb: [168, 121, 24]},
  blue: {basic: 34, indexed: 68, rgb: [74, 128, 205]},
  violet: {basic: 35, indexed: 133, rgb: [170, 90, 170]},
  teal: {basic: 36, indexed: 37, rgb: [32, 150, 160]},
} as const satisfies Record<string, Color>;
type ColorName = keyof typeof colors;

interface Paint {
  readonly color?: ColorName;
  readonly bold?: true;
  readonly dim?: true;
  readonly underline?: true;
  readonly reverse?: true;
}

/** Whatever a colour says is also said by a mark, a word or an attribute: `@`, `[1]`, a bar, bold, reverse. */
const paints: Readonly<Partial<Record<Role, Paint>>> = {
  heading: {underline: true},
  code: {color: 'brown'},
  quote_bar: {dim: true},
  quote: {dim: true},
  bullet: {dim: true},
  rule: {dim: true},
  link: {color: 'blue', underline: true},
  link_number: {dim: true},
  mention: {color: 'teal'},
  self_mention: {reverse: true},
  silent_mention: {bold: true},
  channel_link: {color: 'blue'},
  time: {color: 'teal'},
  math: {color: 'violet'},
  table_border: {dim: true},
  spoiler: {color: 'violet'},
  chip: {color: 'blue'},
  alert_word: {reverse: true},
  match: {reverse: true, bold: true},
  note: {dim: true},
  code_keyword: {color: 'violet'},
  code_string: {color: 'green'},
  code_comment: {dim: true},
  code_number: {color: 'teal'},
  code_name: {color: 'blue'},
  code_type: {color: 'brown'},
  code_added: {color: 'green'},
  code_removed: {color: 'red'},
};

/** The look of messages where no theme says otherwise. `never` paints nothing at all. */
export function lookOf(depth: ColorDepth): Look {
  const entries = Object.entries(paints).map(([role, paint]) => [role, sgr(paint, depth)] as const);
  return {
    roles: Object.fromEntries(entries),
    bold: {open: '1', close: '22'},
    italic: {open: '3', close: '23'},
    strike: {open: '9', close: '29'},
    isPlain: depth === 'never',
  };
}

function sgr(paint: Paint, depth: ColorDepth): Sgr {
  const parts: [string, string][] = [];
  if (paint.bold) parts.push(['1', '22']);
  if (paint.dim) parts.push(['2', '22']);
  if (paint.underline) parts.push(['4', '24']);
  if (paint.reverse) parts.push(['7', '27']);
  if (paint.color !== undefined) parts.push([colorCode(colors[paint.color], depth), '39']);
  return {
    open: parts.map(([open]) => open).join(';'),
    close: [...new Set(parts.map(([, close]) => close))].join(';'),
  };
}

function colorCode(color: Color, depth: ColorDepth): string {
  if (depth === 'true') return `38;2;${color.rgb.join(';')}`;
  return depth === '256' ? `38;5;${color.indexed}` : String(color.basic);
}
