import type {EncodedImage} from '#terminal/images/encode-image.ts';

/** An image whose rows say in the stream which image and row they are. */
export function labelledImage(
  id: number,
  columns: number,
  rows: number,
  protocol: 'kitty' | 'sixel' | 'half-blocks',
): EncodedImage {
  return {
    protocol,
    inTmux: false,
    id,
    columns,
    rows,
    upload: '',
    drawnRows: Array.from({length: rows}, (_, row) => `\u001bPq${id}:${row}:${columns}\u001b\\`),
    strip: {width: columns * 10, height: 20},
  };
}

/** Matches what the output stage writes: sequences, images and characters. */
const token =
  /\u001b_G(?<graphics>[^\u001b]*)\u001b\\|\u001bPq(?<sixel>[^\u001b]*)\u001b\\|\u001b\[(?<parameters>[?\d;]*)(?<final>[A-Za-z])|\u001b(?<move>[78DM])|(?<text>[^\u001b])/gsu;

/**
 * A terminal that shows images: text, and which row of which image is at which cell (`id:row`). In kitty, text does not change
 * images; pixels of sixel are removed by text. They move with the text only where they are text themselves: half blocks.
 */
export class ImageTerminal {
  readonly columns: number;
  readonly rows: number;
  #text: string[][];
  readonly #pixels = new Map<string, string>();
  readonly #placements = new Map<string, {x: number; y: number; columns: number; label: string}>();
  #x = 0;
  #y = 0;
  #saved: readonly [number, number] = [0, 0];
  #margins: readonly [number, number];

  readonly #movesImages: boolean;

  constructor(columns: number, rows: number, movesImages = false) {
    this.#movesImages = movesImages;
    this.columns = columns;
    this.rows = rows;
    this.#margins = [0, rows];
    this.#text = Array.from({length: rows}, () => this.#blankRow());
  }

  /** The rows of text, without blanks at their ends. */
  get text(): readonly string[] {
    return this.#text.map((row) => row.join('').trimEnd());
  }

  /** Returns the label of the image in each cell that shows one, by `x,y`. */
  get pictures(): ReadonlyMap<string, string> {
    const cells = new Map(this.#pixels);
    for (const {x, y, columns, label} of this.#placements.values()) {
      for (let at = x; at < x + columns; at++) {
        if (cells.has(`${at},${y}`)) throw new Error(`Two images are at ${at},${y}`);
        cells.set(`${at},${y}`, label);
      }
    }
    return cells;
  }

  get placementCount(): number {
    return this.#placements.size;
  }

  write(stream: string): void {
    for (const {groups = {}} of stream.matchAll(token)) {
      const {graphics, sixel, parameters = '', final, move, text} = groups;
      if (graphics !== undefined) this.#graphics(graphics);
      else if (sixel !== undefined) this.#sixel(sixel);
      else if (final !== undefined) this.#control(parameters.split(';').map(Number), final);
      else if (move !== undefined) this.#move(move);
      else if (text === '\r') this.#x = 0;
      else if (text !== undefined) this.#put(text);
    }
  }

  #blankRow(): string[] {
    return new Array<string>(this.columns).fill(' ');
  }

  #put(text: string): void {
    const row = this.#text[this.#y];
    if (row !== undefined && this.#x < this.columns) row[this.#x] = text;
    this.#pixels.delete(`${this.#x},${this.#y}`);
    this.#x += 1;
  }

  #control([first = 0, second = 0]: readonly number[], final: string): void {
    if (final === 'H') [this.#y, this.#x] = [Math.max(1, first) - 1, Math.max(1, second) - 1];
    else if (final === 'C') this.#x += Math.max(1, first);
    else if (final === 'K') this.#erase(this.#y, this.#x);
    else if (final === 'J') for (let y = 0; y < this.rows; y++) this.#erase(y, 0);
    else if (final === 'r') this.#margins = [Math.max(1, first) - 1, second === 0 ? this.rows : second];
  }

  #erase(y: number, from: number): void {
    this.#text[y]?.fill(' ', from);
    for (let x = from; x < this.columns; x++) this.#pixels.delete(`${x},${y}`);
  }

  #move(move: string): void {
    const [top, bottom] = this.#margins;
    if (move === '7') this.#saved = [this.#x, this.#y];
    else if (move === '8') [this.#x, this.#y] = this.#saved;
    else if (move === 'D' && this.#y === bottom - 1) this.#scroll(top, bottom - 1);
    else if (move === 'M' && this.#y === top) this.#scroll(bottom - 1, top);
  }

  /** Removes a row of text and inserts a blank one. */
  #scroll(removed: number, inserted: number): void {
    this.#text = this.#text.toSpliced(removed, 1).toSpliced(inserted, 0, this.#blankRow());
    if (!this.#movesImages) return;
    const moved = [...this.#pixels].flatMap(([cell, label]): [string, string][] => {
      const [x = 0, y = 0] = cell.split(',').map(Number);
      if (y < Math.min(removed, inserted) || y > Math.max(removed, inserted)) return [[cell, label]];
      return y === removed ? [] : [[`${x},${y + Math.sign(removed - inserted)}`, label]];
    });
    this.#pixels.clear();
    for (const [cell, label] of moved) this.#pixels.set(cell, label);
  }

  #sixel(body: string): void {
    const [id = '', row = '', columns = 0] = body.split(':');
    for (let at = 0; at < Number(columns); at++) this.#pixels.set(`${this.#x + at},${this.#y}`, `${id}:${row}`);
    // Where the cursor goes differs among terminals.
    [this.#x, this.#y] = [0, this.#y + 1];
  }

  #graphics(control: string): void {
    const keys = new Map(control.split(',').map((pair) => pair.split('=') as [string, string]));
    const number = (name: string) => Number(keys.get(name));
    const key = `${keys.get('i')}/${keys.get('p')}`;
    if (keys.get('a') === 'd') this.#placements.delete(key);
    else if (keys.get('a') === 'p') {
      const label = `${keys.get('i')}:${number('y') / number('h')}`;
      this.#placements.set(key, {x: this.#x, y: this.#y, columns: number('c'), label});
    }
  }
}
