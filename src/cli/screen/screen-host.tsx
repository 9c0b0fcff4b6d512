import {type Instance, render} from 'ink';
import type {App} from '#app/core/app.ts';
import type {Device} from '#app/core/host.ts';
import type {ImageFiles} from '#app/images/image-store.ts';
import type {CliIo} from '#cli/io.ts';
import {refuseOverSsh} from '#cli/restriction.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import type {KeyRouter} from '#commands/key-router.ts';
import {inputMode} from '#commands/keymap.ts';
import {hasServerState} from '#state/initial-state.ts';
import {programCommand, saveCompiledCode, startPicture} from '#std/program-files.ts';
import type {InputEvent} from '#terminal/input/input-events.ts';
import {stubStdin} from '#terminal/input/stub-stdin.ts';
import {type EndReason, TerminalLifecycle} from '#terminal/lifecycle.ts';
import {clearedScreen} from '#terminal/modes.ts';
import {runInTerminal} from '#terminal/run-program.ts';
import {StartupKeyGate} from '#terminal/startup-key-gate.ts';
import {writeNow} from '#terminal/write-now.ts';
import type {KeyGuide} from '#ui/core/frame.ts';
import type {Size} from '#ui/core/screen-state.ts';
import {AppContext} from '#ui/hooks/use-select.ts';
import {nameFrames} from '#ui/ink/output.ts';
import {dividedScreen} from '#ui/layout/layout.ts';
import {Screen} from '#ui/Screen.tsx';
import type {AppHost} from './account-app.ts';
import type {DisplayPreferences} from './app-settings.ts';
import {memoryLimiter, v8Host} from './memory-limiter.ts';
import {deviceOf} from './restricted-device.ts';
import {ScreenTerminal} from './screen-terminal.ts';
import {type TerminalDevice, type TerminalDeviceParts, terminalHandover} from './terminal-device.ts';

interface ScreenHostOptions {
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

/**
 * Owns the terminal from the first frame to the last, and shows an app on it. The apps of all open accounts
 * stay alive; one of them has the screen and the keys.
 */
export class ScreenHost implements AppHost {
  /** The keys of each command, for hints and help. */
  readonly keyGuide: KeyGuide;
  /** Resolves when the user quits. */
  readonly quitRequested: Promise<void>;
  readonly terminal: ScreenTerminal;
  readonly #options: ScreenHostOptions;
  readonly #keyGate: StartupKeyGate;
  readonly #lifecycle: TerminalLifecycle;
  readonly #handover: ReturnType<typeof terminalHandover>;
  readonly #device: TerminalDevice;
  readonly #apps = new Set<App>();
  readonly #titles = new Map<App, string>();
  #shown: App | undefined;
  #ink: Instance | undefined;
  #memory: ReturnType<typeof memoryLimiter> | undefined;
  #hasPicture = false;
  #endFrameNames = () => {};
  #unsubscribeFrames = () => {};

  constructor(options: ScreenHostOptions) {
    const {io, router} = options;
    this.#options = options;
    this.terminal = new ScreenTerminal({
      ...options,
      screen: () => this.#shown?.screen,
      onLost: () => this.#lifecycle.lost(),
      onDisplay: (display) => {
        for (const app of this.#apps) app.setDisplay(display);
      },
      onOutdatedRows: () => this.#rewriteRows(),
      onSettled: () => this.#device.title.restore(),
    });
    this.#keyGate = new StartupKeyGate({
      clock: io.clock,
      write: this.terminal.write,
      deliver: (events, isSeen) => {
        if (this.#shown !== undefined) router.handleEvents(this.#shown, events, isSeen);
      },
    });
    this.#lifecycle = this.#newLifecycle();
    this.#handover = terminalHandover(this.#lifecycle, this.output, io.clock, options.onResumed);
    const {promise: quitRequested, resolve: quit} = Promise.withResolvers<void>();
    this.quitRequested = quitRequested;
    this.#device = this.#newDevice(quit);
    this.terminal.adapt();
    this.terminal.keys.onEvents((events) => this.#handleEvents(events));
    this.terminal.keys.onEnd(() => this.#lifecycle.lost());
    this.keyGuide = makeKeyGuide(router.keymap, router.commands);
  }

  #newLifecycle(): TerminalLifecycle {
    const {keys, output, images, modes, probe} = this.terminal;
    return new TerminalLifecycle({
      host: process,
      clock: this.#options.io.clock,
      writeNow: (text) => writeNow(1, text),
      setRawMode: (isRaw) => process.stdin.setRawMode(isRaw),
      enter: () => modes.enter(this.#hasPicture) + (this.#hasPicture ? '' : probe.startQuery()),
      leave: () => images.removal() + modes.leave(),
      onLeave: () => {
        keys.stop();
        this.#device.title.forget();
        output.mute();
      },
      onEnter: () => {
        output.unmute();
        images.terminalReset();
        keys.start();
        this.#redraw(false);
        this.#shapeCursor();
      },
      onEnd: this.#options.save,
      afterEnd: this.#options.afterEnd,
    });
  }

  #newDevice(quit: () => void): TerminalDevice {
    const {env, paths} = this.#options.io;
    const parts: TerminalDeviceParts = {
      env,
      environment: this.terminal.environment,
      capabilities: () => this.terminal.probe.capabilities,
      write: this.terminal.write,
      runtimeDirectory: paths.runtime,
      stateDirectory: paths.state,
      lend: (body) => this.#handover.lend(body),
      redraw: () => this.#redraw(true),
      suspend: () => void this.#handover.suspend(),
      quit,
    };
    return deviceOf(this.#options.io, parts, (sentence) => this.#shown?.toast(sentence, 'warning'));
  }

  get output() {
    return this.terminal.output;
  }

  get size(): Size {
    return this.output.size;
  }

  get displayOptions() {
    return this.terminal.displayOptions;
  }

  get shown(): App | undefined {
    return this.#shown;
  }

  #handleEvents(events: readonly InputEvent[]): void {
    for (const event of events) {
      this.terminal.probe.handleEvent(event);
      if (event.kind === 'focus') for (const app of this.#apps) app.set({hasWindowFocus: event.gained});
    }
    this.#keyGate.handleEvents(events);
  }

  #shapeCursor(): void {
    this.terminal.modes.shapeCursor(this.#shown !== undefined && inputMode(this.#shown.screen) === 'WRITE');
  }

  /** Sets the modes of a terminal that may be another one, queries it, and clears the screen and Ink's record of it. */
  #repeatModes(): void {
    if (!this.#lifecycle.hasTerminal) return;
    const {keys, modes, probe, images, write} = this.terminal;
    this.#device.title.forget();
    keys.setKittyFlags(0);
    write(modes.repeat() + probe.startQuery());
    images.terminalReset();
    this.#shapeCursor();
    this.#ink?.clear();
  }

  /**
   * Draws everything again. With `isDirty`, other programs may have written to the screen, or the terminal may be another one,
   * so its modes are set again.
   */
  #redraw(isDirty: boolean): void {
    if (this.#ink === undefined || this.#shown === undefined) return;
    if (isDirty) this.#repeatModes();
    else this.#ink.clear();
    this.#ink.rerender(tree(this.#shown));
  }

  /** Writes all rows again: those that were written before keep the characters and the order of that time. */
  #rewriteRows(): void {
    this.terminal.write(this.#ink === undefined ? '' : clearedScreen);
    this.terminal.images.terminalReset();
    this.#redraw(false);
  }

  /** Runs with each painted frame. */
  #onPaint(app: App): void {
    this.#memory?.onPaint();
    this.#keyGate.onPaint(app, hasServerState(app.frames.paintedFrame.account));
    this.#shapeCursor();
  }

  /** Takes over the terminal and paints the first frame. */
  #open(first: App): void {
    const picture = startPicture();
    this.#hasPicture = picture?.takeOver !== undefined;
    this.#lifecycle.enter();
    picture?.takeOver?.();
    if (this.#hasPicture) {
      this.#keyGate.onPicture(first);
      // Written together with the first frame, so that the terminal does not show an empty screen.
      this.terminal.write(this.terminal.probe.startQuery() + clearedScreen);
    }
    this.#hasPicture = false;
    this.output.watchSize(this.#options.io.clock, (size) => this.#resize(size), process);
    this.#endFrameNames = nameFrames();
    this.#ink = render(tree(first), {
      stdout: this.output.stream,
      stdin: stubStdin(),
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 1000,
      incrementalRendering: true,
    });
  }

  #resize(size: Size): void {
    // The terminal may have reflowed the old frame, or be another one: dtach and abduco announce it this way.
    this.#repeatModes();
    for (const app of this.#apps) app.set(dividedScreen(size, app.screen.tour?.instruction));
    // Painted before Ink redraws: its old frame does not have the new size.
    this.#shown?.frames.paintNow();
  }

  async runSelf(args: readonly string[]): Promise<void> {
    refuseOverSsh(this.#options.io, 'machine');
    const command = programCommand();
    await this.#handover.lend(() => runInTerminal(command.file, [...command.args, ...args]));
  }

  /** Returns the terminal for one of the apps: only the app that is shown may set the window title. */
  deviceFor(appOf: () => App): Device {
    const device = this.#device;
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
  add(app: App, files: ImageFiles): void {
    this.#apps.add(app);
    this.terminal.images.add(app, files);
    app.onEnd(() => {
      this.#apps.delete(app);
      this.#titles.delete(app);
    });
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
    if (title !== undefined) this.#device.setTitle(title);
    if (isFirst) this.#open(app);
    else this.#ink?.rerender(tree(app));
    this.#onPaint(app);
  }

  /** Resolves when the first frame has been written. */
  async whenPainted(): Promise<void> {
    await this.output.whenDrained();
    await new Promise((resolve) => setImmediate(resolve));
    saveCompiledCode();
    const {clock, restriction} = this.#options.io;
    if (restriction === undefined) this.#memory = memoryLimiter(clock);
    else if (restriction.collectGarbage !== undefined) {
      // There are many sessions, so less garbage is worth a collection.
      const host = {...v8Host, collect: restriction.collectGarbage, minGarbageBytes: 2 * 1024 * 1024};
      this.#memory = memoryLimiter(clock, host);
    }
    this.#memory?.onPaint();
    this.terminal.askTmux();
  }

  close(): void {
    this.#unsubscribeFrames();
    this.#ink?.unmount();
    this.#endFrameNames();
    this.terminal.probe.stop();
    this.#keyGate.stop();
    this.#memory?.stop();
    this.#lifecycle.leave();
    this.output.close();
    if (!this.#options.isAlternate) writeNow(1, `\u001b[${this.size.rows};1H\n`);
  }
}

function tree(app: App) {
  return (
    <AppContext value={app}>
      <Screen key={app.info.accountName} />
    </AppContext>
  );
}
