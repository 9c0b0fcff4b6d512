import {setImmediate} from 'node:timers/promises';
import {type IPty, spawn} from '@lydell/node-pty';
import {EmulatedTerminal} from './emulated-terminal.ts';
import {keyBytes} from './keys.ts';
import type {Modes} from './modes.ts';
import {type Cell, type CellPosition, type Cursor, cellAt, type Screen, textOf} from './screen.ts';
import {endSession, hasInput, isStopped} from './session-processes.ts';
import {modern, type TerminalProfile} from './terminal-profile.ts';
import {type Moment, Waits} from './waits.ts';

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export interface TerminalOptions {
  /** 80x24 by default. */
  readonly size?: Size;
  readonly cwd?: string;
  /** The whole environment, except for the variables of the terminal profile. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly persona?: TerminalProfile;
  readonly background?: 'dark' | 'light';
}

type Wanted = string | RegExp | ((screen: Screen) => boolean);

export interface Ending {
  readonly code: number;
  readonly signal: number | undefined;
}

/** Statistics of the connection so far. */
interface Traffic {
  /** Bytes that the program wrote. */
  readonly received: number;
  /** The number of reads that they arrived in. */
  readonly reads: number;
  /** Bytes that we wrote, including replies. */
  readonly sent: number;
}

/**
 * Runs a program in a real pty with a real terminal emulator. Nothing here waits for a fixed time: conditions are
 * checked after every piece of output, but not in the middle of a frame that the program declared unfinished.
 */
export class Terminal {
  readonly #pty: IPty;
  readonly #device: EmulatedTerminal;
  readonly #waits = new Waits(
    () => this.#moment,
    () => this.screen().printed(),
  );
  readonly #frameListeners = new Set<() => void>();
  readonly #transcript: Uint8Array[] = [];
  readonly #exited: Promise<Ending>;
  #ending: Ending | undefined;
  #sent = 0;
  #received = 0;
  #toParse = 0;

  private constructor(file: string, args: readonly string[], options: TerminalOptions) {
    const {size = {cols: 80, rows: 24}, persona = modern, background = 'dark', cwd, env = process.env} = options;
    this.#device = new EmulatedTerminal({
      ...size,
      persona,
      background,
      onAnswer: (bytes) => this.write(bytes),
    });
    this.#pty = spawn(file, [...args], {
      ...size,
      ...(cwd === undefined ? {} : {cwd}),
      name: persona.env.TERM ?? 'xterm',
      env: {...defined(env), ...persona.env},
      // Raw bytes: a character may be split.
      encoding: null,
    });
    this.#pty.onData((data) => this.#show(Buffer.from(data)));
    const {promise, resolve} = Promise.withResolvers<Ending>();
    this.#exited = promise;
    this.#pty.onExit(({exitCode, signal}) => {
      this.#ending = {code: exitCode, signal: signal === 0 ? undefined : signal};
      resolve(this.#ending);
      this.#look();
    });
  }

  /** Opens a terminal, which must be closed. In a test, `openTerminal` closes it. */
  static open(file: string, args: readonly string[] = [], options: TerminalOptions = {}): Terminal {
    return new Terminal(file, args, options);
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get size(): Size {
    const {cols, rows} = this.#device.emulator;
    return {cols, rows};
  }

  get modes(): Modes {
    return this.#device.modes;
  }

  get title(): string {
    return this.#device.title;
  }

  get bells(): number {
    return this.#device.bells;
  }

  /** Texts that were put on the clipboard, in order. */
  get clipboard(): readonly string[] {
    return this.#device.clipboard;
  }

  get clipboardReads(): number {
    return this.#device.clipboardReads;
  }

  /** Payloads of OSC 9, 99 and 777, with their number. */
  get notifications(): readonly string[] {
    return this.#device.notifications;
  }

  /** Addresses of hyperlinks in the order they were written. */
  get links(): readonly string[] {
    return this.#device.links;
  }

  get bytes(): Traffic {
    return {received: this.#received, reads: this.#transcript.length, sent: this.#sent};
  }

  /** All output of the program. */
  transcript(): string {
    return Buffer.concat(this.#transcript).toString('utf8');
  }

  /** Presses keys by their names: `j`, `Enter`, `Ctrl-X`, `Alt-a`, `Shift-Tab`. */
  keys(...names: readonly string[]): void {
    for (const name of names) this.write(keyBytes(name, this.modes.keyboard));
  }

  /** Types text in one piece. */
  type(text: string): void {
    this.write(text);
  }

  /** Pastes like a terminal: between brackets if the program enabled them, with Enter for line ends. */
  paste(text: string): void {
    const lines = text.replaceAll('\u001b[201~', '').replaceAll(/\r?\n/g, '\r');
    this.write(this.modes.bracketedPaste ? `\u001b[200~${lines}\u001b[201~` : lines);
  }

  /** Writes bytes unchanged. */
  write(bytes: string | Uint8Array): void {
    if (this.#ending !== undefined) return;
    this.#sent += Buffer.byteLength(bytes);
    // The pty accepts bytes as well as text.
    const line: {write(data: string | Uint8Array): void} = this.#pty;
    line.write(bytes);
  }

  resize(cols: number, rows: number): void {
    this.#device.emulator.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  /** Becomes a new terminal: an empty screen, no modes and no title, as when a session moves to another window. */
  renew(): Promise<void> {
    this.#device.title = '';
    return new Promise((resolve) => this.#device.feed('\u001bc', resolve));
  }

  /** Sends a signal to the program alone. */
  kill(signal: NodeJS.Signals): void {
    if (this.#ending === undefined) process.kill(this.pid, signal);
  }

  /**
   * Stops the program while the body runs. Input that arrives meanwhile, keys and server responses alike, is
   * available at once when it continues.
   */
  async held(task: () => Promise<void>): Promise<void> {
    const sent = this.#sent;
    this.kill('SIGSTOP');
    try {
      while (!isStopped(this.pid)) await setImmediate();
      await task();
      while (this.#sent > sent && !hasInput(this.pid)) await setImmediate();
    } finally {
      this.kill('SIGCONT');
    }
  }

  /** Closes the window: nothing can be written any more, and the kernel sends SIGHUP. */
  hangUp(): void {
    const pty: IPty & {destroy?: () => void} = this.#pty;
    pty.destroy?.();
  }

  screen(): Screen {
    return this.#device.screen().keep();
  }

  find(text: string): CellPosition | undefined {
    return this.#device.screen().find(text);
  }

  /** Returns the current text of a row. */
  row(y: number): string {
    return textOf(this.#device.emulator, y);
  }

  /** Returns a current cell. */
  cell(x: number, y: number): Cell {
    return cellAt(this.#device.emulator, x, y);
  }

  /** Returns the current position of the cursor. */
  get cursor(): Cursor {
    const {cursorX: x, cursorY: y} = this.#device.emulator.buffer.active;
    return {x, y, visible: this.modes.cursorVisible};
  }

  /** Adds a listener that is called after every piece of output. Returns a function that removes it. */
  onFrame(listener: () => void): () => void {
    this.#frameListeners.add(listener);
    return () => void this.#frameListeners.delete(listener);
  }

  /** Resolves with the next output. */
  frame(): Promise<void> {
    const parsed = this.#parsed;
    return this.#waits.until(() => this.#parsed > parsed, 'next frame', true);
  }

  /** Resolves with the screen on which the condition is true; fails with the last screen. */
  async waitFor(wanted: Wanted, label: string = String(wanted)): Promise<Screen> {
    let found: Screen | undefined;
    const look = () => {
      const screen = this.#device.screen();
      if (!shows(screen, wanted)) return false;
      found = screen.keep();
      return true;
    };
    await this.#waits.until(look, `“${label}”`, true);
    return found ?? this.screen();
  }

  /** Resolves when another effect of output is there: a title, the clipboard, a mode. */
  waitUntil(isSo: (terminal: this) => boolean, label: string = String(isSo)): Promise<void> {
    return this.#waits.until(() => isSo(this), label, false);
  }

  /** Resolves when all output is on the screen too. Fails after the same time as every other wait. */
  async waitForExit(): Promise<Ending> {
    await this.#waits.until(() => this.#moment.isOver, 'end of it', false);
    return this.#exited;
  }

  /** Ends all processes that were started here; resolves when the program has ended. */
  async close(): Promise<void> {
    endSession(this.pid, this.#ending === undefined);
    await this.#exited;
    this.#device.emulator.dispose();
  }

  get #moment(): Moment {
    const isOver = this.#ending !== undefined && this.#toParse === 0;
    return {isShown: !this.modes.isMidFrame || isOver, isOver};
  }

  /** The number of bytes that are on the screen. */
  get #parsed(): number {
    return this.#received - this.#toParse;
  }

  #show(data: Buffer): void {
    this.#transcript.push(data);
    this.#received += data.length;
    this.#toParse += data.length;
    for (const piece of moments(data)) {
      this.#device.feed(piece, () => {
        this.#toParse -= piece.length;
        this.#look();
      });
    }
  }

  #look(): void {
    if (this.#moment.isShown) for (const listener of this.#frameListeners) listener();
    this.#waits.look();
  }
}

const frameEnd = '\u001b[?2026l';
const screenTaken = '\u001b[?1049h';

/**
 * Splits output where something may have been shown that a later part of the same read removes: after each
 * frame, and before the program clears its screen. A test that reads late sees everything.
 */
function moments(data: Buffer): readonly Buffer[] {
  const cuts = new Set([0, data.length]);
  for (let at = data.indexOf(frameEnd); at !== -1; at = data.indexOf(frameEnd, at + 1)) {
    cuts.add(at + frameEnd.length);
  }
  for (let at = data.indexOf(screenTaken); at !== -1; at = data.indexOf(screenTaken, at + 1)) cuts.add(at);
  const sorted = [...cuts].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => data.subarray(sorted[index], end));
}

function shows(screen: Screen, wanted: Wanted): boolean {
  if (typeof wanted === 'string') return screen.text.includes(wanted);
  return wanted instanceof RegExp ? screen.text.search(wanted) !== -1 : wanted(screen);
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
