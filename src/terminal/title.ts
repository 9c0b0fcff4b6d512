import {bel, esc, osc, sequenceText, st, tmuxPassthrough} from './control-sequences.ts';
import {acceptsControlStrings, type TerminalEnvironment} from './environment.ts';
import type {NotificationKind} from './terminal-program.ts';

const maxTitleLength = 80;

/**
 * Returns the sequence that sets the window title, or '' for terminals that would print it. `leaveModes`
 * restores the old title.
 */
export function titleSequence(title: string, environment: TerminalEnvironment): string {
  if (!acceptsControlStrings(environment)) return '';
  const text = sequenceText(title, maxTitleLength);
  // Over ssh, what looks like GNU screen may be tmux, which would rename its window. Both know the usual form.
  return environment.inScreen && environment.isLocalProgram ? `${esc}k${text}${st}` : osc(`2;${text}`, bel);
}

/**
 * Writes the title only when it changes: some terminals redraw their tabs each time. Its form depends on the terminal's reply,
 * so nothing is written before `restore`.
 */
export class TitleWriter {
  readonly #environment: () => TerminalEnvironment;
  readonly #write: (sequence: string) => void;
  #title = '';
  /** The last sequence; undefined while the title is not ours to set. */
  #last: string | undefined;

  constructor(environment: () => TerminalEnvironment, write: (sequence: string) => void) {
    this.#environment = environment;
    this.#write = write;
  }

  show(title: string): void {
    this.#title = title;
    if (this.#last !== undefined) this.restore();
  }

  /** Writes the title, unless it is the last one that was written in this form. */
  restore(): void {
    const sequence = this.#title === '' ? '' : titleSequence(this.#title, this.#environment());
    if (sequence !== '' && sequence !== this.#last) this.#write(sequence);
    this.#last = sequence;
  }

  /** Forgets what was written: another program or terminal may have another title. Nothing is written until `restore`. */
  forget(): void {
    this.#last = undefined;
  }
}

interface Notification {
  /** Distinguishes notifications; the user never sees it. */
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

const maxLength = 200;
const application = Buffer.from('Parley').toString('base64');

/**
 * Returns the sequence that notifies the user, or the bell where that is all the terminal can do. Inside tmux it always
 * rings too: that marks the window, and the notification gets through only if tmux is configured for it.
 */
export function notificationSequence(
  notification: Notification,
  kind: NotificationKind,
  environment: TerminalEnvironment,
): string {
  if (kind === 'bell' || !acceptsControlStrings(environment) || environment.inScreen) return bel;
  const sequence = notificationText(notification, kind);
  return environment.inTmux ? bel + tmuxPassthrough(sequence) : sequence;
}

function notificationText({id, title, body}: Notification, kind: Exclude<NotificationKind, 'bell'>): string {
  const name = sequenceText(title, maxLength);
  const text = sequenceText(body, maxLength);
  if (kind === 'kitty') {
    return osc(`99;i=${id}:d=0:f=${application};${name}`) + osc(`99;i=${id}:p=body;${text}`);
  }
  // A semicolon would end the title.
  if (kind === 'urxvt') return osc(`777;notify;${name.replaceAll(';', ',')};${text}`);
  const line = text === '' ? name : `${name}: ${text}`;
  // `9;4;` and similar starts are other commands.
  return osc(`9;${sequenceText(line.replace(/^(\d+);/, '$1,'), maxLength)}`, bel);
}
