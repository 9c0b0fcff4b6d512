import {type Instance, render} from 'ink';
import type {CliIo} from '#cli/io.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import type {KeyRouter} from '#commands/key-router.ts';
import {inputMode} from '#commands/keymap.ts';
import {pathsOf} from '#config/paths.ts';
import {setClusterWidths} from '#content/styled-text/text-width.ts';
import {hasServerState} from '#state/initial-state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {programCommand, saveCompiledCode, startPicture} from '#std/program-files.ts';
import {type Capabilities, withOuterProgram} from '#terminal/capabilities.ts';
import {
  escapeTimeoutMs,
  type TerminalEnvironment,
  terminalEnvironment,
  withReportedProgram,
} from '#terminal/environment.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {stubStdin} from '#terminal/input/stub-stdin.ts';
import {type EndReason, TerminalLifecycle} from '#terminal/lifecycle.ts';
import {
  clearedScreen,
  cursorShape,
  enterModes,
  keyboardMode,
  leaveModes,
  type ModeOptions,
  repeatModes,
  textOrderMode,
} from '#terminal/modes.ts';
import type {Charset} from '#terminal/output-charset.ts';
import {TerminalProbe} from '#terminal/probe.ts';
import {programRunner, runInTerminal} from '#terminal/run-program.ts';
import {StartupKeyGate} from '#terminal/startup-key-gate.ts';
import {TerminalOutput} from '#terminal/terminal-output.ts';
import {outerProgram, passesThrough} from '#terminal/tmux.ts';
import {writeNow} from '#terminal/write-now.ts';
import type {App} from '#ui/core/app.ts';
import type {DisplayOptions, KeyGuide} from '#ui/core/frame.ts';
import type {Device} from '#ui/core/host.ts';
import type {Size} from '#ui/core/screen-state.ts';
import {AppContext} from '#ui/hooks/use-select.ts';
import type {ImageFiles} from '#ui/images/image-store.ts';
import {dividedScreen} from '#ui/layout/tour-area.ts';
import {Screen} from '#ui/Screen.tsx';
import {type DisplayPreferences, resolveDisplayOptions} from './app-settings.ts';
import {MemoryLimiter} from './memory-limiter.ts';
import {ScreenImages} from './screen-images.ts';
import {type TerminalDevice, terminalDevice, terminalHandover} from './terminal-device.ts';

export interface ScreenHostOptions {
  readonly io: CliIo;
  readonly displayPreferences: DisplayPreferences;
  readonly isAlternate: boolean;
  readonly router: KeyRouter;
  /** Saves everything that must not be lost. Its synchronous part runs in any case; the rest may be cut off. */
  readonly save: (reason: EndReason) => Promise<void>;
  /** Called when the terminal was restored and the program is about to end. */
  readonly afterEnd: (reason: EndReason) => void;
  /** Called when the program continues after it was suspended. */
  readonly onResumed: () => void;
}

/** The flags of the kitty keyboard protocol that `keyboardMode` enables. */
const kittyFlags = 5;

/**
 * Owns the terminal from the first frame to the last, and shows an app on it. The apps of all open accounts
 * stay alive; one of them has the screen and the keys.
 */
export class ScreenHost {
  readonly device: TerminalDevice;
  readonly output: TerminalOutput;
  /** The keys of each command, for hints and help. */
  readonly keyGuide: KeyGuide;
  /** Resolves when the user quits. */
  readonly quitRequested: Promise<void>;
  readonly #options: ScreenHostOptions;
  readonly #guessedEnvironment: TerminalEnvironment;
  readonly #probe: TerminalProbe;
  readonly #keys: KeySource;
  readonly #keyGate: StartupKeyGate;
  readonly #lifecycle: TerminalLifecycle;
  readonly #handover: ReturnType<typeof terminalHandover>;
  #memory: MemoryLimiter | undefined;
  readonly #images: ScreenImages;
  readonly #apps = new Set<App>();
  readonly #titles = new WeakMap<App, string>();
  #shown: App | undefined;
  #ink: Instance | undefined;
  #displayOptions: DisplayOptions;
  #preferences: DisplayPreferences;
  #isWriting = false;
  #hasPicture = false;
  #charset: Charset = 'utf-8';
  #ordersText = false;
  #unsubscribeFrames = () => {};

  constructor(options: ScreenHostOptions) {
    const {io} = options;
    const {env, clock} = io;
    this.#options = options;
    this.#preferences = options.displayPreferences;
    this.keyGuide = makeKeyGuide(options.router.keymap, options.router.commands);
    this.#guessedEnvironment = terminalEnvironment(env, io.outputIsTty);
    this.output = new TerminalOutput(process.stdout, () => this.#lifecycle.lost());
    this.#probe = this.#makeProbe();
    this.#keys = new KeySource({
      stdin: process.stdin,
      clock,
      escapeTimeoutMs: escapeTimeoutMs(this.#guessedEnvironment),
    });
    this.#keyGate = new StartupKeyGate({
      clock,
      write: (sequence) => void this.output.write(sequence),
      deliver: (events, isSeen) => {
        if (this.#shown !== undefined) options.router.handleEvents(this.#shown, events, isSeen);
      },
    });
    this.#lifecycle = this.#makeLifecycle();
    this.#images = new ScreenImages({
      clock,
      write: (sequence) => void this.output.write(sequence),
      session: Math.floor(io.random() * 256),
    });
    const {onResumed} = options;
    this.#handover = terminalHandover({lifecycle: this.#lifecycle, output: this.output, clock, onResumed});
    const {promise, resolve} = Promise.withResolvers<void>();
    this.quitRequested = promise;
    this.device = terminalDevice({
      env,
      environment: () => this.#environment,
      capabilities: () => this.#probe.capabilities,
      write: (sequence) => void this.output.write(sequence),
      runtimeDirectory: pathsOf(env, io.home).runtime,
      lend: (body) => this.#handover.lend(body),
      redraw: () => this.#redraw(true),
      suspend: () => void this.#handover.suspend(),
      quit: resolve,
    });
    this.#displayOptions = resolveDisplayOptions(options.displayPreferences, this.#probe.capabilities, env);
    setClusterWidths(this.#displayOptions.clusterWidths ?? {});
    // The modes are set when the terminal is taken over.
    this.#ordersText = this.#modes.ordersText === true;
    this.#adaptOutput();
    this.#keys.onEvents((events) => {
      for (const event of events) {
        this.#probe.handleEvent(event);
        if (event.kind === 'focus') this.#updateApps((app) => app.set({hasWindowFocus: event.gained}));
      }
      this.#keyGate.handleEvents(events);
    });
    this.#keys.onEnd(() => this.#lifecycle.lost());
  }

  get size(): Size {
    return this.output.size;
  }

  get #environment(): TerminalEnvironment {
    return withReportedProgram(this.#guessedEnvironment, this.#probe.capabilities.program);
  }

  get displayOptions(): DisplayOptions {
    return this.#displayOptions;
  }

  /** What is known of the terminal, if `launcher.cjs` can paint on it. */
  get pictureCapabilities(): Capabilities | undefined {
    // The picture is replaced by the first frame: a screen reader would speak both.
    if (this.#preferences.screenReader !== 'off') return undefined;
    const canPaint = this.#options.isAlternate && this.#environment.kind === 'xterm' && this.#charset === 'utf-8';
    return canPaint ? this.#probe.capabilities : undefined;
  }

  /** The modes that the picture of the next start needs. */
  get pictureModes(): string {
    return this.#modes.ordersText === true ? textOrderMode(true) : '';
  }

  get shown(): App | undefined {
    return this.#shown;
  }

  async runSelf(args: readonly string[]): Promise<void> {
    const command = programCommand();
    await this.#handover.lend(() => runInTerminal(command.file, [...command.args, ...args]));
  }

  /** Changes the user's display preferences, which win over the terminal's replies. */
  setDisplayPreferences(fields: Partial<DisplayPreferences>): void {
    this.#preferences = {...this.#preferences, ...fields};
    this.#setDisplayOptions(resolveDisplayOptions(this.#preferences, this.#probe.capabilities, this.#options.io.env));
    this.#adaptOutput();
  }

  /** Returns the terminal for one of the apps: only the app that is shown may set the window title. */
  deviceFor(appOf: () => App): Device {
    const {device} = this;
    return {
      ...device,
      get reportsShiftEnter() {
        return device.reportsShiftEnter;
      },
      setTitle: (title) => {
        this.#titles.set(appOf(), title);
        if (this.#shown === appOf()) device.setTitle(title);
      },
    };
  }

  /** Registers an app, which from now on is updated with the terminal's size and capabilities. */
  add(app: App, images: ImageFiles): void {
    this.#apps.add(app);
    this.#images.add(app, images);
    app.onEnd(() => this.#apps.delete(app));
  }

  /** Shows an app. The first one takes over the terminal. `isSeen`: the screen has content of it already. */
  show(app: App, isSeen = false): void {
    const isFirst = this.#shown === undefined;
    this.#shown = app;
    if (isSeen) this.#keyGate.noteSeen(app);
    this.#unsubscribeFrames();
    this.#unsubscribeFrames = app.frames.subscribe(() => this.#onPaint(app));
    app.frames.announce();
    const title = this.#titles.get(app);
    if (title !== undefined) this.device.setTitle(title);
    if (isFirst) this.#open();
    else this.#ink?.rerender(this.#tree(app));
    this.#onPaint(app);
  }

  /** Resolves when the first frame has been written. */
  async whenPainted(): Promise<void> {
    await this.output.whenDrained();
    await new Promise((resolve) => setImmediate(resolve));
    saveCompiledCode();
    this.#memory = new MemoryLimiter(this.#options.io.clock);
    this.#memory.onPaint();
    if (!this.#guessedEnvironment.hasTmuxCommand) return;
    // The terminal around tmux decides how notifications and images are sent. The answer may come later.
    const run = programRunner(this.#options.io.env);
    Promise.all([outerProgram(run), passesThrough(run)]).then(([program, isPassed]) => {
      if (program === undefined) return;
      this.#probe.updateCapabilities(withOuterProgram(this.#probe.capabilities, program, isPassed));
    });
  }

  close(): void {
    this.#unsubscribeFrames();
    this.#ink?.unmount();
    this.#probe.stop();
    this.#keyGate.stop();
    this.#memory?.stop();
    this.#lifecycle.leave();
    this.output.close();
    if (!this.#options.isAlternate) writeNow(1, `\u001b[${this.size.rows};1H\n`);
  }

  #open(): void {
    const picture = startPicture();
    this.#hasPicture = picture?.takeOver !== undefined;
    this.#lifecycle.enter();
    picture?.takeOver?.();
    if (this.#hasPicture && this.#shown !== undefined) {
      this.#keyGate.onPicture(this.#shown);
      // Written together with the first frame, so that the terminal does not show an empty screen.
      this.output.write(this.#probe.startQuery() + clearedScreen);
    }
    this.#hasPicture = false;
    const onResize = (size: Size) => {
      // The terminal may have reflowed the old frame, or be another one: dtach and abduco announce it this way.
      this.#repeatModes();
      this.#updateApps((app) => app.set(dividedScreen(size, app.screen.tour?.instruction)));
      // Painted before Ink redraws: its old frame does not have the new size.
      this.#shown?.frames.paintNow();
    };
    this.output.watchSize(this.#options.io.clock, onResize, process);
    if (this.#shown === undefined) return;
    this.#ink = render(this.#tree(this.#shown), {
      stdout: this.output.stream,
      stdin: stubStdin(),
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 1000,
      incrementalRendering: true,
    });
  }

  #tree(app: App) {
    return (
      <AppContext value={app}>
        <Screen key={app.info.accountName} />
      </AppContext>
    );
  }

  #updateApps(update: (app: App) => void): void {
    for (const app of this.#apps) update(app);
  }

  #setDisplayOptions(displayOptions: DisplayOptions): void {
    if (deepEqual(displayOptions, this.#displayOptions)) return;
    this.#displayOptions = displayOptions;
    setClusterWidths(displayOptions.clusterWidths ?? {});
    this.#updateApps((app) => app.setDisplay(displayOptions));
  }

  #makeProbe(): TerminalProbe {
    const {io} = this.#options;
    return new TerminalProbe({
      environment: this.#guessedEnvironment,
      // Written by `saveStartPicture`.
      known: startPicture()?.capabilities as Capabilities | undefined,
      clock: io.clock,
      onChange: (capabilities) => {
        this.#setDisplayOptions(resolveDisplayOptions(this.#preferences, capabilities, io.env));
        this.#adaptOutput();
        if (capabilities.isSettled) this.device.title.restore();
      },
      onKeyboard: (protocol) => {
        this.output.write(keyboardMode(protocol));
        this.#keys.setKittyFlags(protocol === 'kitty' ? kittyFlags : 0);
      },
    });
  }

  #makeLifecycle(): TerminalLifecycle {
    const {io, isAlternate, save, afterEnd} = this.#options;
    return new TerminalLifecycle({
      host: process,
      clock: io.clock,
      writeNow: (text) => writeNow(1, text),
      setRawMode: (isRaw) => process.stdin.setRawMode(isRaw),
      enter: () => {
        this.#ordersText = this.#modes.ordersText === true;
        const modes = enterModes(this.#environment, this.#modes, this.#hasPicture);
        return modes + (this.#hasPicture ? '' : this.#probe.startQuery());
      },
      leave: () =>
        this.#images.removal() +
        leaveModes(this.#environment, {alternateScreen: isAlternate, ordersText: this.#ordersText}),
      onLeave: () => {
        this.#keys.stop();
        this.device.title.forget();
        this.output.mute();
      },
      onEnter: () => {
        this.output.unmute();
        this.#images.terminalReset();
        this.#keys.start();
        this.#isWriting = false;
        this.#redraw(false);
        this.#shapeCursor();
      },
      onEnd: save,
      afterEnd,
    });
  }

  get #modes(): ModeOptions {
    const {isMouseOn = false, panes} = this.#shown?.screen ?? {};
    return {
      alternateScreen: this.#options.isAlternate,
      mouse: isMouseOn && panes?.isBare !== true,
      ordersText: this.#displayOptions.bidi === 'reorder' && this.#probe.capabilities.bidi === 'switchable',
    };
  }

  /**
   * Draws everything again. With `isDirty`, other programs may have written to the screen, or the terminal may be another one,
   * so its modes are set again.
   */
  #redraw(isDirty: boolean): void {
    if (this.#ink === undefined || this.#shown === undefined) return;
    if (isDirty) this.#repeatModes();
    else this.#ink.clear();
    this.#ink.rerender(this.#tree(this.#shown));
  }

  /** Sets the modes of a terminal that may be another one, queries it, and clears the screen and Ink's record of it. */
  #repeatModes(): void {
    if (!this.#lifecycle.hasTerminal) return;
    this.device.title.forget();
    this.#keys.setKittyFlags(0);
    this.output.write(repeatModes(this.#environment, this.#modes) + this.#probe.startQuery());
    this.#images.terminalReset();
    this.#isWriting = false;
    this.#shapeCursor();
    this.#ink?.clear();
  }

  /** Adapts output and input to what is known of the terminal. */
  #adaptOutput(): void {
    const {isUtf8, synchronizedOutput, bracketedPaste} = this.#probe.capabilities;
    this.output.setSynchronized(synchronizedOutput !== false);
    this.#keys.setBracketedPaste(bracketedPaste === true);
    this.#chooseImages();
    const own = this.#guessedEnvironment.charset === 'latin-1' ? 'latin-1' : 'ascii';
    const charset = isUtf8 || this.#preferences.glyphs === 'unicode' ? 'utf-8' : own;
    const {ordersText = false} = this.#modes;
    if (charset === this.#charset && ordersText === this.#ordersText) return;
    if (ordersText !== this.#ordersText) this.output.write(textOrderMode(ordersText));
    this.#ordersText = ordersText;
    this.#charset = charset;
    this.output.setCharset(charset);
    this.#keys.setUtf8(charset === 'utf-8');
    // Rows that were written before keep the characters and the order of that time.
    this.output.write(this.#ink === undefined ? '' : clearedScreen);
    this.#images.terminalReset();
    this.#redraw(false);
  }

  #chooseImages(): void {
    const {images: setting, imageRows, screenReader} = this.#preferences;
    const {capabilities} = this.#probe;
    const {depth, glyphs} = this.#displayOptions;
    const choice = {setting, hasScreenReader: screenReader !== 'off', environment: this.#environment, depth};
    const isUtf8 = capabilities.isUtf8 && glyphs !== 'ascii';
    this.#images.choose({...choice, capabilities: {...capabilities, isUtf8}}, this.size, imageRows);
  }

  /** Runs with each painted frame. */
  #onPaint(app: App): void {
    this.#memory?.onPaint();
    this.#keyGate.onPaint(app, hasServerState(app.frames.paintedFrame.account));
    this.#shapeCursor();
  }

  /** Makes the cursor a bar while text is edited. */
  #shapeCursor(): void {
    const isWriting = this.#shown !== undefined && inputMode(this.#shown.screen) === 'WRITE';
    if (isWriting === this.#isWriting) return;
    this.#isWriting = isWriting;
    this.output.write(cursorShape(this.#environment, isWriting ? 'bar' : 'usual'));
  }
}
