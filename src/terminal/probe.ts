import type {Clock} from '#std/clock.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {
  type Capabilities,
  capabilitiesAfter,
  initialCapabilities,
  keyboardProtocol,
  utf8Row,
} from './capabilities.ts';
import {esc, osc} from './control-sequences.ts';
import type {TerminalEnvironment} from './environment.ts';
import type {KeyboardProtocol} from './modes.ts';

/** Where the answers have not come by then, what is known has to do; late ones still count. */
const usualPatienceMs = 300;

const questions = {
  kittyKeyboard: `${esc}[?u`,
  modifyOtherKeys: `${esc}[?4m`,
  background: osc('11;?'),
  colorScheme: `${esc}[?996n`,
  synchronizedOutput: `${esc}[?2026$p`,
  name: `${esc}[>q`,
  notifications: osc('99;i=p:p=?;'),
  /** One character or two: the cursor tells. */
  utf8: `${esc}[${utf8Row};1Hé${esc}[6n`,
  attributes: `${esc}[c`,
} as const;

/**
 * Everything that is asked, in one write and before the first frame. Every terminal answers the last question, so its
 * answer means that no other is to come. What a terminal might print instead of understanding is invisible and erased.
 */
export function probeSequence({kind, inScreen, isMosh}: TerminalEnvironment): string {
  if (kind !== 'xterm') return '';
  const {notifications, background, ...safe} = questions;
  const {attributes, utf8, ...plain} = safe;
  const strings = inScreen || isMosh ? '' : background + notifications;
  const asked = Object.values(plain).join('') + strings + utf8 + attributes;
  return `${esc}[8m${asked}${esc}[2K\r${esc}[0m${esc}[H`;
}

export interface ProbeParts {
  readonly environment: TerminalEnvironment;
  readonly clock: Clock;
  /** How long answers are waited for. */
  readonly patienceMs?: number;
  /** More is known. */
  readonly onChange: (capabilities: Capabilities) => void;
  /** The keyboard is to speak this; told once the terminal has answered, and again when it was asked anew. */
  readonly onKeyboard?: (protocol: KeyboardProtocol) => void;
}

/** Listens to the terminal for as long as the program runs: themes change, windows move to other machines. */
export class TerminalProbe {
  readonly #parts: ProbeParts;
  #capabilities: Capabilities;
  #keyboard: KeyboardProtocol = 'legacy';
  #cancel = () => {};

  constructor(parts: ProbeParts) {
    this.#parts = parts;
    this.#capabilities = initialCapabilities(parts.environment);
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /** What to write now. Again after a pause: the terminal may be another, and the keyboard's protocol was left. */
  startQuery(): string {
    const {environment, clock, patienceMs = usualPatienceMs} = this.#parts;
    const text = probeSequence(environment);
    this.#cancel();
    this.#keyboard = 'legacy';
    this.#capabilities = {...this.#capabilities, isSettled: false};
    this.#cancel = text === '' ? () => {} : clock.after(patienceMs, () => this.#settle());
    if (text === '') this.#settle();
    return text;
  }

  handleEvent(event: InputEvent): void {
    this.updateCapabilities(capabilitiesAfter(this.#capabilities, event, this.#parts.environment));
  }

  /** What was found out another way. */
  updateCapabilities(after: Capabilities): void {
    if (after === this.#capabilities) return;
    if (after.isSettled) this.#cancel();
    this.#capabilities = after;
    this.#parts.onChange(after);
    if (after.isSettled) this.#chooseKeyboard();
  }

  #chooseKeyboard(): void {
    const {environment, onKeyboard} = this.#parts;
    const protocol = keyboardProtocol(this.#capabilities, environment);
    if (protocol === this.#keyboard) return;
    this.#keyboard = protocol;
    onKeyboard?.(protocol);
  }

  stop(): void {
    this.#cancel();
  }

  #settle(): void {
    if (!this.#capabilities.isSettled) this.updateCapabilities({...this.#capabilities, isSettled: true});
  }
}
