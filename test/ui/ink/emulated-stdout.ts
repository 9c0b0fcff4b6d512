import {EventEmitter} from 'node:events';
import type {IBufferCell, Terminal} from '@xterm/headless';
import {modernTerminal} from '#test/support/terminal/modern-terminal.ts';

/** A stdout for Ink that writes to a terminal emulator. */
export class EmulatedStdout extends EventEmitter {
  /** Stock Ink needs a terminal; the program tells Ink that it writes to none (`TerminalOutput.stream`). */
  isTTY = false;
  readonly writable = true;
  readonly terminal: Terminal;
  bytes = 0;
  writes = 0;

  isCursorShown = true;
  columns: number;
  rows: number;

  constructor(columns: number, rows: number, terminal: Terminal = modernTerminal(columns, rows)) {
    super();
    this.columns = columns;
    this.rows = rows;
    this.terminal = terminal;
    // The kernel does this for a real terminal.
    this.terminal.options.convertEol = true;
    for (const final of ['h', 'l']) {
      this.terminal.parser.registerCsiHandler({prefix: '?', final}, ([mode]) => {
        if (mode === 25) this.isCursorShown = final === 'h';
        return false;
      });
    }
  }

  write(data: string, callback?: () => void): boolean {
    this.bytes += Buffer.byteLength(data);
    this.writes += data === '' ? 0 : 1;
    this.terminal.write(data, callback);
    return true;
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.terminal.resize(columns, rows);
  }

  /** Returns the painted rows, one string each, and the cursor, after the emulator has read everything. */
  async paintedRows(hasCursor = true): Promise<string[]> {
    await new Promise<void>((resolve) => this.terminal.write('', resolve));
    const {active} = this.terminal.buffer;
    const rows = Array.from({length: this.rows}, (_, y) =>
      Array.from({length: this.columns}, (_, x) =>
        cellText(active.getLine(active.baseY + y)?.getCell(x), this.#link(x, y)),
      ).join(''),
    );
    return hasCursor ? [...rows, `cursor ${active.cursorX} ${active.cursorY}`] : rows;
  }

  /** Returns the rows as text without trailing spaces, after the emulator has read everything. */
  async texts(): Promise<string[]> {
    await new Promise<void>((resolve) => this.terminal.write('', resolve));
    const {active} = this.terminal.buffer;
    return Array.from({length: this.rows}, (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? '');
  }

  /** Returns the hyperlink of a cell from the emulator's internals: its API does not have it. */
  #link(x: number, y: number): string {
    const {_core: core} = this.terminal as unknown as {_core: EmulatorCore};
    const cell = {extended: {urlId: 0}};
    core.buffer.lines.get(core.buffer.ybase + y)?.loadCell(x, cell);
    return core._oscLinkService.getLinkData(cell.extended.urlId)?.uri ?? '';
  }
}

interface EmulatorCore {
  readonly buffer: {
    readonly ybase: number;
    readonly lines: {
      get(y: number): {loadCell(x: number, cell: {extended: {urlId: number}}): void} | undefined;
    };
  };
  readonly _oscLinkService: {getLinkData(id: number): {uri: string} | undefined};
}

/**
 * Returns the character of a cell with its style, as far as it can be seen. Erased cells and spaces are the same, and colour,
 * weight and slant of a space do not matter unless it is inverse.
 */
function cellText(cell: IBufferCell | undefined, link: string): string {
  if (cell === undefined) return '∅';
  if (cell.getWidth() === 0) return '';
  const text = cell.getChars() === '' ? ' ' : cell.getChars();
  const ofCharacter = [
    cell.getFgColorMode() === 0 ? '' : `f${cell.getFgColorMode()}.${cell.getFgColor()}`,
    cell.isBold() ? 'B' : '',
    cell.isDim() ? 'D' : '',
    cell.isItalic() ? 'I' : '',
  ];
  const ofCell = [
    cell.getBgColorMode() === 0 ? '' : `b${cell.getBgColorMode()}.${cell.getBgColor()}`,
    cell.isUnderline() ? 'U' : '',
    cell.isInverse() ? 'V' : '',
    cell.isStrikethrough() ? 'S' : '',
    link,
  ].join('');
  const style = text === ' ' && ofCell === '' ? '' : ofCharacter.join('') + ofCell;
  return style === '' ? text : `⟨${style} ${text}⟩`;
}
