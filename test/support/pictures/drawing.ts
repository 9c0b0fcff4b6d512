import {cell, left, short, top} from './grid.ts';
import type {Shape} from './shapes.ts';

interface Written {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly colour: string;
  readonly bold: boolean;
  readonly italic: boolean;
}

interface Run extends Written {
  readonly text: string;
  /** Columns. */
  readonly length: number;
}

interface Stretch {
  readonly colour: string;
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

/** Collects the elements of a picture and joins equal neighbours, so that files stay small. */
export class Drawing {
  readonly #papers: Stretch[] = [];
  readonly #rules: (Stretch & {readonly at: 'under' | 'through'})[] = [];
  readonly #shapes = new Map<string, string>();
  readonly #runs: Run[] = [];
  readonly #onTop: string[] = [];

  paper(colour: string, x: number, y: number, width: number): void {
    extend(this.#papers, {colour, from: x, to: x + width, y});
  }

  rule(colour: string, x: number, y: number, width: number, at: 'under' | 'through'): void {
    extend(this.#rules, {colour, from: x, to: x + width, y, at});
  }

  shape(colour: string, {kind, path, opacity}: Shape): void {
    const faint = opacity === undefined ? '' : ` fill-opacity="${opacity}"`;
    const look =
      kind === 'fill'
        ? `fill="${colour}"${faint}`
        : `fill="none" stroke="${colour}"${kind === 'heavy' ? ' stroke-width="2"' : ''}`;
    this.#shapes.set(look, (this.#shapes.get(look) ?? '') + path);
  }

  /** Plain letters join into one run; fonts may draw other characters wider or narrower, so they stay separate. */
  write(text: string, at: Written, onTop = false): void {
    const run = {...at, text, length: at.width};
    if (onTop) {
      this.#onTop.push(element(run));
      return;
    }
    const last = this.#runs.at(-1);
    const gap = last === undefined ? -1 : at.x - last.x - last.length;
    // Including a space costs less than a new element.
    if (last === undefined || last.y !== at.y || gap < 0 || gap > 1 || !joins(last, run)) {
      this.#runs.push(run);
    } else {
      this.#runs[this.#runs.length - 1] = {
        ...last,
        text: `${last.text}${' '.repeat(gap)}${text}`,
        length: last.length + gap + 1,
      };
    }
  }

  bar(colour: string, x: number, y: number): void {
    this.#onTop.push(rectangle(colour, left(x), top(y) + 1, 2, cell.height - 2));
  }

  block(colour: string, x: number, y: number, width: number): void {
    this.#onTop.push(rectangle(colour, left(x), top(y), left(width), cell.height));
  }

  elements(): string[] {
    return [
      ...joinedRows(this.#papers).map(({colour, from, to, y, rows}) =>
        rectangle(colour, left(from), top(y), left(to - from), top(rows)),
      ),
      ...[...this.#shapes].map(([look, path]) => `<path ${look} d="${path}"/>`),
      ...this.#rules.map(({colour, from, to, y, at}) =>
        rectangle(
          colour,
          left(from),
          top(y) + (at === 'under' ? cell.baseline + 2 : cell.height / 2),
          left(to - from),
          1,
        ),
      ),
      ...this.#runs.map(element),
      ...this.#onTop,
    ];
  }
}

const plain = /^[\u0021-\u007e\u00a1-\u017f]$/;

function joins(last: Run, next: Run): boolean {
  return (
    plain.test(next.text) &&
    plain.test(last.text.slice(-1)) &&
    last.width === 1 &&
    last.colour === next.colour &&
    last.bold === next.bold &&
    last.italic === next.italic
  );
}

function extend<T extends Stretch>(stretches: T[], next: T): void {
  const last = stretches.at(-1);
  const isSame =
    last !== undefined &&
    last.y === next.y &&
    last.to === next.from &&
    Object.entries(next).every(([key, value]) => key === 'from' || key === 'to' || Reflect.get(last, key) === value);
  if (isSame) stretches[stretches.length - 1] = {...last, to: next.to};
  else stretches.push(next);
}

/** Joins stretches of the same extent on neighbouring rows. */
function joinedRows(stretches: readonly Stretch[]): (Stretch & {readonly rows: number})[] {
  const joined: (Stretch & {readonly rows: number})[] = [];
  const lastAt = new Map<string, number>();
  for (const stretch of stretches) {
    const key = `${stretch.colour} ${stretch.from} ${stretch.to}`;
    const at = lastAt.get(key) ?? -1;
    const last = joined[at];
    if (last !== undefined && last.y + last.rows === stretch.y) joined[at] = {...last, rows: last.rows + 1};
    else lastAt.set(key, joined.push({...stretch, rows: 1}) - 1);
  }
  return joined;
}

function rectangle(colour: string, x: number, y: number, width: number, height: number): string {
  return `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${colour}"/>`;
}

function element({text, x, y, length, colour, bold, italic}: Run): string {
  const isAlone = text.length === 1 || !plain.test(text.charAt(0));
  const classes = [bold ? 'b' : '', italic ? 'i' : '', isAlone ? 'm' : ''].filter((name) => name !== '');
  const textX = isAlone ? left(x + length / 2) : left(x);
  const attributes = [
    ...(classes.length === 0 ? [] : [`class="${classes.join(' ')}"`]),
    `x="${short(textX)}"`,
    `y="${short(top(y) + cell.baseline)}"`,
    ...(isAlone ? [] : [`textLength="${short(left(length))}"`]),
    `fill="${colour}"`,
  ];
  return `<text ${attributes.join(' ')}>${escaped(text)}</text>`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
