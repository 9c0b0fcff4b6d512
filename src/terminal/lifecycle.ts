import {constants} from 'node:os';
import type {Clock} from '#std/clock.ts';
import {type EndSignal, endSignals} from '#std/end-signals.ts';

export type EndReason =
  | {readonly kind: 'signal'; readonly signal: EndSignal}
  /** The terminal was closed. */
  | {readonly kind: 'lost'}
  | {readonly kind: 'crash'; readonly error: unknown};

/** The part of the process object that is used here. */
interface ProcessHost {
  readonly pid: number;
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
  kill(pid: number, signal: string): unknown;
  exit(code: number): void;
}

export interface LifecycleParts {
  readonly host: ProcessHost;
  readonly clock: Clock;
  /** Writes synchronously, before any output that is queued. */
  readonly writeNow: (text: string) => void;
  readonly setRawMode: (isRaw: boolean) => void;
  /** Returns the sequences that take over the terminal: modes and queries. */
  readonly enter: () => string;
  /** Returns the sequences that restore the terminal; sent more often than `enter`. */
  readonly leave: () => string;
  /** Called before the terminal is restored: stop reading keys and drawing. Must not throw. */
  readonly onLeave: () => void;
  /** Called when the terminal was taken over: read keys and redraw everything. */
  readonly onEnter: () => void;
  /** Saves everything that must not be lost. The program ends when it is done, or after a second. */
  readonly onEnd: (reason: EndReason) => Promise<void> | void;
  /** Called when the terminal was restored and the program is about to end: print the reason. */
  readonly afterEnd: (reason: EndReason) => void;
}

const maxSaveMs = 1000;
/** The system does not stop an orphaned process, which no shell could continue: it goes on after this time. */
const stopTimeoutMs = 200;

/** Returns the exit code as shells define it. */
const exitCode = (signal: EndSignal): number => 128 + constants.signals[signal];

type Listener = (value: unknown) => void;

/**
 * Tracks whether this program has the terminal. However the program ends, the terminal is restored to its
 * original state before anything is printed.
 */
export class TerminalLifecycle {
  readonly #parts: LifecycleParts;
  readonly #listeners: readonly (readonly [string, Listener])[];
  /**
   * `lent` to another program such as an editor, whose signals are ignored here; `stopped` until the shell
   * continues us.
   */
  #state: 'out' | 'in' | 'lent' | 'stopped' = 'out';
  #isListening = false;
  #isEnding = false;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
    this.#listeners = [
      ...endSignals.map((signal) => [signal, () => this.#onSignal(signal)] as const),
      ['uncaughtException', (error) => this.#end({kind: 'crash', error}, 1)],
      ['unhandledRejection', (error) => this.#end({kind: 'crash', error}, 1)],
      ['exit', () => this.leave()],
      ['SIGCONT', () => this.#onContinue()],
    ];
  }

  get hasTerminal(): boolean {
    return this.#state === 'in';
  }

  enter(): void {
    if (this.#state === 'in' || this.#isEnding) return;
    this.#listen();
    this.#takeOver();
  }

  /** Restores the terminal at the end. */
  leave(): void {
    this.#restore('out');
    this.#unlisten();
  }

  /** Gives the terminal to another program, such as an editor. */
  pause(): void {
    this.#restore('lent');
  }

  resume(): void {
    if (this.#state === 'lent' && !this.#isEnding) this.#takeOver();
  }

  /** Stops the program like Ctrl-Z in a shell; resolves when it was continued and has the terminal again. */
  suspend(): Promise<void> {
    if (this.#state !== 'in' || this.#isEnding) return Promise.resolve();
    this.#restore('stopped');
    const {host, clock} = this.#parts;
    return new Promise((resolve) => {
      const onContinue = () => {
        host.off('SIGCONT', onContinue);
        cancel();
        if (this.#state === 'stopped' && !this.#isEnding) this.#takeOver();
        resolve();
      };
      host.on('SIGCONT', onContinue);
      // Stops the whole process group: the parent in the same job (npm, a script) must stop too, or the shell
      // keeps waiting.
      this.#stop(0);
      // Also runs after the program is continued; whichever comes first.
      const cancel = clock.after(stopTimeoutMs, onContinue);
    });
  }

  /** Ends the program because the terminal was closed. */
  lost(): void {
    this.#end({kind: 'lost'}, exitCode('SIGHUP'));
  }

  readonly #onStopSignal: Listener = () => {
    if (this.#state === 'in') void this.suspend();
    // The editor was stopped, and this program with it; the terminal is not ours to restore.
    else if (this.#state === 'lent') this.#stop(this.#parts.host.pid);
  };

  /** Sends the stop signal. A listener would prevent it from stopping the program, so it is removed first. */
  #stop(pid: number): void {
    const {host} = this.#parts;
    host.off('SIGTSTP', this.#onStopSignal);
    host.kill(pid, 'SIGTSTP');
  }

  #onContinue(): void {
    const {host} = this.#parts;
    host.off('SIGTSTP', this.#onStopSignal);
    if (this.#isListening) host.on('SIGTSTP', this.#onStopSignal);
    // Stopped without a chance to restore the terminal (SIGSTOP): other programs have used it meanwhile.
    if (this.#state !== 'in' || this.#isEnding) return;
    this.#restore('stopped');
    this.#takeOver();
  }

  /**
   * Takes over the terminal. Raw mode comes first: in the background it stops us before anything is drawn
   * over another program's screen.
   */
  #takeOver(): void {
    const {setRawMode, writeNow, enter, onEnter, host} = this.#parts;
    setRawMode(true);
    this.#state = 'in';
    host.off('SIGTSTP', this.#onStopSignal);
    host.on('SIGTSTP', this.#onStopSignal);
    writeNow(enter());
    onEnter();
  }

  #restore(state: 'out' | 'lent' | 'stopped'): void {
    const hadTerminal = this.#state === 'in';
    if (hadTerminal || state === 'out') this.#state = state;
    if (!hadTerminal) return;
    const {onLeave, writeNow, leave, setRawMode} = this.#parts;
    onLeave();
    writeNow(leave());
    try {
      setRawMode(false);
    } catch {
      // The terminal was closed.
    }
  }

  #onSignal(signal: EndSignal): void {
    // Ctrl-C and Ctrl-\ in the editor are sent to every program of the job.
    if ((signal === 'SIGINT' || signal === 'SIGQUIT') && this.#state === 'lent') return;
    this.#end({kind: 'signal', signal}, exitCode(signal));
  }

  /** Ends the program. A crash while it is ending means that saving failed, so it exits at once. */
  #end(reason: EndReason, code: number): void {
    const {host} = this.#parts;
    if (this.#isEnding) {
      if (reason.kind !== 'crash') return;
      this.#finish(reason, code);
      return;
    }
    this.#isEnding = true;
    void this.#save(reason).then(() => this.#finish(reason, code));
    // Synchronous saving is done by now; the rest must not keep the user from the shell.
    this.#restore('out');
    host.off('SIGTSTP', this.#onStopSignal);
  }

  #finish(reason: EndReason, code: number): void {
    this.leave();
    this.#parts.afterEnd(reason);
    this.#parts.host.exit(code);
  }

  #save(reason: EndReason): Promise<void> {
    const {clock, onEnd} = this.#parts;
    return new Promise((resolve) => {
      const cancel = clock.after(maxSaveMs, resolve);
      const done = () => {
        cancel();
        resolve();
      };
      // A failure to save cannot be handled here.
      new Promise<void>((saved) => saved(onEnd(reason))).then(done, done);
    });
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    for (const [event, listener] of this.#listeners) this.#parts.host.on(event, listener);
  }

  #unlisten(): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    const {host} = this.#parts;
    for (const [event, listener] of this.#listeners) host.off(event, listener);
    host.off('SIGTSTP', this.#onStopSignal);
  }
}
