import {flushCompileCache} from 'node:module';
import {type Instance, render} from 'ink';
import type {App} from '#app/core/app.ts';
import type {Device} from '#app/core/device.ts';
import type {DisplayOptions} from '#app/core/frame.ts';
import type {KeyGuide} from '#app/core/key-guide.ts';
import type {Size} from '#app/core/screen-state.ts';
import type {CliIo} from '#cli/io.ts';
import {inputMode} from '#commands/key-contexts.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import type {KeyRouter} from '#commands/key-router.ts';
import {pathsOf} from '#config/paths.ts';
import {hasServerState} from '#state/initial-state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {withOuterProgram} from '#terminal/capabilities.ts';
import {escapeTimeoutMs, type TerminalEnvironment, terminalEnvironment} from '#terminal/environment.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {stubStdin} from '#terminal/input/stub-stdin.ts';
import {type EndReason, TerminalLifecycle} from '#terminal/lifecycle.ts';
import {cursorHidden, cursorShape, enterModes, keyboardMode, leaveModes} from '#terminal/modes.ts';
import {TerminalProbe} from '#terminal/probe.ts';
import {programRunner, runInTerminal} from '#terminal/run-program.ts';
import {StartupKeyGate} from '#terminal/startup-key-gate.ts';
import {TerminalOutput} from '#terminal/terminal-output.ts';
import {outerProgram} from '#terminal/tmux.ts';
import {writeNow} from '#terminal/write-now.ts';
import {Screen} from '#ui/Screen.tsx';
import {AppContext} from '#ui/use-frame.ts';
import {type DisplayPreferences, resolveDisplayOptions} from './display-options.ts';
import {type TerminalDevice, terminalDevice} from './terminal-device.ts';
import {TerminalHandover} from './terminal-handover.ts';

export interface ScreenHostOptions {
  readonly io: CliIo;
  readonly displayPreferences: DisplayPreferences;
  readonly isAlternate: boolean;
  readonly router: KeyRouter;
  /** Saves what must not be lost; what it does at once is done in any case. */
  readonly save: (reason: EndReason) => Promise<void>;
  /** The terminal is given back and the program is about to end. */
  readonly afterEnd: (reason: EndReason) => void;
  /** It was stopped and goes on. */
  readonly onResumed: () => void;
}

/** The kitty protocol's flags that `keyboardMode` asks for. */
const kittyFlags = 5;

/**
 * The terminal, taken from the first picture to the last, and the app that it shows. All apps live on it at once; one of
 * them has the screen and the keys.
 */
export class ScreenHost {
  readonly environment: TerminalEnvironment;
  readonly device: TerminalDevice;
  readonly output: TerminalOutput;
  /** What the keys do, for whoever shows it. */
  readonly keyGuide: KeyGuide;
  /** Resolves when somebody wants to leave. */
  readonly quitRequested: Promise<void>;
  readonly #options: ScreenHostOptions;
  readonly #probe: TerminalProbe;
  readonly #keys: KeySource;
  readonly #sight: StartupKeyGate;
  readonly #lifecycle: TerminalLifecycle;
  readonly #lending: TerminalHandover;
  readonly #apps = new Set<App>();
  readonly #titles = new WeakMap<App, string>();
  #shown: App | undefined;
  #ink: Instance | undefined;
  #looks: DisplayOptions;
  #wishes: DisplayPreferences;
  #isWriting = false;
  #unwatch = () => {};

  constructor(options: ScreenHostOptions) {
    const {io} = options;
    const {env, clock} = io;
    this.#options = options;
    this.#wishes = options.displayPreferences;
    this.keyGuide = makeKeyGuide(options.router.keymap, options.router.commands);
    this.environment = terminalEnvironment(env, io.outputIsTty);
    this.output = new TerminalOutput(process.stdout, () => this.#lifecycle.lost());
    this.#probe = this.#makeProbe();
    this.#keys = new KeySource({
      stdin: process.stdin,
      clock,
      escapeTimeoutMs: escapeTimeoutMs(this.environment),
    });
    this.#sight = new StartupKeyGate({
      clock,
      write: (sequence) => void this.output.write(sequence),
      deliver: (events, isSeen) => {
        if (this.#shown !== undefined) options.router.handleEvents(this.#shown, events, isSeen);
      },
    });
    this.#lifecycle = this.#makeLifecycle();
    this.#lending = new TerminalHandover({
      lifecycle: this.#lifecycle,
      output: this.output,
      clock,
      onResumed: options.onResumed,
    });
    const {promise, resolve} = Promise.withResolvers<void>();
    this.quitRequested = promise;
    this.device = terminalDevice({
      env,
      environment: this.environment,
      capabilities: () => this.#probe.capabilities,
      write: (sequence) => void this.output.write(sequence),
      runtimeDirectory: pathsOf(env, io.home).runtime,
      lend: (body) => this.#lending.lend(body),
      redraw: () => this.#redraw(true),
      suspend: () => void this.#lending.suspend(),
      quit: resolve,
    });
    this.#looks = resolveDisplayOptions(options.displayPreferences, this.#probe.capabilities, env);
    this.#keys.onEvents((events) => {
      for (const event of events) {
        this.#probe.handleEvent(event);
        if (event.kind === 'focus') this.#tellAll((app) => app.set({hasWindowFocus: event.gained}));
      }
      this.#sight.handleEvents(events);
    });
    this.#keys.onEnd(() => this.#lifecycle.lost());
  }

  get size(): Size {
    return this.output.size;
  }

  get displayOptions(): DisplayOptions {
    return this.#looks;
  }

  get shown(): App | undefined {
    return this.#shown;
  }

  async runSelf(words: readonly string[]): Promise<void> {
    const [command, script = ''] = process.argv;
    await this.#lending.lend(() =>
      runInTerminal(command ?? process.execPath, [...process.execArgv, script, ...words]),
    );
  }

  /** Somebody wants it otherwise from now on, whatever the terminal will say. */
  setDisplayPreferences(fields: Partial<DisplayPreferences>): void {
    this.#wishes = {...this.#wishes, ...fields};
    this.#setLooks(resolveDisplayOptions(this.#wishes, this.#probe.capabilities, this.#options.io.env));
  }

  /** The terminal as one of the apps has it: only the one that is shown names the window. */
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

  /** From now on it is told of the terminal's size and abilities. */
  add(app: App): void {
    this.#apps.add(app);
    app.onEnd(() => this.#apps.delete(app));
  }

  /** Takes the terminal with the first app that is shown. */
  show(app: App): void {
    const isFirst = this.#shown === undefined;
    this.#shown = app;
    this.#unwatch();
    this.#unwatch = app.frames.subscribe(() => this.#painting(app));
    app.frames.paintNow();
    const title = this.#titles.get(app);
    if (title !== undefined) this.device.setTitle(title);
    if (isFirst) this.#open();
    else this.#ink?.rerender(this.#tree(app));
    this.#painting(app);
  }

  /** Resolves when the first picture has left the program. */
  async whenPainted(): Promise<void> {
    await this.output.whenDrained();
    await new Promise((resolve) => setImmediate(resolve));
    flushCompileCache();
    if (!this.environment.hasTmuxCommand) return;
    // Who is around tmux decides how notifications get out; nobody waits for it.
    outerProgram(programRunner(this.#options.io.env)).then((program) => {
      if (program !== undefined)
        this.#probe.updateCapabilities(withOuterProgram(this.#probe.capabilities, program));
    });
  }

  close(): void {
    this.#unwatch();
    this.#ink?.unmount();
    this.#probe.stop();
    this.#sight.stop();
    this.#lifecycle.leave();
    this.output.close();
    if (!this.#options.isAlternate) writeNow(1, `\u001b[${this.size.rows};1H\n`);
  }

  #open(): void {
    this.#lifecycle.enter();
    const resized = (size: Size) => {
      // What the terminal made of the old picture on the way here is nothing to build on.
      this.#erase();
      this.#tellAll((app) => app.set({size}));
      // Before Ink draws what it has: the old picture does not fit any more.
      this.#shown?.frames.paintNow();
    };
    this.output.watchSize(this.#options.io.clock, resized, process);
    if (this.#shown === undefined) return;
    this.#ink = render(this.#tree(this.#shown), {
      stdout: this.output.stream,
      stdin: stubStdin(),
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

  #tellAll(tell: (app: App) => void): void {
    for (const app of this.#apps) tell(app);
  }

  #setLooks(looks: DisplayOptions): void {
    if (deepEqual(looks, this.#looks)) return;
    this.#looks = looks;
    this.#tellAll((app) => app.setDisplay(looks));
  }

  #makeProbe(): TerminalProbe {
    const {io} = this.#options;
    return new TerminalProbe({
      environment: this.environment,
      clock: io.clock,
      onChange: (capabilities) => {
        this.#setLooks(resolveDisplayOptions(this.#wishes, capabilities, io.env));
        this.output.setSynchronized(capabilities.synchronizedOutput !== false);
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
      enter: () =>
        enterModes(this.environment, {
          alternateScreen: isAlternate,
          mouse: this.#shown?.screen.isMouseOn ?? false,
        }) + this.#probe.startQuery(),
      leave: () => leaveModes(this.environment, {alternateScreen: isAlternate}),
      onLeave: () => {
        this.#keys.stop();
        this.output.mute();
      },
      onEnter: () => {
        this.output.unmute();
        this.#keys.start();
        this.device.restoreTitle();
        this.#isWriting = false;
        // Whoever had it in between shows the cursor; what draws shows it again only where text goes.
        this.output.write(cursorHidden);
        this.#redraw(false);
        this.#shapeCursor();
      },
      onEnd: save,
      afterEnd,
    });
  }

  /** Everything anew; with `isDirty` the screen may show what is not ours. */
  #redraw(isDirty: boolean): void {
    if (this.#ink === undefined || this.#shown === undefined) return;
    if (isDirty) this.#erase();
    else this.#ink.clear();
    this.#ink.rerender(this.#tree(this.#shown));
  }

  /** Nothing is on the screen any more, and whoever draws knows it. */
  #erase(): void {
    this.output.write('\u001b[H\u001b[2J');
    this.#ink?.clear();
  }

  /** What goes along with each picture. */
  #painting(app: App): void {
    this.#sight.onPaint(app, hasServerState(app.frames.paintedFrame.account));
    this.#shapeCursor();
  }

  /** Where text goes, the cursor is a bar. */
  #shapeCursor(): void {
    const isWriting = this.#shown !== undefined && inputMode(this.#shown.screen) === 'WRITE';
    if (isWriting === this.#isWriting) return;
    this.#isWriting = isWriting;
    this.output.write(cursorShape(this.environment, isWriting ? 'bar' : 'usual'));
  }
}
