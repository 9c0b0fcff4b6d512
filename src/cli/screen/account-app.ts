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
import {reportRefusals, watchWriteProblem} from '#app/watchers/report-problems.ts';
import {startScreenWatchers, watchImages} from '#app/watchers/screen-watchers.ts';
import {type AccountFlags, openLazyAccount} from '#cli/account-access/lazy-account.ts';
import {openStore} from '#cli/account-access/open-store.ts';
import type {ControlledAccount} from '#cli/control/control-server.ts';
import type {CliIo} from '#cli/io.ts';
import {rulesFile} from '#cli/rules/rules-file.ts';
import {version} from '#cli/version.ts';
import {accountDatabase, accountImages, displayPath, pathsOf} from '#config/paths.ts';
import type {ConfigSettings} from '#config/settings.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {createSession} from '#state/session.ts';
import {ImageCache} from '#storage/image-cache.ts';
import type {DisplayOptions, KeyGuide} from '#ui/core/frame.ts';
import type {Size} from '#ui/core/screen-state.ts';
import {newInboxState} from '#ui/inbox/inbox-state.ts';
import {newScreen} from '#ui/new-screen.ts';
import {prepareScreen} from '#ui/prepare-screen.ts';
import type {ServerEvent} from '#wire/events.ts';
import {appSettings, askAboutEnter, persistEnterChoice} from './app-settings.ts';
import type {LogFile} from './log-file.ts';
import {initialView, openStartDestination, type StartDestination} from './start-destination.ts';

/** The environment of an app: a terminal's screen (screenHost) or lines of text (plainHost). */
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

/** One open account: its store, its session and its app. */
export type AccountApp = Awaited<ReturnType<typeof openAccountApp>>;

/** Opens an account. Makes no request before `start`, except for a demo that never ran. */
export async function openAccountApp(flags: AccountFlags, parts: AccountAppParts, destination: StartDestination) {
  const {io, host, settings, isExploring, isReadOnly} = parts;
  const paths = pathsOf(io.env, io.home);
  let onRestart = () => {};
  const lazyAccount = await openLazyAccount(flags, io, () => onRestart());
  const {login} = lazyAccount;
  const notices: string[] = [...lazyAccount.notices];
  let isStarted = false;
  let stopped: Promise<void> | undefined;
  let eventListener: ((events: readonly ServerEvent[]) => void) | undefined;
  const store = openStore(lazyAccount, io, (notice) => {
    if (isStarted) app.toast(notice, 'warning');
    else notices.push(notice);
  });
  const {keyValues} = store;
  /** The state that an earlier program run has saved. */
  const initial = restoreState(store);
  const rules = ruleListener(() => app);
  const notifications = () =>
    notificationListener(
      () => app,
      () => parts.settings,
      rules,
    );
  const session = createSession({
    api: lazyAccount.api,
    store,
    clock: io.clock,
    random: io.random,
    log: parts.log.write,
    isExploring: isExploring || isReadOnly,
    sendsTyping: settings.sendTyping,
    syncsDrafts: settings.draftSync,
    linkPreviews: settings.linkPreviews,
    initial,
    outbox: {askAfterOfflineMinutes: settings.askAfterOfflineMinutes},
    pendingChanges: {onRefusal: reportRefusals(() => app)},
    onUnknown: reportUnknownResults(() => app),
    listeners: [
      () => rules,
      notifications,
      () => movedConversationListener(() => app),
      () => ({onEvents: (events) => eventListener?.(events)}),
    ],
  });
  onRestart = () => session.wake('manual');

  /** Writes the text in the composer to disk before it returns. */
  const save = () => app.composerPersistence.flush();
  /** Connects again with the API key that is saved now. */
  const connectWithNewKey = async () => {
    await lazyAccount.renewKey();
    session.wake('signedIn');
  };
  /** Runs the login, then connects again whatever its result: the key may be valid by now. */
  const logIn = async () => {
    if (login !== undefined) {
      save();
      await host.runSelf?.(['login', login.site, '--email', login.email]);
    }
    await connectWithNewKey();
  };
  /** The settings of this program. That Enter follows the account's setting is saved per account: the file applies to all. */
  const localSettings: LocalSettings = {
    list: () =>
      parts.localSettings.list().map((setting) => {
        const isSend = setting.key === 'enterSends' && setting.value === 'auto' && app.settings.enterSends === true;
        return isSend ? {...setting, value: 'yes', default: 'yes'} : setting;
      }),
    change: (key, value) => {
      if (key === 'enterSends' && value === 'auto') persistEnterChoice(keyValues, 'account');
      return parts.localSettings.change(key, value);
    },
  };
  const app: App = new App({
    session,
    features: appFeatures,
    screen: {
      ...newScreen(host.size, initialView(session.cache.state, destination)),
      inbox: newInboxState(settings.inboxOrder),
      isMouseOn: settings.mouse,
      isFirstFrame: true,
    },
    display: host.displayOptions,
    info: {
      accountName: lazyAccount.name,
      get accountCount() {
        return parts.accountCount;
      },
      isExploring,
      isReadOnly,
      version: version(),
      canLogIn: host.runSelf !== undefined && login !== undefined,
      keyProblem: lazyAccount.keyProblem,
      keys: host.keyGuide,
    },
    settings: appSettings(settings, keyValues),
    device: host.deviceFor(() => app),
    clock: io.clock,
    prepareScreen,
    composerPersistence: (owner) => new ComposerSaver(owner),
    accounts: parts.accounts,
    logIn: () => void logIn(),
    replaceKey: async () => {
      const problem = await lazyAccount.replaceKey();
      session.wake('signedIn');
      return problem;
    },
    localSettings,
    rulesFile: rulesFile({paths, home: io.home, clock: io.clock}),
    isBlocked: () => host.output.needsDrain,
    whenDrained: (task) => void host.output.whenDrained().then(task),
  });
  loadSidebarViews(app);
  showUnsavedEdits(app);
  const {keepsPanes = false} = parts;
  const hasRestoredView = keepsPanes && restorePanes(app, destination !== undefined) && destination === undefined;
  if (keepsPanes) watchPanes(app);
  watchTimelines(app);
  watchImages(app);
  startInboxWatchers(app);
  watchComposer(app);
  startScreenWatchers(app);
  watchWriteProblem(app, (path) => displayPath(dirname(path), io.home));
  const maxImageBytes = () => parts.settings.imageCacheMib * 1024 * 1024;
  host.add(app, new ImageCache(accountImages(paths, lazyAccount.id), maxImageBytes, io.clock));
  const [notice] = notices;
  // A banner says it already when the notice is that nothing can be written.
  if (notice !== undefined && store.writeProblem === undefined) app.toast(notice, 'warning');

  const stop = async () => {
    save();
    app.end();
    await session.stop();
    store.close();
    await lazyAccount.close();
  };
  const account = {
    app,
    /** The account's database on this machine. */
    database: accountDatabase(paths, lazyAccount.id),
    save,
    connectWithNewKey,
    /** Calls the listener with each batch of the server's events, after it was applied. */
    onEvents: (listener: (events: readonly ServerEvent[]) => void) => {
      eventListener = listener;
    },
    wakeAfterSuspend: () => session.wake('resumed'),
    /** Connects. An account that is not shown asks no question and opens its inbox. */
    start: (isShown = true) => {
      if (isStarted) return;
      isStarted = true;
      parts.onStarted?.(account);
      app.set({isFirstFrame: false});
      openStartDestination(app, hasRestoredView ? app.screen.view : destination);
      openRestoredPane(app);
      session.start();
      if (!isShown) return;
      noteNewKeys(app, initial !== undefined);
      // The setting may answer the question already.
      if (settings.enterSends === 'auto') askAboutEnter(app, keyValues);
      session.ready().then(
        () => continueTour(app, lazyAccount.isDemo && initial === undefined),
        () => {},
      );
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    /** Applies a setting that was changed on the screen. */
    applySetting: (now: ConfigSettings, changed: keyof ConfigSettings) => {
      if (changed === 'mouse') setMouse(app, now.mouse);
      else if (changed === 'inboxOrder') resortInbox(app, now.inboxOrder);
      else app.changeSettings(appSettings(now, keyValues));
    },
  };
  return account;
}
