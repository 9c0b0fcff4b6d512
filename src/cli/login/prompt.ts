import {createInterface, type Interface} from 'node:readline';
import {Writable} from 'node:stream';
import {Cancelled} from '#cli/failures.ts';
import {type CliIo, printNotice, writeControls} from '#cli/io.ts';
import {printable} from '#std/printable.ts';

const zuliprcStart = /^\uFEFF?\s*\[api\]\s*$/i;

/**
 * Asks questions at a terminal. Lines that were typed or pasted ahead become the next answers. They may contain a
 * password or the key of a pasted zuliprc, so only the first line of an answer to an open question is echoed.
 */
export class Prompt {
  readonly #io: CliIo;
  readonly #reader: Interface;
  readonly #lines: string[] = [];
  #waiting: {resolve: (line: string) => void; reject: (reason: Error) => void} | undefined;
  #muted = true;
  #closed = false;

  constructor(io: CliIo) {
    this.#io = io;
    const output = new Writable({
      decodeStrings: false,
      write: (chunk: unknown, _encoding, done) => {
        if (!this.#muted) writeControls(io.stderr, String(chunk));
        done();
      },
    });
    this.#reader = createInterface({input: io.stdin, output, terminal: io.inputIsTty, historySize: 0});
    this.#reader.on('line', (line) => this.#addLine(line));
    this.#reader.on('SIGINT', () => this.close());
    this.#reader.on('close', () => {
      // Ends the line of an open question; the line of a hidden one is ended below.
      if (this.#waiting !== undefined && !this.#muted) printNotice(io, '');
      this.#closed = true;
      this.#waiting?.reject(new Cancelled('Cancelled. Nothing was changed.'));
    });
  }

  ask(question: string): Promise<string> {
    return this.#ask(question, false);
  }

  /** Asks for a password or key without echoing it. */
  askHidden(question: string): Promise<string> {
    return this.#ask(question, true);
  }

  async confirm(question: string): Promise<boolean> {
    return /^\s*y(?:es)?\s*$/i.test(await this.ask(`${question} [y/N] `));
  }

  close(): void {
    this.#reader.close();
  }

  async #ask(question: string, hidden: boolean): Promise<string> {
    const ready = this.#lines.shift();
    if (ready !== undefined) return this.#wholeAnswer(ready);
    if (this.#closed) throw new Cancelled('Cancelled. Nothing was changed.');
    this.#show(question, hidden);
    try {
      return await this.#wholeAnswer(await this.#next());
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
    this.#reader.setPrompt(hidden ? '' : question);
    this.#reader.prompt();
  }

  /** Returns a line, or all lines of a pasted zuliprc: up to an empty one, or until it is complete. */
  async #wholeAnswer(first: string): Promise<string> {
    if (!zuliprcStart.test(first)) return first;
    const lines = [first];
    while (!isComplete(lines)) {
      const line = await this.#next();
      if (line.trim() === '') break;
      lines.push(line);
    }
    return lines.join('\n');
  }

  #next(): Promise<string> {
    const ready = this.#lines.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.#closed) return Promise.reject(new Cancelled('Cancelled. Nothing was changed.'));
    const {promise, resolve, reject} = Promise.withResolvers<string>();
    this.#waiting = {resolve, reject};
    return promise;
  }

  #addLine(line: string): void {
    this.#muted = true;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#lines.push(line);
    else waiting.resolve(line);
  }
}

function isComplete(lines: readonly string[]): boolean {
  const has = (name: RegExp) => lines.some((line) => name.test(line));
  const key = /^\s*key(?:_command)?\s*[=:]/i;
  return lines.length > 40 || (has(key) && has(/^\s*email\s*[=:]/i) && has(/^\s*site\s*[=:]/i));
}
