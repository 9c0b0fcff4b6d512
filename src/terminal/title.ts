import {bel, esc, osc, sequenceText, st} from './control-sequences.ts';
import {acceptsControlStrings, type TerminalEnvironment} from './environment.ts';

const longestTitle = 80;

/** Names the window; nothing where that would be printed. The title that it had comes back with the other modes. */
export function titleSequence(title: string, environment: TerminalEnvironment): string {
  if (!acceptsControlStrings(environment)) return '';
  const text = sequenceText(title, longestTitle);
  return environment.inScreen ? `${esc}k${text}${st}` : osc(`2;${text}`, bel);
}

/** Writes a title when it is another: some terminals redraw their tabs each time. */
export class TitleWriter {
  readonly #environment: TerminalEnvironment;
  readonly #write: (sequence: string) => void;
  #last = '';

  constructor(environment: TerminalEnvironment, write: (sequence: string) => void) {
    this.#environment = environment;
    this.#write = write;
  }

  show(title: string): void {
    const sequence = titleSequence(title, this.#environment);
    if (sequence === this.#last) return;
    this.#last = sequence;
    this.#write(sequence);
  }

  /** After the terminal was given back, its title is somebody else's. */
  forget(): void {
    this.#last = '';
  }
}
