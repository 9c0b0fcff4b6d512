import {EventEmitter} from 'node:events';
import type {Clock} from '#std/clock.ts';
import {privateMode} from './control-sequences.ts';
import {type SignalHost, type Size, sizeOf, watchSize} from './terminal-size.ts';

const beginFrame = privateMode(2026, true);
const endFrame = privateMode(2026, false);

type WriteCallback = (error?: Error | null) => void;

/** Whether writes wait for the terminal. A part of Node that it does not promise: without it they always do. */
function setBlocking(stdout: NodeJS.WriteStream, isBlocking: boolean): void {
  const handle: unknown = Reflect.get(stdout, '_handle');
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return;
  if (typeof handle.setBlocking === 'function') handle.setBlocking(isBlocking);
}

/** Looks at the size now. Another part of Node that it does not promise: without it, the next change tells. */
function refreshSize(stdout: NodeJS.WriteStream): void {
  const refresh: unknown = Reflect.get(stdout, '_refreshSize');
  if (typeof refresh === 'function') refresh.call(stdout);
}

/**
 * Everything that goes to the terminal while the screen is up. What is written in one turn goes out as one write, so that
 * a frame is whole or not there. A terminal that does not read (a stalled connection, a paused pane) never holds up the
 * program: the rest waits in memory, and `needsDrain` says not to draw more until it is gone.
 */
export class TerminalOutput {
  /** What the drawing library is given for its output: it sees the size that the rest of the program sees. */
  readonly stream: NodeJS.WriteStream;
  readonly #stdout: NodeJS.WriteStream;
  readonly #resizes = new EventEmitter();
  readonly #lost: () => void;
  #size: Size;
  #chunks: string[] = [];
  #callbacks: WriteCallback[] = [];
  #waiting: (() => void)[] = [];
  #unwritten = 0;
  #isScheduled = false;
  #isMuted = false;
  #isSynchronized = true;
  #unwatch = () => {};

  /** `onLost` is called when nobody is behind the terminal any more. */
  constructor(stdout: NodeJS.WriteStream, onLost: () => void = () => {}) {
    this.#stdout = stdout;
    this.#size = sizeOf(stdout);
    this.#lost = onLost;
    this.stream = this.#streamFor(stdout);
    setBlocking(stdout, false);
    stdout.on('error', this.#lost);
  }

  get size(): Size {
    return this.#size;
  }

  /** What was written has not all been taken by the terminal. */
  get needsDrain(): boolean {
    return this.#unwritten > 0 && this.#stdout.writableLength > 0;
  }

  /** Resolves when the terminal has taken everything, at once when it has. */
  whenDrained(): Promise<void> {
    this.flush();
    if (!this.needsDrain) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Joins what this turn brings. Sequences that are no part of a frame (titles, bells) go this way too. */
  write(text: string, written?: WriteCallback): boolean {
    const isLeftOut = !this.#isSynchronized && (text === beginFrame || text === endFrame);
    if (!this.#isMuted && !isLeftOut && text !== '') this.#chunks.push(text);
    if (written !== undefined) this.#callbacks.push(written);
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      queueMicrotask(() => this.flush());
    }
    return !this.needsDrain;
  }

  /** Hands over what has been written so far. */
  flush(): void {
    this.#isScheduled = false;
    const text = this.#chunks.join('');
    const callbacks = this.#callbacks;
    this.#chunks = [];
    this.#callbacks = [];
    if (text === '' && callbacks.length === 0) return;
    // A frame in which nothing changed.
    const isEmpty = text === '' || text === beginFrame + endFrame;
    if (this.#isMuted || isEmpty || this.#stdout.destroyed) {
      for (const callback of callbacks) callback();
      return;
    }
    this.#unwritten++;
    this.#stdout.write(text, (error) => {
      this.#unwritten--;
      for (const callback of callbacks) callback(error);
      this.#settle();
    });
  }

  #settle(): void {
    if (this.needsDrain) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** While the screen belongs to somebody else, nothing that is drawn gets there. */
  mute(): void {
    if (this.needsDrain) this.#chunks = [];
    this.flush();
    this.#isMuted = true;
  }

  /** A program that is stopped is not told that the window changed. */
  unmute(): void {
    this.#isMuted = false;
    refreshSize(this.#stdout);
  }

  /** Terminals that do not know frames are spared the marks around them: sixteen bytes each. */
  setSynchronized(isSynchronized: boolean): void {
    this.#isSynchronized = isSynchronized;
  }

  /** Follows the terminal's size. `listener` hears of it before whoever draws. */
  watchSize(clock: Clock, listener: (size: Size) => void, host?: SignalHost): void {
    this.#unwatch();
    this.#size = sizeOf(this.#stdout);
    const resized = (size: Size) => {
      this.#size = size;
      listener(size);
      this.#resizes.emit('resize');
    };
    this.#unwatch = watchSize(this.#stdout, clock, resized, host);
  }

  /** What is printed from now on is printed before the program ends. */
  close(): void {
    this.#unwatch();
    this.mute();
    setBlocking(this.#stdout, true);
    this.#resizes.removeAllListeners();
    this.#stdout.off('error', this.#lost);
  }

  #streamFor(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
    const own: Readonly<Record<string | symbol, () => unknown>> = {
      write: () => this.#streamWrite,
      columns: () => this.#size.columns,
      rows: () => this.#size.rows,
      on: () => this.#listen(stdout, 'on'),
      addListener: () => this.#listen(stdout, 'on'),
      off: () => this.#listen(stdout, 'off'),
      removeListener: () => this.#listen(stdout, 'off'),
    };
    return new Proxy(stdout, {
      get: (target, name) => {
        const given = Object.hasOwn(own, name) ? own[name]?.() : undefined;
        if (given !== undefined) return given;
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

  #listen(stdout: NodeJS.WriteStream, method: 'on' | 'off') {
    return (event: string, listener: (...args: unknown[]) => void): NodeJS.WriteStream => {
      if (event === 'resize') this.#resizes[method](event, listener);
      else stdout[method](event, listener);
      return this.stream;
    };
  }
}
