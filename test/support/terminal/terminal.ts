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
  /** 80x24 unless said otherwise. */
  readonly size?: Size;
  readonly cwd?: string;
  /** All of the environment but what the kind of terminal brings along. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly persona?: TerminalProfile;
  readonly background?: 'dark' | 'light';
}

export type Wanted = string | RegExp | ((screen: Screen) => boolean);

export interface Ending {
  readonly code: number;
  readonly signal: number | undefined;
}

/** What has gone over the line so far. */
export interface Traffic {
  /** Bytes the program wrote. */
  readonly received: number;
  /** In so many reads of ours. */
  readonly reads: number;
  /** Bytes we wrote, answers included. */
  readonly sent: number;
}

/**
 * A program in a real pty with a real terminal emulator around it. Nothing here waits for time: what is waited for is looked
 * for after every piece of output that was parsed, and not in the middle of a frame that the program declared unfinished.
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
    const {
      size = {cols: 80, rows: 24},
      persona = modern,
      background = 'dark',
      cwd,
      env = process.env,
    } = options;
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
      // Bytes as they come: a character may be cut in two.
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

  /** To be closed. In a test, `openTerminal` does that by itself. */
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

  /** What was put into the clipboard, in order. */
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

  /** Everything the program wrote. */
  transcript(): string {
    return Buffer.concat(this.#transcript).toString('utf8');
  }

  /** Presses keys by their names: `j`, `Enter`, `Ctrl-X`, `Alt-a`, `Shift-Tab`. */
  keys(...names: readonly string[]): void {
    for (const name of names) this.write(keyBytes(name, this.modes.keyboard));
  }

  /** Text, in one piece. */
  type(text: string): void {
    this.write(text);
  }

  /** As a terminal pastes: between brackets if the program asked for them, line ends as Enter sends them. */
  paste(text: string): void {
    const lines = text.replaceAll('\u001b[201~', '').replaceAll(/\r?\n/g, '\r');
    this.write(this.modes.bracketedPaste ? `\u001b[200~${lines}\u001b[201~` : lines);
  }

  /** Bytes as they are. */
  write(bytes: string | Uint8Array): void {
    if (this.#ending !== undefined) return;
    this.#sent += Buffer.byteLength(bytes);
    // The pty takes bytes as well as text.
    const line: {write(data: string | Uint8Array): void} = this.#pty;
    line.write(bytes);
  }

  resize(cols: number, rows: number): void {
    this.#device.emulator.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  /** To the program alone. */
  kill(signal: NodeJS.Signals): void {
    if (this.#ending === undefined) process.kill(this.pid, signal);
  }

  /**
   * The program stands still meanwhile. Whatever reaches it then, keys and answers of servers alike, is all there at once when
   * it goes on.
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

  /** The window is closed, the line is cut: nothing can be written any more, and the kernel says SIGHUP. */
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

  /** The text of a row as it is now. */
  row(y: number): string {
    return textOf(this.#device.emulator, y);
  }

  /** A cell as it is now. */
  cell(x: number, y: number): Cell {
    return cellAt(this.#device.emulator, x, y);
  }

  /** Where the cursor is now. */
  get cursor(): Cursor {
    const {cursorX: x, cursorY: y} = this.#device.emulator.buffer.active;
    return {x, y, visible: this.modes.cursorVisible};
  }

  /** Called after every piece of output that is on the screen; gives the way to stop it. */
  onFrame(listener: () => void): () => void {
    this.#frameListeners.add(listener);
    return () => void this.#frameListeners.delete(listener);
  }

  /** The next output that is on the screen. */
  frame(): Promise<void> {
    const parsed = this.#parsed;
    return this.#waits.until(() => this.#parsed > parsed, 'next frame', true);
  }

  /** Resolves with the screen that shows it; fails with the screen that does not. */
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

  /** Resolves when something else that output brings about is so: a title, the clipboard, a mode. */
  waitUntil(isSo: (terminal: this) => boolean, label: string = String(isSo)): Promise<void> {
    return this.#waits.until(() => isSo(this), label, false);
  }

  /** Fails after the same patience as every other wait. */
  async waitForExit(): Promise<Ending> {
    await this.#waits.until(() => this.#ending !== undefined, 'end of it', false);
    return this.#exited;
  }

  /** Ends everything that was started in here; resolves when the program is gone. */
  async close(): Promise<void> {
    endSession(this.pid, this.#ending === undefined);
    await this.#exited;
    this.#device.emulator.dispose();
  }

  get #moment(): Moment {
    const isOver = this.#ending !== undefined && this.#toParse === 0;
    return {isShown: !this.modes.isMidFrame || isOver, isOver};
  }

  /** Bytes that are on the screen. */
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
 * Cut where something may have been shown that a later part of the same read takes away: after each frame, and before the
 * program takes its screen again. Whoever reads late sees all of it nevertheless.
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
