import {EmulatedStdout} from '#test/ui/ink/emulated-stdout.ts';
import {writeStream} from '#test/ui/ink/output-fuzz.ts';
import {silentStdin} from '#test/ui/ink/scene-fuzz.ts';
import {type MountedScreen, mountScreen} from '#test/ui/mount-screen.tsx';
import type {CountedApp} from './request-counter.ts';

/** What a screen reader can speak after a key. */
export interface Spoken {
  /** The line of the terminal cursor. */
  readonly line: string;
  /** The texts that were written since the key, also where the same text was there before; one entry per row. */
  readonly written: readonly string[];
}

/** Sequences that programs for terminals write: CSI with its parameters, OSC, and those of two characters. */
const sequence = /\u001b(?:\[([?>=]?[\d;]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^[\]])/g;

/** Returns the texts in a stream, one for each row that is written to; without styles, with single spaces. */
export function writtenTexts(stream: string): readonly string[] {
  let row = '';
  const texts = stream.replaceAll(sequence, (_, parameters: string | undefined, final: string | undefined) => {
    if (final === 'C') return ' ';
    if (final !== 'H' && final !== 'r' && final !== 'J') return '';
    const before = row;
    row = final === 'H' ? (parameters?.split(';')[0] ?? '') : '';
    return row === before && final === 'H' ? ' ' : '\n';
  });
  return texts
    .split(/[\r\n]+/)
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

/** The program in an emulated terminal, between which everything that is written is recorded. */
export class SpokenScreen {
  readonly #program: CountedApp;
  readonly #stdout: EmulatedStdout;
  readonly #ink: MountedScreen;
  #stream = '';

  constructor(program: CountedApp) {
    const {columns, rows} = program.app.screen.size;
    this.#program = program;
    this.#stdout = new EmulatedStdout(columns, rows);
    const write = this.#stdout.write.bind(this.#stdout);
    this.#stdout.write = (data, callback) => {
      this.#stream += data;
      return write(data, callback);
    };
    this.#ink = mountScreen(writeStream(this.#stdout), silentStdin(), program.app);
  }

  /** Shows the screen as with the setting `screen_reader`: changes wait this long after a key, by default for the next key. */
  async turnOn(heldMs = Number.POSITIVE_INFINITY): Promise<void> {
    this.#program.app.setDisplay({glyphs: 'words', heldMs});
    await this.#program.settle();
    await this.heard();
  }

  get isCursorShown(): boolean {
    return this.#stdout.isCursorShown;
  }

  /** Presses keys, waits for responses, and returns what was written since the first key. */
  async press(...keys: readonly string[]): Promise<Spoken> {
    await this.heard();
    this.#program.press(...keys);
    await this.#program.settle();
    return this.heard();
  }

  /** Types a text, waits for responses, and returns what was written since. */
  async type(text: string): Promise<Spoken> {
    await this.heard();
    this.#program.type(text);
    await this.#program.settle();
    return this.heard();
  }

  /** Returns what was written since the last call, and the line of the cursor now. */
  async heard(): Promise<Spoken> {
    await this.#ink.written();
    const rows = await this.rows();
    const written = writtenTexts(this.#stream);
    this.#stream = '';
    const line = rows[this.#stdout.terminal.buffer.active.cursorY] ?? '';
    return {line: line.replaceAll(/\s+/g, ' ').trim(), written};
  }

  /** Returns the bytes that were written since the last call of `heard`. */
  get bytes(): number {
    return Buffer.byteLength(this.#stream);
  }

  async rows(): Promise<readonly string[]> {
    await new Promise<void>((resolve) => this.#stdout.terminal.write('', resolve));
    const {active} = this.#stdout.terminal.buffer;
    return Array.from({length: this.#stdout.rows}, (_, y) => active.getLine(y)?.translateToString(true) ?? '');
  }

  end(): void {
    this.#ink.end();
    this.#stdout.terminal.dispose();
  }
}
