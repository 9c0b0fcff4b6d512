import {type Instance, render} from 'ink';
import type {App} from '#app/core/app.ts';
import type {Device} from '#app/core/host.ts';
import type {ImageFiles} from '#app/images/image-store.ts';
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
import {escapeTimeoutMs, terminalEnvironment, withReportedProgram} from '#terminal/environment.ts';
import {KeySource} from '#terminal/input/key-source.ts';
import {stubStdin} from '#terminal/input/stub-stdin.ts';
import {type EndReason, TerminalLifecycle} from '#terminal/lifecycle.ts';
import {clearedScreen, keyboardMode, textOrderMode} from '#terminal/modes.ts';
import {TerminalProbe} from '#terminal/probe.ts';
import {programRunner, runInTerminal} from '#terminal/run-program.ts';
import {StartupKeyGate} from '#terminal/startup-key-gate.ts';
import {TerminalOutput} from '#terminal/terminal-output.ts';
import {outerProgram, passesThrough} from '#terminal/tmux.ts';
import {writeNow} from '#terminal/write-now.ts';
import type {Size} from '#ui/core/screen-state.ts';
import {AppContext} from '#ui/hooks/use-select.ts';
import {dividedScreen} from '#ui/layout/layout.ts';
import {Screen} from '#ui/Screen.tsx';
import {type DisplayPreferences, resolveDisplayOptions} from './app-settings.ts';
import {memoryLimiter} from './memory-limiter.ts';
import {imageChoice, screenImages} from './screen-images.ts';
import {screenModes} from './screen-modes.ts';
import {terminalDevice, terminalHandover} from './terminal-device.ts';

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

export type ScreenHost = ReturnType<typeof screenHost>;

/**
 * Owns the terminal from the first frame to the last, and shows an app on it. The apps of all open accounts
 * stay alive; one of them has the screen and the keys.
 */
export function screenHost({io, isAlternate, router, ...options}: ScreenHostOptions) {
  const {env, clock} = io;
  const guessedEnvironment = terminalEnvironment(env, io.outputIsTty);
  const environment = () => withReportedProgram(guessedEnvironment, probe.capabilities.program);
  const apps = new Set<App>();
  const titles = new Map<App, string>();
  let preferences = options.displayPreferences;
  let shown: App | undefined;
  let ink: Instance | undefined;
  let memory: ReturnType<typeof memoryLimiter> | undefined;
  let hasPicture = false;
  let unsubscribeFrames = () => {};

  const output = new TerminalOutput(process.stdout, () => lifecycle.lost());
  const write = (sequence: string) => void output.write(sequence);
  const keys = new KeySource({stdin: process.stdin, clock, escapeTimeoutMs: escapeTimeoutMs(guessedEnvironment)});
  const probe: TerminalProbe = new TerminalProbe({
    environment: guessedEnvironment,
    // Written by `saveStartPicture`.
    known: startPicture()?.capabilities as Capabilities | undefined,
    clock,
    onChange: ({isSettled}) => {
      updateDisplay();
      if (isSettled) device.title.restore();
    },
    onKeyboard: (protocol) => {
      write(keyboardMode(protocol));
      keys.setKittyFlags(protocol === 'kitty' ? kittyFlags : 0);
    },
  });
  let displayOptions = resolveDisplayOptions(preferences, probe.capabilities, env);
  setClusterWidths(displayOptions.clusterWidths ?? {});
  const modes = screenModes(output, keys, environment, () => {
    const {isMouseOn = false, panes} = shown?.screen ?? {};
    const ordersText = displayOptions.bidi === 'reorder' && probe.capabilities.bidi === 'switchable';
    return {alternateScreen: isAlternate, mouse: isMouseOn && panes?.isBare !== true, ordersText};
  });
  const images = screenImages(clock, write, Math.floor(io.random() * 256));
  const keyGate = new StartupKeyGate({
    clock,
    write,
    deliver: (events, isSeen) => {
      if (shown !== undefined) router.handleEvents(shown, events, isSeen);
    },
  });
  const lifecycle = new TerminalLifecycle({
    host: process,
    clock,
    writeNow: (text) => writeNow(1, text),
    setRawMode: (isRaw) => process.stdin.setRawMode(isRaw),
    enter: () => modes.enter(hasPicture) + (hasPicture ? '' : probe.startQuery()),
    leave: () => images.removal() + modes.leave(),
    onLeave: () => {
      keys.stop();
      device.title.forget();
      output.mute();
    },
    onEnter: () => {
      output.unmute();
      images.terminalReset();
      keys.start();
      redraw(false);
      shapeCursor();
    },
    onEnd: options.save,
    afterEnd: options.afterEnd,
  });
  const handover = terminalHandover(lifecycle, output, clock, options.onResumed);
  const {promise: quitRequested, resolve: quit} = Promise.withResolvers<void>();
  const device = terminalDevice({
    env,
    environment,
    capabilities: () => probe.capabilities,
    write,
    runtimeDirectory: pathsOf(env, io.home).runtime,
    lend: (body) => handover.lend(body),
    redraw: () => redraw(true),
    suspend: () => void handover.suspend(),
    quit,
  });

  const shapeCursor = () => modes.shapeCursor(shown !== undefined && inputMode(shown.screen) === 'WRITE');
  /** Sets the modes of a terminal that may be another one, queries it, and clears the screen and Ink's record of it. */
  const repeatModes = () => {
    if (!lifecycle.hasTerminal) return;
    device.title.forget();
    keys.setKittyFlags(0);
    write(modes.repeat() + probe.startQuery());
    images.terminalReset();
    shapeCursor();
    ink?.clear();
  };
  /**
   * Draws everything again. With `isDirty`, other programs may have written to the screen, or the terminal may be another one,
   * so its modes are set again.
   */
  const redraw = (isDirty: boolean) => {
    if (ink === undefined || shown === undefined) return;
    if (isDirty) repeatModes();
    else ink.clear();
    ink.rerender(tree(shown));
  };
  /** Adapts output and input to what is known of the terminal. */
  const adaptOutput = () => {
    const {capabilities} = probe;
    output.setSynchronized(capabilities.synchronizedOutput !== false);
    keys.setBracketedPaste(capabilities.bracketedPaste === true);
    const choice = imageChoice(preferences, displayOptions, capabilities, environment());
    images.choose(choice, output.size, preferences.imageRows);
    const own = guessedEnvironment.charset === 'latin-1' ? 'latin-1' : 'ascii';
    if (!modes.adapt(capabilities.isUtf8 || preferences.glyphs === 'unicode' ? 'utf-8' : own)) return;
    // Rows that were written before keep the characters and the order of that time.
    write(ink === undefined ? '' : clearedScreen);
    images.terminalReset();
    redraw(false);
  };
  const updateDisplay = () => {
    const next = resolveDisplayOptions(preferences, probe.capabilities, env);
    if (!deepEqual(next, displayOptions)) {
      displayOptions = next;
      setClusterWidths(next.clusterWidths ?? {});
      for (const app of apps) app.setDisplay(next);
    }
    adaptOutput();
  };
  /** Runs with each painted frame. */
  const onPaint = (app: App) => {
    memory?.onPaint();
    keyGate.onPaint(app, hasServerState(app.frames.paintedFrame.account));
    shapeCursor();
  };
  const open = (first: App) => {
    const picture = startPicture();
    hasPicture = picture?.takeOver !== undefined;
    lifecycle.enter();
    picture?.takeOver?.();
    if (hasPicture) {
      keyGate.onPicture(first);
      // Written together with the first frame, so that the terminal does not show an empty screen.
      write(probe.startQuery() + clearedScreen);
    }
    hasPicture = false;
    const onResize = (size: Size) => {
      // The terminal may have reflowed the old frame, or be another one: dtach and abduco announce it this way.
      repeatModes();
      for (const app of apps) app.set(dividedScreen(size, app.screen.tour?.instruction));
      // Painted before Ink redraws: its old frame does not have the new size.
      shown?.frames.paintNow();
    };
    output.watchSize(clock, onResize, process);
    ink = render(tree(first), {
      stdout: output.stream,
      stdin: stubStdin(),
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 1000,
      incrementalRendering: true,
    });
  };

  adaptOutput();
  keys.onEvents((events) => {
    for (const event of events) {
      probe.handleEvent(event);
      if (event.kind === 'focus') for (const app of apps) app.set({hasWindowFocus: event.gained});
    }
    keyGate.handleEvents(events);
  });
  keys.onEnd(() => lifecycle.lost());

  return {
    output,
    /** The keys of each command, for hints and help. */
    keyGuide: makeKeyGuide(router.keymap, router.commands),
    /** Resolves when the user quits. */
    quitRequested,
    get size() {
      return output.size;
    },
    get displayOptions() {
      return displayOptions;
    },
    get shown() {
      return shown;
    },
    /** What is known of the terminal, if `launcher.cjs` can paint on it. */
    get pictureCapabilities(): Capabilities | undefined {
      // The picture is replaced by the first frame: a screen reader would speak both.
      if (preferences.screenReader !== 'off') return undefined;
      const canPaint = isAlternate && environment().kind === 'xterm' && modes.isUtf8;
      return canPaint ? probe.capabilities : undefined;
    },
    /** The modes that the picture of the next start needs. */
    get pictureModes() {
      return modes.ordersText ? textOrderMode(true) : '';
    },
    runSelf: async (args: readonly string[]) => {
      const command = programCommand();
      await handover.lend(() => runInTerminal(command.file, [...command.args, ...args]));
    },
    /** Changes the user's display preferences, which win over the terminal's replies. */
    setDisplayPreferences: (fields: Partial<DisplayPreferences>) => {
      preferences = {...preferences, ...fields};
      updateDisplay();
    },
    /** Returns the terminal for one of the apps: only the app that is shown may set the window title. */
    deviceFor: (appOf: () => App): Device => ({
      ...device,
      get reportsShiftEnter() {
        return device.reportsShiftEnter;
      },
      setTitle: (title) => {
        titles.set(appOf(), title);
        if (shown === appOf()) device.setTitle(title);
      },
    }),
    /** Registers an app, which from now on is updated with the terminal's size and capabilities. */
    add: (app: App, files: ImageFiles) => {
      apps.add(app);
      images.add(app, files);
      app.onEnd(() => {
        apps.delete(app);
        titles.delete(app);
      });
    },
    /** Shows an app. The first one takes over the terminal. `isSeen`: the screen has content of it already. */
    show: (app: App, isSeen = false) => {
      const isFirst = shown === undefined;
      shown = app;
      if (isSeen) keyGate.noteSeen(app);
      unsubscribeFrames();
      unsubscribeFrames = app.frames.subscribe(() => onPaint(app));
      app.frames.announce();
      const title = titles.get(app);
      if (title !== undefined) device.setTitle(title);
      if (isFirst) open(app);
      else ink?.rerender(tree(app));
      onPaint(app);
    },
    /** Resolves when the first frame has been written. */
    whenPainted: async () => {
      await output.whenDrained();
      await new Promise((resolve) => setImmediate(resolve));
      saveCompiledCode();
      memory = memoryLimiter(clock);
      memory.onPaint();
      if (!guessedEnvironment.hasTmuxCommand) return;
      // The terminal around tmux decides how notifications and images are sent. The answer may come later.
      const run = programRunner(env);
      Promise.all([outerProgram(run), passesThrough(run)]).then(([program, isPassed]) => {
        if (program === undefined) return;
        probe.updateCapabilities(withOuterProgram(probe.capabilities, program, isPassed));
      });
    },
    close: () => {
      unsubscribeFrames();
      ink?.unmount();
      probe.stop();
      keyGate.stop();
      memory?.stop();
      lifecycle.leave();
      output.close();
      if (!isAlternate) writeNow(1, `\u001b[${output.size.rows};1H\n`);
    },
  };
}

function tree(app: App) {
  return (
    <AppContext value={app}>
      <Screen key={app.info.accountName} />
    </AppContext>
  );
}
