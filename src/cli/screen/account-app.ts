import {dirname} from 'node:path';
import type {AccountFlags} from '#cli/account-access/lazy-account.ts';
import {type LazyAccount, openLazyAccount} from '#cli/account-access/lazy-account.ts';
import {openStore} from '#cli/account-access/open-store.ts';
import type {CliIo} from '#cli/io.ts';
import {rulesFile} from '#cli/rules/rules-file.ts';
import {version} from '#cli/version.ts';
import {accountImages, displayPath, pathsOf} from '#config/paths.ts';
import type {ConfigSettings} from '#config/settings.ts';
import type {AccountStore} from '#state/account-store.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {createSession, type Session} from '#state/session.ts';
import {ImageCache} from '#storage/image-cache.ts';
import {appFeatures} from '#ui/app-features.ts';
import {loadSidebarViews} from '#ui/channel-list/change-views.ts';
import {ComposerSaver, flushComposer, showUnsavedEdits} from '#ui/composer/composer-saver.ts';
import {watchComposer} from '#ui/composer/composer-watcher.ts';
import {App} from '#ui/core/app.ts';
import type {DisplayOptions, KeyGuide} from '#ui/core/frame.ts';
import type {Accounts, Device, LocalSettings} from '#ui/core/host.ts';
import {newScreen, type Size} from '#ui/core/screen-state.ts';
import {noteNewKeys} from '#ui/help/note-new-keys.ts';
import type {ImageFiles} from '#ui/images/image-store.ts';
import {watchImages} from '#ui/images/visible-images.ts';
import {resortInbox, startInboxWatchers} from '#ui/inbox/enter-inbox.ts';
import {newInboxState} from '#ui/inbox/inbox-state.ts';
import {watchTimelines} from '#ui/message-pane/timeline-watcher.ts';
import {movedConversationListener} from '#ui/navigation/follow-moved-conversation.ts';
import {openRestoredPane, restorePanes, watchPanes} from '#ui/other-pane/saved-panes.ts';
import {prepareScreen} from '#ui/prepare-screen.ts';
import {ruleListener} from '#ui/rules/rule-listener.ts';
import {setMouse} from '#ui/settings/set-mouse.ts';
import {continueTour} from '#ui/tour/tour.ts';
import {notificationListener} from '#ui/watchers/notifications.ts';
import {reportRefusals, watchWriteProblem} from '#ui/watchers/report-problems.ts';
import {startScreenWatchers} from '#ui/watchers/screen-watchers.ts';
import type {ServerEvent} from '#wire/events.ts';
import {appSettings, askAboutEnter, persistEnterChoice} from './app-settings.ts';
import type {LogFile} from './log-file.ts';
import {initialView, openStartDestination, type StartDestination} from './start-destination.ts';

/** The environment of an app: a terminal's screen (ScreenHost) or lines of text (plainHost). */
export interface AppHost {
  readonly size: Size;
  readonly displayOptions: DisplayOptions;
  readonly keyGuide: KeyGuide;
  /** Frames wait while the terminal has not read the previous output. */
  readonly output: {readonly needsDrain: boolean; whenDrained(): Promise<void>};
  deviceFor(appOf: () => App): Device;
  /** Registers an app, and where its images are saved. */
  add(app: App, images: ImageFiles): void;
  /** Runs this program with other arguments in place of the screen, until it ends. */
  runSelf?(args: readonly string[]): Promise<void>;
}

export interface AccountAppParts {
  readonly io: CliIo;
  readonly host: AppHost;
  readonly settings: ConfigSettings;
  readonly localSettings: LocalSettings;
  readonly log: LogFile;
  readonly isExploring: boolean;
  readonly isReadOnly: boolean;
  readonly accounts: Accounts;
  /** The current number of accounts. */
  readonly accountCount: number;
  /** Whether two panes are kept for the next start. */
  readonly keepsPanes?: boolean;
  /** Called with each account that starts. */
  readonly onStarted?: (account: AccountApp) => void;
}

/** One open account: its store, its session and its app. */
export class AccountApp {
  readonly app: App;
  readonly #lazyAccount: LazyAccount;
  readonly #store: AccountStore;
  readonly #session: Session;
  readonly #destination: StartDestination;
  /** False when the setting `enter_sends` answers the question already. */
  readonly #asksAboutEnter: boolean;
  /** Whether an earlier program run has saved the account's state. */
  readonly #hasRunBefore: boolean;
  readonly #onStarted: AccountAppParts['onStarted'];
  #onEvents: ((events: readonly ServerEvent[]) => void) | undefined;
  #hasRestoredView = false;
  #isStarted = false;
  #stopped: Promise<void> | undefined;

  private constructor(lazyAccount: LazyAccount, parts: AccountAppParts, destination: StartDestination) {
    const {io, settings, log} = parts;
    this.#onStarted = parts.onStarted;
    const notices: string[] = [...lazyAccount.notices];
    this.#lazyAccount = lazyAccount;
    this.#asksAboutEnter = settings.enterSends === 'auto';
    this.#store = openStore(lazyAccount, io, (notice) => {
      if (this.#isStarted) this.app.toast(notice, 'warning');
      else notices.push(notice);
    });
    const initial = restoreState(this.#store);
    this.#destination = destination;
    this.#hasRunBefore = initial !== undefined;
    const isQuiet = parts.isExploring || parts.isReadOnly;
    const rules = ruleListener(() => this.app);
    this.#session = createSession({
      api: lazyAccount.api,
      store: this.#store,
      clock: io.clock,
      random: io.random,
      log: log.write,
      isExploring: isQuiet,
      sendsTyping: settings.sendTyping,
      syncsDrafts: settings.draftSync,
      linkPreviews: settings.linkPreviews,
      initial,
      outbox: {askAfterOfflineMinutes: settings.askAfterOfflineMinutes},
      pendingChanges: {onRefusal: reportRefusals(() => this.app)},
      listeners: [
        () => rules,
        () =>
          notificationListener(
            () => this.app,
            () => parts.settings,
            rules,
          ),
        () => movedConversationListener(() => this.app),
        () => ({onEvents: (events) => this.#onEvents?.(events)}),
      ],
    });
    this.app = this.#makeApp(parts);
    const [notice] = notices;
    // A banner says it already when the notice is that nothing can be written.
    if (notice !== undefined && this.#store.writeProblem === undefined) this.app.toast(notice, 'warning');
  }

  /** Opens the account. Makes no request before `start`, except for a demo that never ran. */
  static async open(flags: AccountFlags, parts: AccountAppParts, destination: StartDestination): Promise<AccountApp> {
    let opened: AccountApp | undefined;
    const lazyAccount = await openLazyAccount(flags, parts.io, () => opened?.wake());
    opened = new AccountApp(lazyAccount, parts, destination);
    return opened;
  }

  get accountName(): string {
    return this.#lazyAccount.name;
  }

  /** The name of the account's files on disk. */
  get accountId(): string {
    return this.#lazyAccount.id;
  }

  /** Calls the listener with each batch of the server's events, after it was applied. */
  readonly onEvents = (listener: (events: readonly ServerEvent[]) => void): void => {
    this.#onEvents = listener;
  };

  wake(): void {
    this.#session.wake('manual');
  }

  wakeAfterSuspend(): void {
    this.#session.wake('resumed');
  }

  /** Connects. An account that is not shown asks no question and opens its inbox. */
  start(isShown = true): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#onStarted?.(this);
    this.app.set({isFirstFrame: false});
    openStartDestination(this.app, this.#hasRestoredView ? this.app.screen.view : this.#destination);
    openRestoredPane(this.app);
    this.#session.start();
    if (!isShown) return;
    noteNewKeys(this.app, this.#hasRunBefore);
    if (this.#asksAboutEnter) askAboutEnter(this.app, this.#store.keyValues);
    this.#session.ready().then(
      () => continueTour(this.app, this.#lazyAccount.isDemo && !this.#hasRunBefore),
      () => {},
    );
  }

  /** Writes the text in the composer to disk before it returns. */
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
    await this.#lazyAccount.close();
  }

  /** Runs the login, then connects again whatever its result: the key may be valid by now. */
  async #logIn(host: AppHost): Promise<void> {
    const {login} = this.#lazyAccount;
    if (login !== undefined) {
      this.save();
      await host.runSelf?.(['login', login.site, '--email', login.email]);
    }
    await this.connectWithNewKey();
  }

  /** Connects again with the API key that is saved now. */
  async connectWithNewKey(): Promise<void> {
    await this.#lazyAccount.renewKey();
    this.#session.signIn();
  }

  async #replaceKey(): Promise<string | undefined> {
    const problem = await this.#lazyAccount.replaceKey();
    this.#session.signIn();
    return problem;
  }

  /** Applies a setting that was changed on the screen. */
  applySetting(settings: ConfigSettings, changed: keyof ConfigSettings): void {
    if (changed === 'mouse') setMouse(this.app, settings.mouse);
    else if (changed === 'inboxOrder') resortInbox(this.app, settings.inboxOrder);
    else this.app.changeSettings(appSettings(settings, this.#store.keyValues));
  }

  /**
   * Returns the settings of this program. That Enter follows the account's setting is saved per account, because the file
   * applies to all.
   */
  #localSettings({localSettings}: AccountAppParts): LocalSettings {
    const {keyValues} = this.#store;
    return {
      list: () =>
        localSettings.list().map((setting) => {
          const isSend =
            setting.key === 'enterSends' && setting.value === 'auto' && this.app.settings.enterSends === true;
          return isSend ? {...setting, value: 'yes', default: 'yes'} : setting;
        }),
      change: (key, value) => {
        if (key === 'enterSends' && value === 'auto') persistEnterChoice(keyValues, 'account');
        return localSettings.change(key, value);
      },
    };
  }

  #makeApp(parts: AccountAppParts): App {
    const {io, host, settings, isExploring, isReadOnly, accounts} = parts;
    const {state} = this.#session.cache;
    const app: App = new App({
      session: this.#session,
      features: appFeatures,
      screen: {
        ...newScreen(host.size, initialView(state, this.#destination)),
        inbox: newInboxState(settings.inboxOrder),
        isMouseOn: settings.mouse,
        isFirstFrame: true,
      },
      display: host.displayOptions,
      info: {
        accountName: this.#lazyAccount.name,
        get accountCount() {
          return parts.accountCount;
        },
        isExploring,
        isReadOnly,
        version: version(),
        canLogIn: host.runSelf !== undefined && this.#lazyAccount.login !== undefined,
        keyProblem: this.#lazyAccount.keyProblem,
        keys: host.keyGuide,
      },
      settings: appSettings(settings, this.#store.keyValues),
      device: host.deviceFor(() => app),
      clock: io.clock,
      prepareScreen,
      composerPersistence: (app) => new ComposerSaver(app),
      accounts,
      logIn: () => void this.#logIn(host),
      replaceKey: () => this.#replaceKey(),
      localSettings: this.#localSettings(parts),
      rulesFile: rulesFile({paths: pathsOf(io.env, io.home), home: io.home, clock: io.clock}),
      isBlocked: () => host.output.needsDrain,
      whenDrained: (task) => void host.output.whenDrained().then(task),
    });
    loadSidebarViews(app);
    showUnsavedEdits(app);
    if (parts.keepsPanes === true) {
      const hasOwnView = this.#destination !== undefined;
      this.#hasRestoredView = restorePanes(app, hasOwnView) && !hasOwnView;
      watchPanes(app);
    }
    watchTimelines(app);
    watchImages(app);
    startInboxWatchers(app);
    watchComposer(app);
    startScreenWatchers(app);
    watchWriteProblem(app, (path) => displayPath(dirname(path), io.home));
    const images = accountImages(pathsOf(io.env, io.home), this.accountId);
    host.add(app, new ImageCache(images, () => parts.settings.imageCacheMib * 1024 * 1024, io.clock));
    return app;
  }
}
