import {EventEmitter} from 'node:events';
import type {Clock} from '#std/clock.ts';
import {privateMode} from './control-sequences.ts';
import {type Charset, encodeOutput} from './output-charset.ts';

const beginFrame = privateMode(2026, true);
const endFrame = privateMode(2026, false);
/** A terminal reads a shorter text in one piece and shows it at once: the marks of a frame would change nothing. */
const shortText = 512;

type WriteCallback = (error?: Error | null) => void;

/** Sets whether writes block. It uses an undocumented part of Node; without it, writes always block. */
function setBlocking(stdout: NodeJS.WriteStream, isBlocking: boolean): void {
  const handle: unknown = Reflect.get(stdout, '_handle');
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return;
  if (typeof handle.setBlocking === 'function') handle.setBlocking(isBlocking);
}

/**
 * Reads the terminal's size now. It uses an undocumented part of Node; without it, the next resize updates the size.
 */
function refreshSize(stdout: NodeJS.WriteStream): void {
  const refresh: unknown = Reflect.get(stdout, '_refreshSize');
  if (typeof refresh === 'function') refresh.call(stdout);
}

/**
 * Writes to the terminal while the screen is shown. All text of one turn is one write, so that frames are
 * atomic. A terminal that does not read (a stalled connection, a paused pane) never blocks the program: the
 * rest stays in memory, and `needsDrain` tells the app not to draw until it was written.
 */
export class TerminalOutput {
  /**
   * The output stream for Ink, which has the size that the rest of the program uses. It says that it is no terminal: Ink would
   * write a frame itself, as plain lines, when the terminal loses rows, and mark frames.
   */
  readonly stream: NodeJS.WriteStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #resizes = new EventEmitter();
  readonly #onLost: () => void;
  #size: Size;
  #chunks: string[] = [];
  #callbacks: WriteCallback[] = [];
  #waiting: (() => void)[] = [];
  #unwritten = 0;
  #isScheduled = false;
  #isMuted = false;
  #isSynchronized = true;
  #charset: Charset = 'utf-8';
  #unwatchSize = () => {};

  /** `onLost` is called when the terminal was closed. */
  constructor(stdout: NodeJS.WriteStream, onLost: () => void = () => {}) {
    this.#stdout = stdout;
    this.#size = sizeOf(stdout);
    this.#onLost = onLost;
    this.stream = this.#streamFor(stdout);
    setBlocking(stdout, false);
    stdout.on('error', this.#onLost);
  }

  get size(): Size {
    return this.#size;
  }

  /** Whether the terminal has not yet read everything that was written. */
  get needsDrain(): boolean {
    return this.#unwritten > 0 && this.#stdout.writableLength > 0;
  }

  /** Resolves when the terminal has read everything, at once when it has already. */
  whenDrained(): Promise<void> {
    this.flush();
    if (!this.needsDrain) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Adds text to the write of this turn. Sequences outside a frame (titles, bells) are written here too. */
  write(text: string, written?: WriteCallback): boolean {
    if (!this.#isMuted && text !== '') this.#chunks.push(text);
    if (written !== undefined) this.#callbacks.push(written);
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      queueMicrotask(() => this.flush());
    }
    return !this.needsDrain;
  }

  /** Writes the collected text. */
  flush(): void {
    this.#isScheduled = false;
    const text = this.#text();
    const callbacks = this.#callbacks;
    this.#chunks = [];
    this.#callbacks = [];
    if (text === '' && callbacks.length === 0) return;
    if (this.#isMuted || text === '' || this.#stdout.destroyed) {
      for (const callback of callbacks) callback();
      return;
    }
    this.#unwritten++;
    this.#stdout.write(encodeOutput(text, this.#charset), (error) => {
      this.#unwritten--;
      for (const callback of callbacks) callback(error);
      this.#settle();
    });
  }

  /** Returns the collected text, marked as a frame where that is of use. */
  #text(): string {
    const content = this.#chunks.join('');
    return this.#isSynchronized && content.length > shortText ? beginFrame + content + endFrame : content;
  }

  #settle(): void {
    if (this.needsDrain) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Drops drawing while another program has the screen. */
  mute(): void {
    if (this.needsDrain) this.#chunks = [];
    this.flush();
    this.#isMuted = true;
  }

  /** Accepts drawing again. A stopped program gets no resize events, so the size is read. */
  unmute(): void {
    this.#isMuted = false;
    refreshSize(this.#stdout);
  }

  /** Sets whether to mark frames; terminals that do not know the marks are spared their sixteen bytes. */
  setSynchronized(isSynchronized: boolean): void {
    this.#isSynchronized = isSynchronized;
  }

  /** Sets the character set of the terminal. What was written before is not drawn again. */
  setCharset(charset: Charset): void {
    this.#charset = charset;
  }

  /** Follows the terminal's size. `listener` is called before Ink redraws. */
  watchSize(clock: Clock, listener: (size: Size) => void, host?: SignalHost): void {
    this.#unwatchSize();
    this.#size = sizeOf(this.#stdout);
    const onResize = (size: Size) => {
      this.#size = size;
      listener(size);
      this.#resizes.emit('resize');
    };
    this.#unwatchSize = watchSize(this.#stdout, clock, onResize, host);
  }

  /** Stops. Later output of the program is written synchronously, so that it is complete when the program ends. */
  close(): void {
    this.#unwatchSize();
    this.mute();
    setBlocking(this.#stdout, true);
    this.#resizes.removeAllListeners();
    this.#stdout.off('error', this.#onLost);
  }

  #streamFor(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
    const overrides: Readonly<Record<string | symbol, () => unknown>> = {
      isTTY: () => false,
      write: () => this.#streamWrite,
      columns: () => this.#size.columns,
      rows: () => this.#size.rows,
      on: () => this.#listenerMethod(stdout, 'on'),
      addListener: () => this.#listenerMethod(stdout, 'on'),
      off: () => this.#listenerMethod(stdout, 'off'),
      removeListener: () => this.#listenerMethod(stdout, 'off'),
    };
    return new Proxy(stdout, {
      get: (target, name) => {
        const override = Object.hasOwn(overrides, name) ? overrides[name]?.() : undefined;
        if (override !== undefined) return override;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  readonly #streamWrite = (chunk: string | Uint8Array, second?: unknown, third?: unknown): boolean => {
    const callback = [second, third].find((value): value is WriteCallback => typeof value === 'function');
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return this.write(text, callback);
  };

  #listenerMethod(stdout: NodeJS.WriteStream, method: 'on' | 'off') {
    return (event: string, listener: (...args: unknown[]) => void): NodeJS.WriteStream => {
      if (event === 'resize') this.#resizes[method](event, listener);
      else stdout[method](event, listener);
      return this.stream;
    };
  }
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface Sized {
  readonly columns?: number;
  readonly rows?: number;
}

interface Resizing extends Sized {
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/** The size of a terminal that does not report one. */
const defaultSize: Size = {columns: 80, rows: 24};

export function sizeOf({columns, rows}: Sized): Size {
  return {columns: columns || defaultSize.columns, rows: rows || defaultSize.rows};
}

/** A dragged window reports every step; drawing all of them would flicker. */
const debounceMs = 30;

/** Receives SIGWINCH: Node emits no resize event when the size is back to its old value. */
interface SignalHost {
  on(signal: 'SIGWINCH', listener: () => void): unknown;
  off(signal: 'SIGWINCH', listener: () => void): unknown;
}

/**
 * Calls the listener with the size when it has stopped changing; also when it is the same as before, because
 * the content may not have survived the changes.
 */
export function watchSize(
  stdout: Resizing,
  clock: Clock,
  listener: (size: Size) => void,
  host?: SignalHost,
): () => void {
  let cancel = () => {};
  const onResize = () => {
    cancel();
    cancel = clock.after(debounceMs, () => listener(sizeOf(stdout)));
  };
  stdout.on('resize', onResize);
  host?.on('SIGWINCH', onResize);
  return () => {
    cancel();
    stdout.off('resize', onResize);
    host?.off('SIGWINCH', onResize);
  };
}
