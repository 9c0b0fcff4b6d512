import {dirname} from 'node:path';
import {appFeatures} from '#app/app-features.ts';
import {loadSidebarViews} from '#app/channel-list/change-views.ts';
import {ComposerSaver, showUnsavedEdits} from '#app/composer/composer-saver.ts';
import {watchComposer} from '#app/composer/send-message.ts';
import {App} from '#app/core/app.ts';
import type {Accounts, Device, LocalSettings} from '#app/core/host.ts';
import type {ImageFiles} from '#app/images/image-store.ts';
import {resortInbox, startInboxWatchers} from '#app/inbox/enter-inbox.ts';
import {watchTimelines} from '#app/message-pane/timeline-watcher.ts';
import {openRestoredPane, restorePanes, watchPanes} from '#app/panes/saved-panes.ts';
import {reportUnknownResults} from '#app/requests/server-request.ts';
import {ruleListener} from '#app/rules/rule-listener.ts';
import {setMouse} from '#app/settings/set-mouse.ts';
import {continueTour, noteNewKeys} from '#app/tour/tour.ts';
import {movedConversationListener} from '#app/watchers/follow-moved-conversation.ts';
import {notificationListener} from '#app/watchers/notifications.ts';
import {showQuietTime} from '#app/watchers/quiet-time.ts';
import {reportRefusals, watchWriteProblem} from '#app/watchers/report-problems.ts';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {watchImages} from '#app/watchers/watch-images.ts';
import {type AccountFlags, type LazyAccount, openLazyAccount} from '#cli/account-access/lazy-account.ts';
import {openStore} from '#cli/account-access/open-store.ts';
import type {ControlledAccount} from '#cli/control/control-server.ts';
import type {CliIo} from '#cli/io.ts';
import {rulesFile} from '#cli/rules/rules-file.ts';
import {version} from '#cli/version.ts';
import {accountDatabase, accountImages, displayPath} from '#config/paths.ts';
import type {ConfigSettings} from '#config/settings.ts';
import type {AccountStore} from '#state/account-store.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {createSession, type Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {ImageCache} from '#storage/image-cache.ts';
import type {DisplayOptions, KeyGuide} from '#ui/core/frame.ts';
import type {Size} from '#ui/core/screen-state.ts';
import {newInboxState} from '#ui/inbox/inbox-state.ts';
import {newScreen} from '#ui/new-screen.ts';
import {prepareScreen} from '#ui/prepare-screen.ts';
import type {ServerEvent} from '#wire/events.ts';
import {accountSettings, appSettings, askAboutEnter} from './app-settings.ts';
import type {LogFile} from './log-file.ts';
import {initialView, openStartDestination, type StartDestination} from './start-destination.ts';

/** The environment of an app: a terminal's screen (`ScreenHost`) or lines of text (plainHost). */
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
  readonly onStarted?: (account: ControlledAccount) => void;
}

/** How often a screen that is logged out looks for a new API key. */
const newKeyCheckMs = 10_000;

/** Opens an account. Makes no request before `start`, except for a demo that never ran. */
export async function openAccountApp(
  flags: AccountFlags,
  parts: AccountAppParts,
  destination: StartDestination,
): Promise<AccountApp> {
  let opened: AccountApp | undefined;
  const account = await openLazyAccount(flags, parts.io, () => opened?.reconnect('manual'));
  opened = new AccountApp(account, parts, destination);
  return opened;
}

/** One open account: its store, its session and its app. */
export class AccountApp implements ControlledAccount {
  readonly app: App;
  /** The account's database on this machine. */
  readonly database: string;
  readonly #account: LazyAccount;
  readonly #parts: AccountAppParts;
  /** The settings when the account was opened. */
  readonly #settings: ConfigSettings;
  readonly #store: AccountStore;
  /** Whether an earlier program run has saved a state. */
  readonly #hasSavedState: boolean;
  readonly #session: Session;
  readonly #destination: StartDestination;
  readonly #hasRestoredView: boolean;
  readonly #notices: string[];
  #isStarted = false;
  /** When the file was written whose API key is in use. */
  #keyWrittenAt: number;
  #stopped: Promise<void> | undefined;
  #eventListener: ((events: readonly ServerEvent[]) => void) | undefined;

  constructor(account: LazyAccount, parts: AccountAppParts, destination: StartDestination) {
    const {io, settings, host} = parts;
    const {paths} = io;
    this.#account = account;
    this.#keyWrittenAt = account.keyWrittenAt();
    this.#parts = parts;
    this.#settings = settings;
    this.#notices = [...account.notices];
    this.database = accountDatabase(paths, account.id);
    this.#store = openStore(account, io, (notice) => this.#note(notice));
    const initial = restoreState(this.#store);
    this.#hasSavedState = initial !== undefined;
    this.#session = this.#newSession(initial);
    this.app = this.#newApp(destination);
    this.#destination = destination;
    this.#hasRestoredView = this.#restoreAndWatch() && destination === undefined;
    const maxImageBytes = () => parts.settings.imageCacheMib * 1024 * 1024;
    host.add(this.app, new ImageCache(accountImages(paths, account.id), maxImageBytes, io.clock));
    const [notice] = this.#notices;
    // A banner says it already when the notice is that nothing can be written.
    if (notice !== undefined && this.#store.writeProblem === undefined) this.app.toast(notice, 'warning');
  }

  /** Shows a notice about the store; before the start, the first of them is shown with the first frame. */
  #note(notice: string): void {
    if (this.#isStarted) this.app.toast(notice, 'warning');
    else this.#notices.push(notice);
  }

  #newSession(initial: AccountState | undefined): Session {
    const {io, log, isExploring, isReadOnly} = this.#parts;
    const settings = this.#settings;
    // The session exists before its app, and calls these only later.
    const app = () => this.app;
    const rules = ruleListener(app);
    return createSession({
      api: this.#account.api,
      store: this.#store,
      clock: io.clock,
      random: io.random,
      log: log.write,
      isExploring: isExploring || isReadOnly,
      sendsTyping: settings.sendTyping,
      syncsDrafts: settings.draftSync,
      linkPreviews: settings.linkPreviews,
      initial,
      outbox: {askAfterOfflineMinutes: settings.askAfterOfflineMinutes},
      pendingChanges: {onRefusal: reportRefusals(app)},
      onUnknown: reportUnknownResults(app),
      listeners: [
        () => rules,
        () => notificationListener(app, () => this.#parts.settings, rules),
        () => movedConversationListener(app),
        () => ({onEvents: (events) => this.#eventListener?.(events)}),
      ],
    });
  }

  #newApp(destination: StartDestination): App {
    const {io, host, accounts, isExploring, isReadOnly} = this.#parts;
    const parts = this.#parts;
    const settings = this.#settings;
    const {keyValues} = this.#store;
    return new App({
      session: this.#session,
      features: appFeatures,
      screen: {
        ...newScreen(host.size, initialView(this.#session.cache.state, destination)),
        inbox: newInboxState(settings.inboxOrder),
        isMouseOn: settings.mouse,
        isFirstFrame: true,
      },
      display: host.displayOptions,
      info: {
        accountName: this.#account.name,
        accountId: this.#account.id,
        get accountCount() {
          return parts.accountCount;
        },
        isExploring,
        isReadOnly,
        version: version(),
        canLogIn: host.runSelf !== undefined && this.#account.login !== undefined,
        keyProblem: this.#account.keyProblem,
        keys: host.keyGuide,
      },
      settings: appSettings(settings, keyValues),
      device: host.deviceFor(() => this.app),
      clock: io.clock,
      prepareScreen,
      composerPersistence: (owner) => new ComposerSaver(owner),
      accounts,
      logIn: () => void this.#logIn(),
      replaceKey: () => this.#replaceKey(),
      localSettings: accountSettings(parts.localSettings, keyValues, () => this.app.settings),
      rulesFile: rulesFile(io),
      isBlocked: () => host.output.needsDrain,
      whenDrained: (task) => void host.output.whenDrained().then(task),
    });
  }

  /** Restores what was on the screen, and starts what runs beside it. Returns whether two panes were restored. */
  #restoreAndWatch(): boolean {
    const {app} = this;
    const {io, keepsPanes = false} = this.#parts;
    loadSidebarViews(app);
    showUnsavedEdits(app);
    const hasPanes = keepsPanes && restorePanes(app, this.#destination !== undefined);
    if (keepsPanes) watchPanes(app);
    watchTimelines(app);
    watchImages(app);
    startInboxWatchers(app);
    watchComposer(app);
    startScreenWatchers(app);
    this.#watchForNewKey();
    watchWriteProblem(app, (path) => displayPath(dirname(path), io.home));
    return hasPanes;
  }

  /** Writes the text in the composer to disk before it returns. */
  save(): void {
    this.app.composerPersistence.flush();
  }

  /** Connects again at once. */
  reconnect(reason: Parameters<Session['wake']>[0]): void {
    this.#session.wake(reason);
  }

  /** Connects with a new API key as soon as one is saved, perhaps by `parley login` in another terminal, while the old one is refused. */
  #watchForNewKey(): void {
    const {app} = this;
    let cancel: (() => void) | undefined;
    const look = () => {
      cancel?.();
      cancel = undefined;
      if (app.state.connection.phase !== 'signedOut') return;
      if (this.#account.keyWrittenAt() !== this.#keyWrittenAt) void this.connectWithNewKey();
      else cancel = app.clock.after(newKeyCheckMs, look);
    };
    app.onEnd(this.#session.cache.subscribe(['connection'], look));
    app.onEnd(() => cancel?.());
  }

  /** Connects again with the API key that is saved now. */
  async connectWithNewKey(): Promise<void> {
    this.#keyWrittenAt = this.#account.keyWrittenAt();
    await this.#account.renewKey();
    this.reconnect('signedIn');
  }

  /** Runs the login, then connects again whatever its result: the key may be valid by now. */
  async #logIn(): Promise<void> {
    const {login} = this.#account;
    if (login !== undefined) {
      this.save();
      await this.#parts.host.runSelf?.(['login', login.site, '--email', login.email]);
    }
    await this.connectWithNewKey();
  }

  async #replaceKey(): Promise<string | undefined> {
    const problem = await this.#account.replaceKey();
    this.reconnect('signedIn');
    return problem;
  }

  /** Calls the listener with each batch of the server's events, after it was applied. */
  onEvents(listener: (events: readonly ServerEvent[]) => void): void {
    this.#eventListener = listener;
  }

  /** Connects. An account that is not shown asks no question and opens its inbox. */
  start(isShown = true): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const {app} = this;
    this.#parts.onStarted?.(this);
    app.set({isFirstFrame: false});
    openStartDestination(app, this.#hasRestoredView ? app.screen.view : this.#destination);
    openRestoredPane(app);
    this.#session.start();
    if (!isShown) return;
    noteNewKeys(app, this.#hasSavedState);
    // The setting may answer the question already.
    if (this.#settings.enterSends === 'auto') askAboutEnter(app, this.#store.keyValues);
    this.#session.ready().then(
      () => continueTour(app, this.#account.isDemo && !this.#hasSavedState),
      () => {},
    );
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
    await this.#account.close();
  }

  /** Applies a setting that was changed on the screen. */
  applySetting(now: ConfigSettings, changed: keyof ConfigSettings): void {
    if (changed === 'mouse') setMouse(this.app, now.mouse);
    else if (changed === 'inboxOrder') resortInbox(this.app, now.inboxOrder);
    else this.app.changeSettings(appSettings(now, this.#store.keyValues));
    if (changed === 'notifyQuiet') showQuietTime(this.app);
  }
}
