import type {UndoStack} from '#app/undo/undo-stack.ts';
import {type FetchStates, fetchId, noFetches, watchFetches} from '#state/fetches/fetch-state.ts';
import type {Session} from '#state/session.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import type {Clock} from '#std/clock.ts';
import {composed} from '#std/composed-text.ts';
import {isAwaited} from '#ui/core/app-reader.ts';
import {
  type AppInfo,
  type DisplayOptions,
  type Frame,
  type ImageLoader,
  shownToast,
  type View,
} from '#ui/core/frame.ts';
import {type OverlayState, readsOf} from '#ui/core/overlay.ts';
import type {ScreenState, Toast} from '#ui/core/screen-state.ts';
import {type ToastMessage, toastMessage} from '#ui/core/toast-message.ts';
import {FrameScheduler} from './frame-scheduler.ts';
import {
  type Accounts,
  type AppSettings,
  type ComposerPersistence,
  type Device,
  type LocalSettings,
  noLocalSettings,
  onlyAccount,
  type RulesFile,
} from './host.ts';

const toastMs = 6000;
const minuteMs = 60_000;
/** The time in which the content of an opened view mostly arrives. */
const fillingMs = 1500;

/** The functions of features that App calls. App receives them, so that it imports no feature. */
export interface AppFeatures {
  /** Creates the undo history of an app under construction. */
  readonly undoStack: (app: App) => UndoStack;
  /** Runs after the main pane changed to another view, or opened the same view again. */
  readonly viewOpened: (app: App, from: View) => void;
  /** Runs after the state or the result of a fetch changed; `before` is the frame before that. */
  readonly fetchChanged: (app: App, before: Frame) => void;
}

/** The fields of the screen state that have fields themselves. */
type PartName = {[K in keyof ScreenState]-?: ScreenState[K] extends object ? K : never}[keyof ScreenState];

/** The parts that an App is created from. */
interface AppOptions {
  readonly session: Session;
  readonly features: AppFeatures;
  readonly screen: ScreenState;
  readonly display: DisplayOptions;
  readonly info: AppInfo;
  readonly settings: AppSettings;
  readonly device: Device;
  readonly clock: Clock;
  /**
   * Runs before each paint and returns the screen to paint, so that the rows on screen stay where the user saw them.
   */
  readonly prepareScreen: (next: Frame, last: Frame | undefined) => ScreenState;
  readonly composerPersistence: (app: App) => ComposerPersistence;
  readonly accounts?: Accounts | undefined;
  readonly localSettings?: LocalSettings | undefined;
  readonly rulesFile?: RulesFile | undefined;
  /** Asks for a new API key for this account, and continues with it. */
  readonly logIn?: (() => void) | undefined;
  /** Makes a new API key and continues with it. Resolves with why it could not be saved for the next start, if so. */
  readonly replaceKey?: (() => Promise<string | undefined>) | undefined;
  /** The terminal's side of painting: see `FrameSource`. */
  readonly isBlocked: () => boolean;
  readonly whenDrained: (task: () => void) => void;
}

/**
 * One account on the screen: the session, the state of the screen, and the scheduler that paints both.
 * Commands and panes are functions over App; App imports none of them.
 */
export class App {
  readonly session: Session;
  readonly device: Device;
  readonly clock: Clock;
  readonly info: AppInfo;
  readonly accounts: Accounts;
  readonly logIn: () => void;
  readonly replaceKey: () => Promise<string | undefined>;
  readonly localSettings: LocalSettings;
  /** Undefined where there are no rules. */
  readonly rulesFile: RulesFile | undefined;
  readonly frames: FrameScheduler;
  readonly undoStack: UndoStack;
  readonly composerPersistence: ComposerPersistence;
  /** Undefined where no images are shown, and until it is known whether they are. */
  imageLoader: ImageLoader | undefined;
  #screen: ScreenState;
  #display: DisplayOptions;
  #settings: AppSettings;
  #last: Frame | undefined;
  #fetches: FetchStates = noFetches;
  /** Ends the reading of each request of the open overlays, by its id. */
  readonly #readings = new Map<string, () => void>();
  #toasts = 0;
  #viewOpenedAt = Number.NEGATIVE_INFINITY;
  #cancelToast: (() => void) | undefined;
  #cancelMinute: (() => void) | undefined;
  readonly #features: AppFeatures;
  readonly #endTasks: (() => void)[] = [];
  readonly #prepareScreen: AppOptions['prepareScreen'];

  constructor(options: AppOptions) {
    const {session, features, screen, display, info, settings, device, clock, prepareScreen, ...terminal} = options;
    const {accounts = onlyAccount, logIn = () => {}, localSettings = noLocalSettings} = options;
    const {replaceKey = async () => undefined} = options;
    this.session = session;
    this.device = device;
    this.clock = clock;
    this.info = info;
    this.accounts = accounts;
    this.logIn = logIn;
    this.replaceKey = replaceKey;
    this.localSettings = localSettings;
    this.rulesFile = options.rulesFile;
    this.#settings = settings;
    this.#screen = screen;
    this.#display = display;
    this.#prepareScreen = prepareScreen;
    this.#features = features;
    this.undoStack = features.undoStack(this);
    const heldMs = (painted: Frame) => this.#heldMs(painted);
    this.frames = new FrameScheduler({frame: (last) => this.#nextFrame(last), heldMs, ...terminal}, clock);
    this.#endTasks.push(session.cache.subscribe(shownSlices(session.cache.state), () => this.frames.paintSoon()));
    this.#endTasks.push(
      watchFetches(session.cache.client, (fetches) => {
        const before = this.frame;
        this.#fetches = fetches;
        features.fetchChanged(this, before);
        this.frames.paintSoon();
      }),
      () => this.#read([]),
    );
    this.composerPersistence = options.composerPersistence(this);
    this.#tick();
  }

  get state(): AccountState {
    return this.session.cache.state;
  }

  get screen(): ScreenState {
    return this.#screen;
  }

  get display(): DisplayOptions {
    return this.#display;
  }

  /** Whether this account is the one on the screen. */
  get isOnScreen(): boolean {
    return this.accounts.isShown?.(this.info.accountName) ?? true;
  }

  get settings(): AppSettings {
    return this.#settings;
  }

  /** Changes settings until the program ends; `localSettings` writes them for later starts. */
  changeSettings(fields: Partial<AppSettings>): void {
    this.#settings = {...this.#settings, ...fields};
  }

  /** The frame as it would be painted now; it may be newer than the painted one. */
  get frame(): Frame {
    return this.#frame();
  }

  /**
   * Replaces the screen state: the only way to change it. The key that caused the change paints it, or the
   * scheduler does soon.
   */
  update(change: (screen: ScreenState) => ScreenState): void {
    const before = this.#screen;
    const next = change(before);
    if (next === before) return;
    this.#screen = next;
    if (next.overlays !== before.overlays) this.#read(next.overlays);
    this.frames.paintSoon();
  }

  set(fields: Partial<ScreenState>): void {
    this.update((screen) => ({...screen, ...fields}));
  }

  /** Replaces fields of one part of the screen state. */
  setIn<K extends PartName>(part: K, fields: Partial<ScreenState[K]>): void {
    this.update((screen) => ({...screen, [part]: {...screen[part], ...fields}}));
  }

  setDisplay(fields: Partial<DisplayOptions>): void {
    this.#display = {...this.#display, ...fields};
    this.frames.paintSoon();
  }

  openOverlay(overlay: OverlayState): void {
    this.update((screen) => ({...screen, overlays: [...screen.overlays, overlay]}));
  }

  /** Closes the topmost overlay. */
  closeOverlay(): void {
    const top = this.#screen.overlays.at(-1);
    if (top === undefined) return;
    this.update((screen) => ({...screen, overlays: screen.overlays.slice(0, -1)}));
    if (top.kind === 'form') top.form.onClose?.(this);
    else (top.kind === 'picker' ? top.picker : top.card).onClose?.(this);
  }

  /** Replaces the topmost overlay. */
  changeOverlay<O extends OverlayState>(overlay: O): void {
    this.update((screen) => ({...screen, overlays: [...screen.overlays.slice(0, -1), overlay]}));
  }

  /** Shows a text for a while. */
  toast(written: string | ToastMessage, tone: Toast['tone'] = 'plain', ms = toastMs): void {
    this.#cancelToast?.();
    const message = toastMessage(written);
    this.set({toast: {...shownToast(this.frame, message), message, tone, id: ++this.#toasts}});
    this.#cancelToast = this.clock.after(ms, () => this.set({toast: undefined}));
  }

  /** Shows why something cannot be done, if there is a reason. Returns whether there is. */
  warn(problem: string | undefined): problem is string {
    if (problem !== undefined) this.toast(problem, 'warning');
    return problem !== undefined;
  }

  /**
   * Notifies the features that another view is shown; `from` is the previous view. Called by every function
   * that opens views.
   */
  viewOpened(from: View): void {
    this.#viewOpenedAt = this.clock.monotonic();
    this.#features.viewOpened(this, from);
  }

  /** Registers a function that runs when the app ends, for listeners and timers. */
  onEnd(task: () => void): void {
    this.#endTasks.push(task);
  }

  /** Runs the function after each paint until the app ends. */
  afterPaint(task: () => void): void {
    this.onEnd(this.frames.subscribe(task));
  }

  end(): void {
    this.#cancelToast?.();
    this.#cancelMinute?.();
    for (const task of this.#endTasks.splice(0)) task();
    this.frames.stop();
  }

  #nextFrame(last: Frame | undefined): Frame {
    this.#screen = this.#prepareScreen(this.#frame(), last);
    return this.#frame();
  }

  /** Fetches what the overlays read, and lets go of what others read before. */
  #read(overlays: readonly OverlayState[]): void {
    const requests = new Map(overlays.flatMap(readsOf).map((request) => [fetchId(request.key), request]));
    for (const [id, stop] of this.#readings) {
      if (requests.has(id)) continue;
      this.#readings.delete(id);
      stop();
    }
    for (const [id, request] of requests) {
      if (this.#readings.has(id)) continue;
      // Noted first: to observe it changes the fetches, which may change the overlays.
      this.#readings.set(id, () => {});
      this.#readings.set(id, this.session.queries.observe(request));
    }
  }

  /** Returns how long changes are held for a screen reader. A view that was just opened is still being filled. */
  #heldMs(painted: Frame): number {
    const {heldMs} = this.#display;
    if (heldMs === undefined) return 0;
    const now = this.clock.monotonic();
    if (painted.account.connection.phase === 'starting') this.#viewOpenedAt = now;
    const isFilling = now - this.#viewOpenedAt < fillingMs;
    return isFilling || isAwaited(this.#frame(), painted) ? 0 : heldMs;
  }

  /** Returns the same object while nothing changed, so that nothing is painted in vain. */
  #frame(): Frame {
    const account = this.session.cache.state;
    const minute = Math.floor(this.clock.now() / minuteMs) * minuteMs;
    const organizations = this.accounts.together?.(this.info.accountName);
    const others = organizations?.all.flatMap(({frame}) => frame ?? []) ?? [];
    const canUndo = this.undoStack.canUndo || others.some((other) => other.canUndo);
    const canRedo = this.undoStack.canRedo || others.some((other) => other.canRedo);
    const last = this.#last;
    if (
      last?.account === account &&
      last.fetches === this.#fetches &&
      last.screen === this.#screen &&
      last.display === this.#display &&
      last.minute === minute &&
      last.canUndo === canUndo &&
      last.canRedo === canRedo &&
      last.organizations === organizations
    ) {
      return last;
    }
    this.#last = {
      account,
      fetches: this.#fetches,
      screen: this.#screen,
      display: this.#display,
      minute,
      info: this.info,
      canUndo,
      canRedo,
      organizations,
    };
    return this.#last;
  }

  #tick(): void {
    const untilNext = minuteMs - (this.clock.now() % minuteMs);
    this.#cancelMinute = this.clock.after(untilNext, () => {
      this.frames.paintSoon();
      this.#tick();
    });
  }
}

/** Returns all slices of the state except those that no pane shows. */
function shownSlices(state: AccountState): readonly SliceName[] {
  return (Object.keys(state) as SliceName[]).filter((name) => name !== 'log' && name !== 'arrivals');
}

/**
 * Reads a small value of the screen's state that is saved as JSON. A value that cannot be read or written
 * never stops the program: none of them contains text of the user.
 */
export function readPersistedValue<T>(app: App, name: string, read: (value: unknown) => T): T {
  try {
    const json = app.session.context.store.keyValues.get(name);
    return read(json === undefined ? undefined : JSON.parse(json));
  } catch {
    return read(undefined);
  }
}

/** Saves a value; returns false when writing to disk failed. */
export function persistValue(app: App, name: string, value: unknown): boolean {
  try {
    app.session.context.store.keyValues.set(name, JSON.stringify(value));
    return true;
  } catch (error) {
    app.session.context.log(composed`Could not save “${name}”`, error);
    return false;
  }
}

declare module '#ui/core/owner.ts' {
  /** The keys of every overlay act on an App. */
  interface Owner extends App {}
}
