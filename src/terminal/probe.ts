import {clusterKinds} from '#content/styled-text/cluster-widths.ts';
import type {Clock} from '#std/clock.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {
  type Capabilities,
  capabilitiesAfter,
  clusterRows,
  initialCapabilities,
  keyboardProtocol,
  utf8Row,
} from './capabilities.ts';
import {esc, osc} from './control-sequences.ts';
import type {TerminalEnvironment} from './environment.ts';
import type {KeyboardProtocol} from './modes.ts';

/** The time to wait for replies before going on with what is known; late replies still count. */
const defaultTimeoutMs = 300;

const queries = {
  kittyKeyboard: `${esc}[?u`,
  modifyOtherKeys: `${esc}[?4m`,
  background: osc('11;?'),
  colorScheme: `${esc}[?996n`,
  synchronizedOutput: `${esc}[?2026$p`,
  bracketedPaste: `${esc}[?2004$p`,
  bidi: `${esc}[8$p`,
  name: `${esc}[>q`,
  /** The number of colours (XTGETTCAP with the name `Co` in hexadecimal): TERM often says fewer than there are. */
  colors: `${esc}P+q436f${esc}\\`,
  notifications: osc('99;i=p:p=?;'),
  /** In UTF-8 this is one character, otherwise two: the cursor's column shows which. */
  utf8: `${esc}[${utf8Row};1Hé${esc}[6n`,
  /** One character of each kind that terminals count differently: the cursor's column shows how many columns it takes. */
  clusters: clusterRows
    .map(({row, kind}) => `${esc}[${row};1H${clusterKinds[kind].sample}${esc}[6n${esc}[2K`)
    .join('')
    .concat(`${esc}[${utf8Row};1H`),
  /** The size of a cell, of the largest sixel image, which is the area, and of the area itself; the last one is for iTerm2. */
  cellSize: `${esc}[16t${esc}[?2;1;0S${esc}[14t${osc('1337;ReportCellSize')}`,
  kittyGraphics: `${esc}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA${esc}\\`,
  attributes: `${esc}[c`,
} as const;

/** Asks for the background once more, after the program had changed it. */
export const backgroundQuery: string = queries.background;

/**
 * Returns all queries, which are sent in one write before the first frame. Every terminal answers the last
 * one, so its reply means that no other follows. Text that a terminal prints instead of understanding a query
 * is invisible and erased.
 */
export function probeSequence({kind, inTmux, inScreen}: TerminalEnvironment): string {
  if (kind !== 'xterm') return '';
  const {kittyGraphics, attributes, ...others} = queries;
  // Multiplexers take it for the title of the window.
  const graphics = inTmux || inScreen ? '' : kittyGraphics;
  const asked = [...Object.values(others), graphics, attributes].join('');
  return `${esc}[8m${asked}${esc}[2K\r${esc}[0m${esc}[H`;
}

interface ProbeParts {
  readonly environment: TerminalEnvironment;
  /** What an earlier session found on a terminal with the same environment. */
  readonly known?: Capabilities | undefined;
  readonly clock: Clock;
  /** The time to wait for replies. */
  readonly timeoutMs?: number;
  /** Called when more capabilities are known. */
  readonly onChange: (capabilities: Capabilities) => void;
  /** Called with the keyboard protocol to use, when the terminal has replied, and again after each new query. */
  readonly onKeyboard?: (protocol: KeyboardProtocol) => void;
}

/**
 * Queries the terminal and handles its replies as long as the program runs: themes change, and sessions move
 * to other terminals.
 */
export class TerminalProbe {
  readonly #parts: ProbeParts;
  #capabilities: Capabilities;
  /** What the replies to a repeated query say so far. It counts when all have arrived. */
  #fresh: Capabilities | undefined;
  #hasQueried = false;
  /** The number of queries without their last reply. */
  #unanswered = 0;
  #keyboard: KeyboardProtocol = 'legacy';
  #cancel = () => {};

  constructor(parts: ProbeParts) {
    this.#parts = parts;
    this.#capabilities = parts.known ?? initialCapabilities(parts.environment);
    this.#hasQueried = parts.known !== undefined;
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /**
   * Returns the queries to write. Called again after a pause: the terminal may be another one, and its keyboard protocol was
   * reset. What is known stays in use until the terminal has replied again, so that the picture does not change meanwhile.
   */
  startQuery(): string {
    const {environment, clock, timeoutMs = defaultTimeoutMs} = this.#parts;
    const text = probeSequence(environment);
    this.#cancel();
    this.#fresh = this.#hasQueried && text !== '' ? initialCapabilities(environment) : undefined;
    this.#hasQueried = true;
    this.#unanswered++;
    this.#keyboard = 'legacy';
    this.#capabilities = {...this.#capabilities, isSettled: false};
    this.#cancel = text === '' ? () => {} : clock.after(timeoutMs, () => this.#settle());
    if (text === '') this.#settle();
    return text;
  }

  handleEvent(event: InputEvent): void {
    const {environment} = this.#parts;
    if (event.kind === 'reply' && event.reply.type === 'attributes')
      this.#unanswered = Math.max(0, this.#unanswered - 1);
    if (this.#fresh === undefined || event.kind === 'focus') {
      this.updateCapabilities(capabilitiesAfter(this.#capabilities, event, environment));
      return;
    }
    this.#fresh = capabilitiesAfter(this.#fresh, event, environment);
    if (!this.#fresh.isSettled || this.#unanswered > 0) return;
    const [fresh, before] = [this.#fresh, this.#capabilities];
    this.#fresh = undefined;
    this.updateCapabilities(deepEqual(fresh.program, before.program) ? {...fresh, ...notQueried(before)} : fresh);
  }

  /** Sets capabilities that were found in another way. */
  updateCapabilities(capabilities: Capabilities): void {
    if (capabilities === this.#capabilities) return;
    if (capabilities.isSettled) this.#cancel();
    this.#capabilities = capabilities;
    this.#parts.onChange(capabilities);
    if (capabilities.isSettled) this.#chooseKeyboard();
  }

  #chooseKeyboard(): void {
    const {onKeyboard} = this.#parts;
    const protocol = keyboardProtocol(this.#capabilities);
    if (protocol === this.#keyboard) return;
    this.#keyboard = protocol;
    onKeyboard?.(protocol);
  }

  stop(): void {
    this.#cancel();
  }

  #settle(): void {
    this.#unanswered = 0;
    if (!this.#capabilities.isSettled) this.updateCapabilities({...this.#capabilities, isSettled: true});
  }
}

/** Returns what is known of the same terminal from other sources than its replies. */
function notQueried(before: Capabilities): Partial<Capabilities> {
  const {notifications, focusEvents, program, bidi, outer, tmuxPassthrough} = before;
  return {notifications, focusEvents, outer, tmuxPassthrough, ...(program?.name === 'tmux' && {bidi})};
}
