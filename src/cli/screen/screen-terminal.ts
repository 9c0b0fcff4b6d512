import type {CliIo} from '#cli/io.ts';
import {isPlacedByParley} from '#content/styled-text/right-to-left.ts';
import {setClusterWidths} from '#content/styled-text/text-width.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {startPicture} from '#std/program-files.ts';
import {type Capabilities, withOuterProgram} from '#terminal/capabilities.ts';
import {
  escapeTimeoutMs,
  type TerminalEnvironment,
  terminalEnvironment,
  withReportedProgram,
} from '#terminal/environment.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {keyboardMode} from '#terminal/modes.ts';
import {TerminalProbe} from '#terminal/probe.ts';
import {programRunner} from '#terminal/run-program.ts';
import {TerminalOutput} from '#terminal/terminal-output.ts';
import {outerProgram, passesThrough} from '#terminal/tmux.ts';
import type {DisplayOptions} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {type DisplayPreferences, resolveDisplayOptions, shownScreenColors} from './app-settings.ts';
import {imageChoice, screenImages} from './screen-images.ts';
import {screenModes} from './screen-modes.ts';

interface ScreenTerminalParts {
  readonly io: CliIo;
  readonly displayPreferences: DisplayPreferences;
  readonly isAlternate: boolean;
  /** The shown screen, which decides whether the mouse is used. */
  readonly screen: () => ScreenState | undefined;
  /** Called when the terminal is gone. */
  readonly onLost: () => void;
  /** Called when the display options have changed. */
  readonly onDisplay: (options: DisplayOptions) => void;
  /** Called when rows that were written before look different from now on. */
  readonly onOutdatedRows: () => void;
  /** Called when the terminal has answered all queries. */
  readonly onSettled: () => void;
}

/** The flags of the kitty keyboard protocol that `keyboardMode` enables. */
const kittyFlags = 5;

/** The terminal of a screen: its output and keys, what is known of it, and what is adapted to that. */
export class ScreenTerminal {
  readonly output: TerminalOutput;
  readonly keys: KeySource;
  readonly probe: TerminalProbe;
  readonly modes: ReturnType<typeof screenModes>;
  readonly images: ReturnType<typeof screenImages>;
  displayOptions: DisplayOptions;
  readonly #parts: ScreenTerminalParts;
  readonly #guessed: TerminalEnvironment;
  #preferences: DisplayPreferences;

  constructor(parts: ScreenTerminalParts) {
    const {io, isAlternate, screen} = parts;
    const {env, clock} = io;
    this.#parts = parts;
    this.#preferences = parts.displayPreferences;
    const environment = terminalEnvironment(env, io.outputIsTty);
    this.#guessed = environment;
    this.output = new TerminalOutput(process.stdout, parts.onLost);
    this.keys = new KeySource({stdin: process.stdin, clock, escapeTimeoutMs: escapeTimeoutMs(environment)});
    this.probe = new TerminalProbe({
      environment,
      // Written by `saveStartPicture`.
      known: startPicture()?.capabilities as Capabilities | undefined,
      clock,
      onChange: ({isSettled}) => {
        this.#updateDisplay();
        if (isSettled) parts.onSettled();
      },
      onKeyboard: (protocol) => {
        this.write(keyboardMode(protocol));
        this.keys.setKittyFlags(protocol === 'kitty' ? kittyFlags : 0);
      },
    });
    this.displayOptions = resolveDisplayOptions(this.#preferences, this.probe.capabilities, env);
    setClusterWidths(this.displayOptions.clusterWidths ?? {});
    this.modes = screenModes(this.output, this.keys, this.environment, () => {
      const {isMouseOn = false, panes} = screen() ?? {};
      const ordersText = isPlacedByParley(this.displayOptions.bidi) && this.probe.capabilities.bidi === 'switchable';
      const colors = shownScreenColors(this.displayOptions);
      return {alternateScreen: isAlternate, mouse: isMouseOn && panes?.isBare !== true, ordersText, colors};
    });
    this.images = screenImages(clock, this.write, Math.floor(io.random() * 256));
  }

  readonly write = (sequence: string): void => void this.output.write(sequence);

  /** Returns the terminal as far as it is known now. */
  readonly environment = (): TerminalEnvironment => withReportedProgram(this.#guessed, this.probe.capabilities.program);

  /** What is known of the terminal, if `launcher.cjs` can paint on it. */
  get pictureCapabilities(): Capabilities | undefined {
    // The picture is replaced by the first frame: a screen reader would speak both.
    if (this.#preferences.screenReader !== 'off') return undefined;
    const canPaint = this.#parts.isAlternate && this.environment().kind === 'xterm' && this.modes.isUtf8;
    return canPaint ? this.probe.capabilities : undefined;
  }

  /** The modes that the picture of the next start needs. */
  get pictureModes(): string {
    return this.modes.forPicture;
  }

  /** Changes the user's display preferences, which win over the terminal's replies. */
  setDisplayPreferences(fields: Partial<DisplayPreferences>): void {
    this.#preferences = {...this.#preferences, ...fields};
    this.#updateDisplay();
  }

  #updateDisplay(): void {
    const next = resolveDisplayOptions(this.#preferences, this.probe.capabilities, this.#parts.io.env);
    if (!deepEqual(next, this.displayOptions)) {
      this.displayOptions = next;
      setClusterWidths(next.clusterWidths ?? {});
      this.#parts.onDisplay(next);
    }
    this.adapt();
  }

  /** Adapts output and input to what is known of the terminal. */
  adapt(): void {
    const {capabilities} = this.probe;
    const {glyphs, imageRows} = this.#preferences;
    this.output.setSynchronized(capabilities.synchronizedOutput !== false);
    this.keys.setBracketedPaste(capabilities.bracketedPaste === true);
    const choice = imageChoice(this.#preferences, this.displayOptions, capabilities, this.environment());
    this.images.choose(choice, this.output.size, imageRows);
    const own = this.#guessed.charset === 'latin-1' ? 'latin-1' : 'ascii';
    const isChanged = this.modes.adapt(capabilities.isUtf8 || glyphs === 'unicode' ? 'utf-8' : own);
    if (isChanged) this.#parts.onOutdatedRows();
  }

  /** Asks tmux for the terminal around it, which decides how notifications and images are sent. The answer may come later. */
  askTmux(): void {
    if (!this.#guessed.hasTmuxCommand) return;
    const run = programRunner(this.#parts.io.env);
    void Promise.all([outerProgram(run), passesThrough(run)]).then(([program, isPassed]) => {
      if (program === undefined) return;
      this.probe.updateCapabilities(withOuterProgram(this.probe.capabilities, program, isPassed));
    });
  }
}
