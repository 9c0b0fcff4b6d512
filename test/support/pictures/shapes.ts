import {cell, left, short, top} from './grid.ts';

/** A character drawn as a path instead of text, so that it joins its neighbours without a gap in any font. */
export interface Shape {
  readonly kind: 'stroke' | 'heavy' | 'fill';
  /** Path data. */
  readonly path: string;
  /** The opacity of a shaded block. */
  readonly opacity?: number;
}

type Arms = readonly ['up' | '', 'right' | '', 'down' | '', 'left' | ''];

const arms = (text: string): Arms => [
  text.includes('u') ? 'up' : '',
  text.includes('r') ? 'right' : '',
  text.includes('d') ? 'down' : '',
  text.includes('l') ? 'left' : '',
];

const light: ReadonlyMap<string, Arms> = new Map(
  Object.entries({
    ...{'─': 'rl', '│': 'ud', '┌': 'rd', '┐': 'dl', '└': 'ur', '┘': 'ul'},
    ...{'├': 'urd', '┤': 'udl', '┬': 'rdl', '┴': 'url', '┼': 'urdl', '╴': 'l', '╵': 'u', '╶': 'r', '╷': 'd'},
  }).map(([character, text]) => [character, arms(text)]),
);
const heavy: ReadonlyMap<string, Arms> = new Map(
  Object.entries({'━': 'rl', '┃': 'ud', '┏': 'rd', '┓': 'dl', '┗': 'ur', '┛': 'ul', '╸': 'l', '╺': 'r'}).map(
    ([character, text]) => [character, arms(text)],
  ),
);
/** The directions of the arc: from its horizontal arm to its vertical one. */
const arcs: ReadonlyMap<string, readonly [x: -1 | 1, y: -1 | 1]> = new Map([
  ['╭', [1, 1]],
  ['╮', [-1, 1]],
  ['╰', [1, -1]],
  ['╯', [-1, -1]],
]);
/** Left, top, right and bottom, in eighths of the cell. */
const blocks = new Map<string, readonly [number, number, number, number]>([
  ['█', [0, 0, 8, 8]],
  ['▀', [0, 0, 8, 4]],
  ['▐', [4, 0, 8, 8]],
  ['▔', [0, 0, 8, 1]],
  ['▕', [7, 0, 8, 8]],
  ...Array.from('▁▂▃▄▅▆▇', (character, at) => [character, [0, 7 - at, 8, 8]] as const),
  ...Array.from('▏▎▍▌▋▊▉', (character, at) => [character, [0, 0, at + 1, 8]] as const),
]);
const shades: ReadonlyMap<string, number> = new Map([
  ['░', 0.25],
  ['▒', 0.5],
  ['▓', 0.75],
]);

/** Returns the shape of a character at a position in the grid; undefined for characters drawn as text. */
export function shapeOf(character: string, column: number, row: number): Shape | undefined {
  const lines = light.get(character) ?? heavy.get(character);
  if (lines !== undefined) {
    return {kind: light.has(character) ? 'stroke' : 'heavy', path: armPath(lines, column, row)};
  }
  const arc = arcs.get(character);
  if (arc !== undefined) return {kind: 'stroke', path: arcPath(arc, column, row)};
  const block = blocks.get(character);
  if (block !== undefined) return {kind: 'fill', path: blockPath(block, column, row)};
  const opacity = shades.get(character);
  return opacity === undefined ? undefined : {kind: 'fill', path: blockPath([0, 0, 8, 8], column, row), opacity};
}

/** The centre of a cell on a half pixel, so that lines stay sharp. */
function middle(column: number, row: number): [x: number, y: number] {
  return [Math.floor(left(column + 0.5)) + 0.5, Math.floor(top(row + 0.5)) + 0.5];
}

function armPath([up, right, down, leftwards]: Arms, column: number, row: number): string {
  const [x, y] = middle(column, row);
  const from = leftwards === '' ? x : left(column);
  const to = right === '' ? x : left(column + 1);
  const across = from === to ? '' : `M${short(from)} ${short(y)}H${short(to)}`;
  const above = up === '' ? y : top(row);
  const below = down === '' ? y : top(row + 1);
  return above === below ? across : `${across}M${short(x)} ${short(above)}V${short(below)}`;
}

function arcPath([toX, toY]: readonly [number, number], column: number, row: number): string {
  const [x, y] = middle(column, row);
  const radius = cell.width / 2;
  const endX = left(toX === 1 ? column + 1 : column);
  const endY = top(toY === 1 ? row + 1 : row);
  return `M${short(endX)} ${short(y)}Q${short(x)} ${short(y)} ${short(x)} ${short(y + toY * radius)}V${short(endY)}`;
}

function blockPath(
  [from, above, to, below]: readonly [number, number, number, number],
  column: number,
  row: number,
): string {
  const [x, y] = [left(column + from / 8), top(row + above / 8)];
  return `M${short(x)} ${short(y)}H${short(left(column + to / 8))}V${short(top(row + below / 8))}H${short(x)}z`;
}
