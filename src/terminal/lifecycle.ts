import type {Clock} from '#std/clock.ts';

export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export type EndReason =
  | {readonly kind: 'signal'; readonly signal: EndSignal}
  /** Nobody is behind the terminal any more. */
  | {readonly kind: 'lost'}
  | {readonly kind: 'crash'; readonly error: unknown};

/** The process as far as it is needed here. */
export interface ProcessHost {
  readonly pid: number;
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
  kill(pid: number, signal: string): unknown;
  exit(code: number): void;
}

export interface LifecycleParts {
  readonly host: ProcessHost;
  readonly clock: Clock;
  /** Writes before it returns, past everything that is waiting. */
  readonly writeNow: (text: string) => void;
  readonly setRawMode: (isRaw: boolean) => void;
  /** What takes the terminal: modes, and the questions to ask it. */
  readonly enter: () => string;
  /** What gives it back; sent more often than `enter`. */
  readonly leave: () => string;
  /** The terminal is about to be given back: stop reading keys and drawing. Must not throw. */
  readonly onLeave: () => void;
  /** The terminal is ours (again): read keys, draw everything anew. */
  readonly onEnter: () => void;
  /** Saves what must not be lost. The program ends when it is done, and after a second in any case. */
  readonly onEnd: (reason: EndReason) => Promise<void> | void;
  /** The terminal is given back and the program is about to end: say why. */
  readonly afterEnd: (reason: EndReason) => void;
}

const longestEndMs = 1000;
/** A program that nobody can continue is not stopped by the system either; it goes on after this long. */
const notStoppedMs = 200;

const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const exitCodes: Readonly<Record<EndSignal, number>> = {SIGHUP: 129, SIGINT: 130, SIGTERM: 143};

type Listener = (value: unknown) => void;

/**
 * Who has the terminal, and when. Whatever ends the program, the terminal is given back: as it was found, before
 * anything is printed, once or more often.
 */
export class TerminalLifecycle {
  readonly #parts: LifecycleParts;
  readonly #listeners: readonly (readonly [string, Listener])[];
  /** `lent` to an editor: its signals are not ours. `stopped`: until the shell continues us. */
  #state: 'out' | 'in' | 'lent' | 'stopped' = 'out';
  #isListening = false;
  #isEnding = false;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
    this.#listeners = [
      ...endSignals.map((signal) => [signal, () => this.#signalled(signal)] as const),
      ['uncaughtException', (error) => this.#end({kind: 'crash', error}, 1)],
      ['unhandledRejection', (error) => this.#end({kind: 'crash', error}, 1)],
      ['exit', () => this.leave()],
      ['SIGCONT', () => this.#continued()],
    ];
  }

  get hasTerminal(): boolean {
    return this.#state === 'in';
  }

  enter(): void {
    if (this.#state === 'in' || this.#isEnding) return;
    this.#listen();
    this.#take();
  }

  /** Gives the terminal back for good. */
  leave(): void {
    this.#giveBack('out');
    this.#unlisten();
  }

  /** Lends the terminal to a program that is run in between, such as an editor. */
  pause(): void {
    this.#giveBack('lent');
  }

  resume(): void {
    if (this.#state === 'lent' && !this.#isEnding) this.#take();
  }

  /** Stops the program as the shell's Ctrl-Z does; resolves when it is continued and has the terminal again. */
  suspend(): Promise<void> {
    if (this.#state !== 'in' || this.#isEnding) return Promise.resolve();
    this.#giveBack('stopped');
    const {host, clock} = this.#parts;
    return new Promise((resolve) => {
      const goOn = () => {
        host.off('SIGCONT', goOn);
        cancel();
        if (this.#state === 'stopped' && !this.#isEnding) this.#take();
        resolve();
      };
      host.on('SIGCONT', goOn);
      // The whole group: whatever started us in the same job (npm, a script) has to stop too, or the shell goes on waiting.
      this.#stop(0);
      // Runs when continued, too; whichever comes first.
      const cancel = clock.after(notStoppedMs, goOn);
    });
  }

  /** Nobody is behind the terminal any more. */
  lost(): void {
    this.#end({kind: 'lost'}, exitCodes.SIGHUP);
  }

  readonly #stopAsked: Listener = () => {
    if (this.#state === 'in') void this.suspend();
    // The editor was stopped and takes us with it; the terminal is not ours to restore.
    else if (this.#state === 'lent') this.#stop(this.#parts.host.pid);
  };

  /** While anybody listens for the signal, it does not stop the program. */
  #stop(pid: number): void {
    const {host} = this.#parts;
    host.off('SIGTSTP', this.#stopAsked);
    host.kill(pid, 'SIGTSTP');
  }

  #continued(): void {
    const {host} = this.#parts;
    host.off('SIGTSTP', this.#stopAsked);
    if (this.#isListening) host.on('SIGTSTP', this.#stopAsked);
    // Stopped without a chance to give the terminal back (SIGSTOP): others have used it meanwhile.
    if (this.#state !== 'in' || this.#isEnding) return;
    this.#giveBack('stopped');
    this.#take();
  }

  /** Raw mode first: in the background that stops us, before anything was painted over somebody else's screen. */
  #take(): void {
    const {setRawMode, writeNow, enter, onEnter, host} = this.#parts;
    setRawMode(true);
    this.#state = 'in';
    host.off('SIGTSTP', this.#stopAsked);
    host.on('SIGTSTP', this.#stopAsked);
    writeNow(enter());
    onEnter();
  }

  #giveBack(state: 'out' | 'lent' | 'stopped'): void {
    const hadIt = this.#state === 'in';
    if (hadIt || state === 'out') this.#state = state;
    if (!hadIt) return;
    const {onLeave, writeNow, leave, setRawMode} = this.#parts;
    onLeave();
    writeNow(leave());
    try {
      setRawMode(false);
    } catch {
      // The terminal is gone, and its modes with it.
    }
  }

  #signalled(signal: EndSignal): void {
    // Ctrl-C in the editor reaches every program of the job.
    if (signal === 'SIGINT' && this.#state === 'lent') return;
    this.#end({kind: 'signal', signal}, exitCodes[signal]);
  }

  /** A second reason to end while ending means that ending does not work: then it is over at once. */
  #end(reason: EndReason, code: number): void {
    const {host} = this.#parts;
    if (this.#isEnding) {
      if (reason.kind !== 'crash') return;
      this.#finish(reason, code);
      return;
    }
    this.#isEnding = true;
    this.#saved(reason).then(() => this.#finish(reason, code));
    // What is saved at once is saved by now; the rest need not keep the reader from the shell.
    this.#giveBack('out');
    host.off('SIGTSTP', this.#stopAsked);
  }

  #finish(reason: EndReason, code: number): void {
    this.leave();
    this.#parts.afterEnd(reason);
    this.#parts.host.exit(code);
  }

  #saved(reason: EndReason): Promise<void> {
    const {clock, onEnd} = this.#parts;
    return new Promise((resolve) => {
      const cancel = clock.after(longestEndMs, resolve);
      const done = () => {
        cancel();
        resolve();
      };
      // A failure of the last resort has no other to turn to.
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
    host.off('SIGTSTP', this.#stopAsked);
  }
}
