import {type Clip, clippedLines, intersectClips, isEmptyClip, styledLines} from './clip.ts';
import {lineCells} from './line-cells.ts';
import {composeRow, isMadeOf, type ScreenRow, type Segment, textRow} from './screen-row.ts';

type Transformer = (line: string, index: number) => string;

type Operation =
  | {readonly kind: 'clip'; readonly clip: Clip}
  | {readonly kind: 'unclip'}
  | {
      readonly kind: 'write';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly transformers: readonly Transformer[];
    };

/** The rows of the last frame, reused where they are unchanged. A module variable, because there is one screen. */
let previous: {readonly rows: readonly ScreenRow[]; readonly output: string} = {rows: [], output: ''};

/** Returns the rows of a frame's text: those that were composed for the last frame, if it is that one. */
export function rowsOfText(text: string, width: number): readonly ScreenRow[] {
  const isLast = text === previous.output && previous.rows[0]?.cells.length === width;
  return isLast ? previous.rows : text.split('\n').map((line) => textRow(line, width));
}

/**
 * Replaces Ink's class of this name and paints the same cells. Ink's parses every visible line in every frame; this one
 * caches parsed lines, describes a row as a list of lines at columns, and composes only rows whose list has changed.
 */
export class Output {
  readonly width: number;
  readonly height: number;
  readonly #operations: Operation[] = [];

  constructor({width, height}: {width: number; height: number}) {
    this.width = width;
    this.height = height;
  }

  write(x: number, y: number, text: string, {transformers}: {transformers: readonly Transformer[]}): void {
    if (text !== '') this.#operations.push({kind: 'write', x, y, text, transformers});
  }

  clip(clip: Clip): void {
    this.#operations.push({kind: 'clip', clip});
  }

  unclip(): void {
    this.#operations.push({kind: 'unclip'});
  }

  get(): {output: string; height: number} {
    const rows = this.#segments().map((segments, y) => {
      const previousRow = previous.rows[y];
      return previousRow !== undefined && isMadeOf(previousRow, segments, this.width)
        ? previousRow
        : composeRow(segments, this.width);
    });
    const isSame = rows.length === previous.rows.length && rows.every((row, y) => row === previous.rows[y]);
    if (!isSame) previous = {rows, output: rows.map(({text}) => text).join('\n')};
    return {output: previous.output, height: rows.length};
  }

  /** Returns the segments of each row in the order in which they are painted. */
  #segments(): Segment[][] {
    const rows: Segment[][] = Array.from({length: Math.max(0, Math.ceil(this.height))}, () => []);
    const clips: Clip[] = [];
    for (const operation of this.#operations) {
      const clip = clips.at(-1);
      if (operation.kind === 'clip') clips.push(intersectClips(clip, operation.clip));
      else if (operation.kind === 'unclip') clips.pop();
      else if (clip === undefined || !isEmptyClip(clip)) addSegments(rows, operation, clip);
    }
    return rows;
  }
}

function addSegments(rows: Segment[][], operation: Operation & {kind: 'write'}, clip: Clip | undefined): void {
  const {x, y, lines} =
    clip === undefined
      ? {x: operation.x, y: operation.y, lines: styledLines(operation.text).lines}
      : clippedLines(operation, clip);
  for (let index = 0; index < lines.length; index++) {
    const row = rows[y + index];
    if (row === undefined) continue;
    let line = lines[index] ?? '';
    for (const transform of operation.transformers) line = transform(line, index + y - operation.y);
    const cells = lineCells(line);
    if (cells.cells.length > 0) row.push({x, line: cells});
  }
}
