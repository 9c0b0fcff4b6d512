import {appFeatures} from '#app/app-features.ts';
import {ComposerSaver, flushComposer} from '#app/compose/composer-saver.ts';
import {watchComposer} from '#app/compose/composer-watcher.ts';
import type {Accounts} from '#app/core/accounts.ts';
import {App} from '#app/core/app.ts';
import type {Device} from '#app/core/device.ts';
import type {DisplayOptions} from '#app/core/frame.ts';
import type {KeyGuide} from '#app/core/key-guide.ts';
import {newScreen} from '#app/core/new-screen.ts';
import type {Size} from '#app/core/screen-state.ts';
import {type LocalSetting, type SaveResult, savedUntilExit} from '#app/core/settings.ts';
import {startInboxWatchers} from '#app/inbox/enter-inbox.ts';
import {movedConversationListener} from '#app/navigation/follow-moved-conversation.ts';
import {prepareScreen} from '#app/prepare-screen.ts';
import {watchTimelines} from '#app/timeline/timeline-watcher.ts';
import {notificationListener} from '#app/watchers/notifications.ts';
import {reportRefusals} from '#app/watchers/report-refusals.ts';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {type LazyAccount, openLazyAccount} from '#cli/account-access/lazy-account.ts';
import type {AccountFlags} from '#cli/account-access/open-account.ts';
import {openStore} from '#cli/account-access/open-store.ts';
import type {CliIo} from '#cli/io.ts';
import type {ConfigSettings} from '#config/settings.ts';
import type {AccountStore} from '#state/account-store.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {createSession, type Session} from '#state/session.ts';
import {appSettings, persistEnterChoice} from './app-settings.ts';
import {askAboutEnter} from './ask-about-enter.ts';
import type {LogFile} from './log-file.ts';
import {initialView, openStartDestination, type StartDestination} from './start-destination.ts';

/** Who shows newcomers around in the demo. */
const guide = '@Pilot';

/** What an app lives on: a terminal's screen, or lines. */
export interface AppHost {
  readonly size: Size;
  readonly displayOptions: DisplayOptions;
  readonly keyGuide: KeyGuide;
  /** Pictures wait while what is there was not taken yet. */
  readonly output: {readonly needsDrain: boolean; whenDrained(): Promise<void>};
  deviceFor(appOf: () => App): Device;
  add(app: App): void;
  /** Runs this program with other words, in the place of the screen, until it ends. */
  runSelf?(words: readonly string[]): Promise<void>;
}

export interface AccountAppParts {
  readonly io: CliIo;
  readonly host: AppHost;
  readonly settings: ConfigSettings;
  /** Keeps what is chosen on the screen; without it, choices last until the program ends. */
  readonly persistSetting?: ((app: App, setting: LocalSetting) => SaveResult) | undefined;
  readonly log: LogFile;
  readonly isExploring: boolean;
  readonly isReadOnly: boolean;
  readonly accounts: Accounts;
  readonly accountCount: number;
}

/** One account on the stage: what it keeps, its session, its app. */
export class AccountApp {
  readonly app: App;
  readonly #late: LazyAccount;
  readonly #store: AccountStore;
  readonly #session: Session;
  readonly #wish: StartDestination;
  /** Whoever wrote it into the settings has answered already. */
  readonly #asksAboutEnter: boolean;
  #isStarted = false;
  #stopped: Promise<void> | undefined;

  private constructor(late: LazyAccount, parts: AccountAppParts, wish: StartDestination) {
    const {io, settings, log} = parts;
    const notices: string[] = [...late.notices];
    this.#late = late;
    this.#asksAboutEnter = settings.enterSends === 'auto';
    this.#store = openStore(late, io, (notice) => {
      if (this.#isStarted) this.app.toast(notice, 'warning');
      else notices.push(notice);
    });
    const initial = restoreState(this.#store);
    this.#wish = wish ?? (late.isDemo && initial === undefined ? guide : undefined);
    const isQuiet = parts.isExploring || parts.isReadOnly;
    this.#session = createSession({
      api: late.api,
      store: this.#store,
      clock: io.clock,
      random: io.random,
      log: log.write,
      isExploring: isQuiet,
      sendsTyping: settings.sendTyping,
      syncsDrafts: settings.draftSync,
      initial,
      outbox: {askAfterOfflineMinutes: settings.askAfterOfflineMinutes},
      pendingChanges: {onRefusal: reportRefusals(() => this.app)},
      listeners: [
        () => notificationListener(() => this.app, settings),
        () => movedConversationListener(() => this.app),
      ],
    });
    this.app = this.#makeApp(parts);
    const [notice] = notices;
    if (notice !== undefined) this.app.toast(notice, 'warning');
  }

  /** Nothing is asked of a network before `start`, except for a demo that never ran. */
  static async open(
    flags: AccountFlags,
    parts: AccountAppParts,
    wish: StartDestination,
  ): Promise<AccountApp> {
    let opened: AccountApp | undefined;
    const late = await openLazyAccount(flags, parts.io, () => opened?.wake());
    opened = new AccountApp(late, parts, wish);
    return opened;
  }

  get accountName(): string {
    return this.#late.name;
  }

  wake(): void {
    this.#session.wake('manual');
  }

  wakeAfterSuspend(): void {
    this.#session.wake('resumed');
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.app.set({isFirstFrame: false});
    openStartDestination(this.app, this.#wish);
    this.#session.start();
    if (this.#asksAboutEnter) askAboutEnter(this.app, this.#store.keyValues);
  }

  /** What is being written is on disk when this returns. */
  save(): void {
    flushComposer(this.app);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.save();
    this.app.end();
    await this.#session.stop();
    this.#store.close();
    await this.#late.close();
  }

  /** Whatever came of it, the server is asked again: the key may be good by now. */
  async #logIn(stage: AppHost): Promise<void> {
    const {login} = this.#late;
    if (login !== undefined) {
      this.save();
      await stage.runSelf?.(['login', login.site, '--email', login.email]);
    }
    await this.#late.renewKey();
    this.#session.signIn();
  }

  /** That Enter does as the account says is nothing that a file for all accounts can say. */
  #keep({persistSetting: keepSetting}: AccountAppParts, setting: LocalSetting): SaveResult {
    if (setting.name === 'enterSends' && setting.value === undefined) {
      persistEnterChoice(this.#store.keyValues, 'account');
    }
    return keepSetting?.(this.app, setting) ?? savedUntilExit;
  }

  #makeApp(parts: AccountAppParts): App {
    const {io, host: stage, settings, isExploring, isReadOnly, accounts, accountCount} = parts;
    const {state} = this.#session.cache;
    const app: App = new App({
      session: this.#session,
      features: appFeatures,
      screen: {
        ...newScreen(stage.size, initialView(state, this.#wish)),
        isMouseOn: settings.mouse,
        isFirstFrame: true,
      },
      display: stage.displayOptions,
      info: {
        accountName: this.#late.name,
        accountCount,
        isExploring,
        isReadOnly,
        canLogIn: stage.runSelf !== undefined && this.#late.login !== undefined,
        keys: stage.keyGuide,
      },
      settings: appSettings(settings, this.#store.keyValues),
      device: stage.deviceFor(() => app),
      clock: io.clock,
      prepareScreen,
      composerPersistence: (app) => new ComposerSaver(app),
      accounts,
      logIn: () => void this.#logIn(stage),
      saveSetting: (setting) => this.#keep(parts, setting),
      isBlocked: () => stage.output.needsDrain,
      whenDrained: (task) => void stage.output.whenDrained().then(task),
    });
    watchTimelines(app);
    startInboxWatchers(app);
    watchComposer(app);
    startScreenWatchers(app);
    stage.add(app);
    return app;
  }
}
