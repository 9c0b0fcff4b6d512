import type {RgbColor, TerminalReply} from './input-events.ts';

/** The character after ESC that starts a string sequence: OSC, DCS, APC, PM, SOS. */
export type StringStart = ']' | 'P' | '_' | '^' | 'X';

/**
 * Patterns that only replies of a terminal match. Alt with one of the start characters looks the same at
 * first, so other input is uncertain until its terminator arrives.
 */
const replyPatterns: Readonly<Record<StringStart, RegExp | undefined>> = {
  ']': /^\d{1,4}(?:;|$)/,
  P: /^(?:>(?:\||$)|!(?:\||$)|[01](?:[$+](?:r|$)|$))/,
  _: /^G/,
  '^': undefined,
  X: undefined,
};

export function isStringStart(sign: string): sign is StringStart {
  return sign in replyPatterns;
}

/** Returns whether the bytes so far are the start of a reply; half a terminator may be at their end. */
export function isReplyStart(start: StringStart, body: string): boolean {
  return replyPatterns[start]?.test(body.endsWith('\u001b') ? body.slice(0, -1) : body) ?? false;
}

/** Returns the reply in a complete OSC, DCS or APC sequence; `body` has one character per byte. */
export function stringReply(start: StringStart, body: string): TerminalReply | undefined {
  if (start === 'P' && body.startsWith('>|')) return {type: 'version', text: utf8(body.slice(2))};
  if (start === 'P' && body.startsWith('1+r')) return terminfoReply(body.slice(3));
  if (start === '_' && body.startsWith('G')) return {type: 'graphics', text: utf8(body.slice(1))};
  return start === ']' ? oscReply(body) : undefined;
}

/** Parses `436f=323536`: the terminfo capability `Co` and its value in hexadecimal. */
function terminfoReply(body: string): TerminalReply | undefined {
  const [name, value] = body.split('=').map((hex) => Buffer.from(hex, 'hex').toString('latin1'));
  return name === 'Co' ? {type: 'color_count', count: Number(value)} : undefined;
}

function oscReply(body: string): TerminalReply | undefined {
  const [, number, rest] = /^(\d+);(.*)$/s.exec(body) ?? [];
  if (number === undefined || rest === undefined) return undefined;
  if (number === '99') return {type: 'notifications', text: utf8(rest)};
  if (number === '1337') return itermReply(rest);
  if (!['10', '11', '12'].includes(number)) return undefined;
  const color = colorOf(rest);
  return color === undefined ? undefined : {type: 'color', slot: Number(number), color};
}

/** Parses `ReportCellSize=17.5;8.0;2.0`: the height and width in points, and the pixels of a point. */
function itermReply(text: string): TerminalReply | undefined {
  const [, height, width, scale = '1'] = /^ReportCellSize=([\d.]+);([\d.]+)(?:;([\d.]+))?$/.exec(text) ?? [];
  if (height === undefined || width === undefined) return undefined;
  const pixels = (points: string) => Math.round(Number(points) * Number(scale)) || 0;
  return {type: 'size', of: 'iterm_cell', width: pixels(width), height: pixels(height)};
}

/** Parses `rgb:1e1e/1e1e/2e2e`, `rgba:…` or `#1e1e2e`, with one to four digits per component. */
function colorOf(text: string): RgbColor | undefined {
  const [, slashed, packed] =
    /^(?:rgba?:([\da-f]{1,4}(?:\/[\da-f]{1,4}){2,3})|#((?:[\da-f]{3}){1,4}))$/i.exec(text) ?? [];
  const parts = slashed?.split('/') ?? (packed === undefined ? [] : thirds(packed));
  const [red, green, blue] = parts.map((digits) =>
    Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255),
  );
  return red === undefined || green === undefined || blue === undefined ? undefined : {red, green, blue};
}

function thirds(digits: string): string[] {
  const size = digits.length / 3;
  return [0, 1, 2].map((index) => digits.slice(index * size, (index + 1) * size));
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Returns the reply in `ESC [ body final`, where `body` may start with a mark and end with an intermediate. */
export function csiReply(body: string, final: string): TerminalReply | undefined {
  const [, mark = '', digits = '', between = ''] = /^([?>]?)([\d;]*)(\$?)$/.exec(body) ?? [];
  const numbers = digits === '' ? [] : digits.split(';').map(Number);
  const [first = 0, second = 0, third = 0] = numbers;
  switch (`${mark}${between}${final}`) {
    case '?c':
      return {type: 'attributes', codes: numbers};
    case '>c':
      return {type: 'secondary_attributes', codes: numbers};
    case '?u':
      return {type: 'kitty_flags', flags: first};
    case '>m':
      return first === 4 ? {type: 'modify_other_keys', level: second} : undefined;
    case '?n':
      return first === 997 ? {type: 'color_scheme', scheme: second === 2 ? 'light' : 'dark'} : undefined;
    case '$y':
      return {type: 'ansi_mode', mode: first, state: second};
    case '?$y':
      return {type: 'mode', mode: first, state: second};
    case 'n':
      return numbers.length === 1 ? {type: 'status'} : undefined;
    case 'R':
    case '?R':
      return numbers.length >= 2 ? {type: 'cursor', row: first, column: second} : undefined;
    case '?S':
      return first === 2 && second === 0 && numbers.length === 4
        ? {type: 'size', of: 'area', width: third, height: numbers[3] ?? 0}
        : undefined;
    case 't':
      return numbers.length === 3 ? sizeReply(first, second, third) : undefined;
    default:
      return undefined;
  }
}

function sizeReply(what: number, height: number, width: number): TerminalReply | undefined {
  const of = ({4: 'area', 6: 'cell', 8: 'grid'} as const)[what];
  return of === undefined ? undefined : {type: 'size', of, width, height};
}
