import {createInterface, type Interface, type ReadLineOptions} from 'node:readline';
import {Writable} from 'node:stream';
import {printable} from '#std/printable.ts';
import {Cancelled, type CliIo, PlainFailure, printNotice, writeControls} from './io.ts';

const zuliprcStart = /^\uFEFF?\s*\[api\]\s*$/i;

/** Reads lines from a terminal, pipe or file. Lines that arrive before they are asked for are kept. */
export class LineReader {
  readonly interface: Interface;
  readonly #lines: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #isEnded = false;

  constructor(options: ReadLineOptions) {
    // An input that cannot be read, such as a folder, has no lines.
    this.interface = createInterface(options).on('error', () => this.interface.close());
    this.interface.on('line', (line) => {
      if (this.#waiting === undefined) this.#lines.push(line);
      else this.#waiting(line);
    });
    this.interface.on('close', () => {
      this.#isEnded = true;
      this.#waiting?.(undefined);
    });
  }

  /** Whether the next line has arrived, or none will. */
  get isReady(): boolean {
    return this.#lines.length > 0 || this.#isEnded;
  }

  /** Returns the next line, or undefined at the end of the input. */
  next(): Promise<string | undefined> {
    if (this.isReady) return Promise.resolve(this.#lines.shift());
    const {promise, resolve} = Promise.withResolvers<string | undefined>();
    this.#waiting = (line) => {
      this.#waiting = undefined;
      resolve(line);
    };
    return promise;
  }

  close(): void {
    this.interface.close();
  }
}

/**
 * Asks questions at a terminal. Lines that were typed or pasted ahead become the next answers. They may contain a
 * password or the key of a pasted zuliprc, so only the first line of an answer to an open question is echoed.
 */
export class Prompt {
  readonly #io: CliIo;
  readonly #reader: LineReader;
  #muted = true;

  constructor(io: CliIo) {
    this.#io = io;
    const output = new Writable({
      decodeStrings: false,
      write: (chunk: unknown, _encoding, done) => {
        if (!this.#muted) writeControls(io.stderr, String(chunk));
        done();
      },
    });
    this.#reader = new LineReader({input: io.stdin, output, terminal: io.inputIsTty, historySize: 0});
    this.#reader.interface.on('line', () => {
      this.#muted = true;
    });
    this.#reader.interface.on('SIGINT', () => this.close());
  }

  /** Asks for a password or key without echoing it. */
  askHidden(question: string): Promise<string> {
    return this.ask(question, true);
  }

  async confirm(question: string): Promise<boolean> {
    return /^\s*y(?:es)?\s*$/i.test(await this.ask(`${question} [y/N] `));
  }

  close(): void {
    this.#reader.close();
  }

  async ask(question: string, hidden = false): Promise<string> {
    if (this.#reader.isReady) return this.#wholeAnswer();
    this.#show(question, hidden);
    try {
      return await this.#wholeAnswer();
    } finally {
      if (hidden) printNotice(this.#io, '');
    }
  }

  /**
   * Shows the question. readline prints its prompt together with text typed ahead, so the question of a
   * hidden answer is written directly.
   */
  #show(text: string, hidden: boolean): void {
    const question = printable(text);
    if (hidden) writeControls(this.#io.stderr, question);
    this.#muted = hidden;
    this.#reader.interface.setPrompt(hidden ? '' : question);
    this.#reader.interface.prompt();
  }

  /** Returns a line, or all lines of a pasted zuliprc: up to an empty one, or until it is complete. */
  async #wholeAnswer(): Promise<string> {
    const first = await this.#next();
    if (!zuliprcStart.test(first)) return first;
    const lines = [first];
    while (!isComplete(lines)) {
      const line = await this.#next();
      if (line.trim() === '') break;
      lines.push(line);
    }
    return lines.join('\n');
  }

  async #next(): Promise<string> {
    const line = await this.#reader.next();
    if (line !== undefined) return line;
    // Ends the line of an open question; the line of a hidden one is ended above.
    if (!this.#muted) printNotice(this.#io, '');
    throw new Cancelled('Cancelled. Nothing was changed.');
  }
}

/** Asks whether to go on. Throws when the answer is not yes. */
export async function requireYes(question: string, io: CliIo): Promise<void> {
  const prompt = new Prompt(io);
  const isMeant = await prompt.confirm(question).finally(() => prompt.close());
  if (!isMeant) throw new PlainFailure('Cancelled. Nothing was changed.');
}

function isComplete(lines: readonly string[]): boolean {
  const has = (name: RegExp) => lines.some((line) => name.test(line));
  const key = /^\s*key(?:_command)?\s*[=:]/i;
  return lines.length > 40 || (has(key) && has(/^\s*email\s*[=:]/i) && has(/^\s*site\s*[=:]/i));
}
