import type {Session} from '#state/session.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import type {Clock} from '#std/clock.ts';
import {type Accounts, onlyAccount} from './accounts.ts';
import type {ComposerPersistence} from './composer-persistence.ts';
import type {Device} from './device.ts';
import type {AppInfo, DisplayOptions, Frame} from './frame.ts';
import {FrameScheduler} from './frame-scheduler.ts';
import type {OverlayState} from './overlay.ts';
import type {ScreenState} from './screen-state.ts';
import {type AppSettings, type SaveSetting, savedUntilExit} from './settings.ts';
import type {Toast} from './toasts.ts';
import type {UndoStack} from './undo-stack.ts';
import type {View} from './view.ts';

const toastMs = 6000;
const minuteMs = 60_000;

/** The functions of features that App needs: it is given them, so that it imports no feature. */
export interface AppFeatures {
  /** Makes the undo history of an app that is being built. */
  readonly undoStack: (app: App) => UndoStack;
  /** Runs after the main pane has gone from one view to another, or to the same one again. */
  readonly viewOpened: (app: App, from: View) => void;
}

export interface AppOptions {
  readonly session: Session;
  readonly features: AppFeatures;
  readonly screen: ScreenState;
  readonly display: DisplayOptions;
  readonly info: AppInfo;
  readonly settings: AppSettings;
  readonly device: Device;
  readonly clock: Clock;
  /** Runs before each picture and returns the screen to show, so that what was seen stays where it was seen. */
  readonly settle: (next: Frame, last: Frame | undefined) => ScreenState;
  readonly composerKeeper: (app: App) => ComposerPersistence;
  readonly accounts?: Accounts | undefined;
  /** For the next start, too. */
  readonly saveSetting?: SaveSetting | undefined;
  /** Asks for a new key for this account, and goes on with it. */
  readonly logIn?: (() => void) | undefined;
  /** The terminal's side: see `Frames`. */
  readonly isBlocked: () => boolean;
  readonly whenDrained: (task: () => void) => void;
}

/**
 * One account on the screen: the session, the state of the screen, and what shows both. Commands and panes are functions
 * over it; it has no knowledge of any of them.
 */
export class App {
  readonly session: Session;
  readonly device: Device;
  readonly clock: Clock;
  readonly info: AppInfo;
  readonly accounts: Accounts;
  readonly logIn: () => void;
  readonly saveSetting: SaveSetting;
  readonly frames: FrameScheduler;
  readonly undoStack: UndoStack;
  readonly composerKeeper: ComposerPersistence;
  #screen: ScreenState;
  #looks: DisplayOptions;
  #settings: AppSettings;
  #last: Frame | undefined;
  #toasts = 0;
  #cancelToast: (() => void) | undefined;
  #cancelMinute: (() => void) | undefined;
  readonly #features: AppFeatures;
  readonly #leaving: (() => void)[] = [];
  readonly #settle: AppOptions['settle'];

  constructor(options: AppOptions) {
    const {
      session,
      features,
      screen,
      display: looks,
      info: facts,
      settings,
      device,
      clock,
      settle,
      ...terminal
    } = options;
    const {
      accounts = onlyAccount,
      logIn = () => {},
      saveSetting: keepSetting = () => savedUntilExit,
    } = options;
    this.session = session;
    this.device = device;
    this.clock = clock;
    this.info = facts;
    this.accounts = accounts;
    this.logIn = logIn;
    this.saveSetting = keepSetting;
    this.#settings = settings;
    this.#screen = screen;
    this.#looks = looks;
    this.#settle = settle;
    this.#features = features;
    this.undoStack = features.undoStack(this);
    this.frames = new FrameScheduler({frame: (last) => this.#picture(last), ...terminal}, clock);
    this.#leaving.push(
      session.cache.subscribe(shownSlices(session.cache.state), () => this.frames.paintSoon()),
    );
    this.composerKeeper = options.composerKeeper(this);
    this.#tick();
  }

  get state(): AccountState {
    return this.session.cache.state;
  }

  get screen(): ScreenState {
    return this.#screen;
  }

  get display(): DisplayOptions {
    return this.#looks;
  }

  get settings(): AppSettings {
    return this.#settings;
  }

  /** For as long as the program runs; `keepSetting` is for longer. */
  changeSettings(fields: Partial<AppSettings>): void {
    this.#settings = {...this.#settings, ...fields};
  }

  /** The frame as it would be shown now, perhaps newer than the one that is. */
  get frame(): Frame {
    return this.#frame();
  }

  /** The one way in which the screen changes. Shown with the key that caused it, or soon. */
  update(change: (screen: ScreenState) => ScreenState): void {
    const next = change(this.#screen);
    if (next === this.#screen) return;
    this.#screen = next;
    this.frames.paintSoon();
  }

  set(fields: Partial<ScreenState>): void {
    this.update((screen) => ({...screen, ...fields}));
  }

  setDisplay(fields: Partial<DisplayOptions>): void {
    this.#looks = {...this.#looks, ...fields};
    this.frames.paintSoon();
  }

  openOverlay(overlay: OverlayState): void {
    this.update((screen) => ({...screen, overlays: [...screen.overlays, overlay]}));
  }

  /** The one on top. */
  closeOverlay(): void {
    const top = this.#screen.overlays.at(-1);
    if (top === undefined) return;
    this.update((screen) => ({...screen, overlays: screen.overlays.slice(0, -1)}));
    (top.kind === 'picker' ? top.picker : top.card).onClose?.(this);
  }

  /** Takes the place of the one on top, if that is still of the same kind. */
  changeOverlay<O extends OverlayState>(overlay: O): void {
    this.update((screen) => ({...screen, overlays: [...screen.overlays.slice(0, -1), overlay]}));
  }

  toast(text: string, tone: Toast['tone'] = 'plain', ms = toastMs): void {
    this.#cancelToast?.();
    this.set({toast: {text, tone, id: ++this.#toasts}});
    this.#cancelToast = this.clock.after(ms, () => this.set({toast: undefined}));
  }

  /** Tells the features that another view is shown; `from` is the one before. Called by whatever opens views. */
  viewOpened(from: View): void {
    this.#features.viewOpened(this, from);
  }

  /** Runs with the app's end; for listeners and timers of its parts. */
  onEnd(leave: () => void): void {
    this.#leaving.push(leave);
  }

  end(): void {
    this.#cancelToast?.();
    this.#cancelMinute?.();
    for (const leave of this.#leaving.splice(0)) leave();
    this.frames.stop();
  }

  #picture(last: Frame | undefined): Frame {
    this.#screen = this.#settle(this.#frame(), last);
    return this.#frame();
  }

  /** The same object while nothing changed, so that nothing is painted in vain. */
  #frame(): Frame {
    const account = this.session.cache.state;
    const minute = Math.floor(this.clock.now() / minuteMs) * minuteMs;
    const last = this.#last;
    if (
      last?.account === account &&
      last.screen === this.#screen &&
      last.display === this.#looks &&
      last.minute === minute
    ) {
      return last;
    }
    this.#last = {account, screen: this.#screen, display: this.#looks, minute, info: this.info};
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

/** All but what no picture shows. */
function shownSlices(state: AccountState): readonly SliceName[] {
  return (Object.keys(state) as SliceName[]).filter((name) => name !== 'log' && name !== 'arrivals');
}
