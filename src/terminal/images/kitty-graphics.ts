/**
 * The graphics protocol of kitty. An image is uploaded once under an id. Then it is shown by placements, or by placeholders: a private
 * character in each cell, whose combining marks say its row and column, and whose colour is the image's id. Answers are suppressed.
 */

import {esc, st, tmuxPassthrough} from '#terminal/control-sequences.ts';
import type {CellBox, PixelSize} from './fit-image.ts';

/** The largest piece of base64 in one sequence. */
const maxPiece = 4096;

function graphics(keys: string, payload = ''): string {
  return `${esc}_G${keys}${payload === '' ? '' : `;${payload}`}${st}`;
}

/** Returns the sequences that upload a PNG. With `virtual`, placeholders show it in a box of this size. */
export function kittyUpload(id: number, png: Buffer, virtual?: CellBox & {readonly inTmux: boolean}): string {
  const pieces = png.toString('base64').match(new RegExp(`.{1,${maxPiece}}`, 'g')) ?? [''];
  const what = virtual === undefined ? 'a=t' : `a=T,U=1,c=${virtual.columns},r=${virtual.rows}`;
  const sequences = pieces.map((piece, index) => {
    const more = `m=${index < pieces.length - 1 ? 1 : 0}`;
    return graphics(index === 0 ? `${what},i=${id},f=100,q=2,${more}` : `q=2,${more}`, piece);
  });
  // Each piece on its own, because tmux limits the length of what it passes on.
  return sequences.map((sequence) => (virtual?.inTmux ? tmuxPassthrough(sequence) : sequence)).join('');
}

/** Returns the sequence that shows one row of cells of an uploaded image at the cursor, which stays. */
export function kittyRow(id: number, placement: number, row: number, columns: number, strip: PixelSize): string {
  const source = `x=0,y=${row * strip.height},w=${strip.width},h=${strip.height}`;
  return graphics(`a=p,i=${id},p=${placement},${source},c=${columns},r=1,C=1,q=2`);
}

export function kittyRemovePlacement(id: number, placement: number): string {
  return graphics(`a=d,d=i,i=${id},p=${placement},q=2`);
}

/** Removes the image and everything that shows it. */
export function kittyRemove(id: number, inTmux: boolean): string {
  const sequence = graphics(`a=d,d=I,i=${id},q=2`);
  return inTmux ? tmuxPassthrough(sequence) : sequence;
}

const placeholder = '\u{10eeee}';

/** The number of different ids in a session. */
export const idCount = 240;

/**
 * Returns an id that placeholders can name without true colour, which tmux may not have: an indexed colour, and a third mark for the
 * session. tmux writes the first 16 colours in another way.
 */
export function placeholderId(session: number, number: number): number {
  return (((session & 0xff) << 24) | (16 + (number % idCount))) >>> 0;
}

/** Returns the rows of text that show an uploaded image. A cell without marks continues the one at its left. */
export function placeholderRows(id: number, {columns, rows}: CellBox): string[] {
  const high = mark(id >>> 24);
  return Array.from({length: rows}, (_, row) => {
    const marked = (column: number) => (column < maxPlaceholders ? mark(row) + mark(column) + high : '');
    const cells = Array.from({length: columns}, (_cell, column) => placeholder + marked(column));
    return `${esc}[38;5;${id & 0xff}m${cells.join('')}${esc}[39m`;
  });
}

/** The rows and columns that placeholders can count. */
export const maxPlaceholders = 297;

let marks: readonly string[] | undefined;

/** Returns the combining mark for a number. */
export function mark(number: number): string {
  marks ??= markRanges
    .flatMap((line) => line.split(' '))
    .flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map((hex) => Number.parseInt(hex, 16));
      return Array.from({length: to - from + 1}, (_, index) => String.fromCodePoint(from + index));
    });
  return marks[number] ?? '';
}

/** The marks of the protocol in order, as code points and ranges of them. */
const markRanges = [
  '305 30d-30e 310 312 33d-33f 346 34a-34c 350-352 357 35b 363-36f 483-487 592-595 597-599 59c-5a1 5a8-5a9',
  '5ab-5ac 5af 5c4 610-617 657-65b 65d-65e 6d6-6dc 6df-6e2 6e4 6e7-6e8 6eb-6ec 730 732-733 735-736 73a 73d',
  '73f-741 743 745 747 749-74a 7eb-7f1 7f3 816-819 81b-823 825-827 829-82d 951 953-954 f82-f83 f86-f87 135d-135f',
  '17dd 193a 1a17 1a75-1a7c 1b6b 1b6d-1b73 1cd0-1cd2 1cda-1cdb 1ce0 1dc0-1dc1 1dc3-1dc9 1dcb-1dcc 1dd1-1de6 1dfe',
  '20d0-20d1 20d4-20d7 20db-20dc 20e1 20e7 20e9 20f0 2cef-2cf1 2de0-2dff a66f a67c-a67d a6f0-a6f1 a8e0-a8f1 aab0',
  'aab2-aab3 aab7-aab8 aabe-aabf aac1 fe20-fe26 10a0f 10a38 1d185-1d189 1d1aa-1d1ad 1d242-1d244',
];
