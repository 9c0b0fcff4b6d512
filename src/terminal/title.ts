import {bel, esc, osc, sequenceText, st} from './control-sequences.ts';
import {acceptsControlStrings, type TerminalEnvironment} from './environment.ts';

const maxTitleLength = 80;

/**
 * Returns the sequence that sets the window title, or '' for terminals that would print it. `leaveModes`
 * restores the old title.
 */
export function titleSequence(title: string, environment: TerminalEnvironment): string {
  if (!acceptsControlStrings(environment)) return '';
  const text = sequenceText(title, maxTitleLength);
  return environment.inScreen ? `${esc}k${text}${st}` : osc(`2;${text}`, bel);
}

/** Writes the title only when it changes: some terminals redraw their tabs each time. */
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

  /** Forgets the title, because another program may have changed it. */
  forget(): void {
    this.#last = '';
  }
}
