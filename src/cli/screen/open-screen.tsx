import {lstatSync, rmSync, statSync, writeFileSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {renderToString} from 'ink';
import type {App} from '#app/core/app.ts';
import type {LocalSettings} from '#app/core/host.ts';
import {restoredPanes, savedPanes} from '#app/panes/saved-panes.ts';
import {unkeptText} from '#app/watchers/report-problems.ts';
import {type AccountFlags, demoName, resolveAccountFlags} from '#cli/account-access/lazy-account.ts';
import type {ControlServer} from '#cli/control/control-server.ts';
import {type CliIo, type ExitCode, exitCodes, printNotice} from '#cli/io.ts';
import {loadCommandsAndKeys} from '#cli/load-user-keys.ts';
import {reportFailure} from '#cli/report-failure.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {displayPath} from '#config/paths.ts';
import {ensurePrivateDirectory, isOurs} from '#config/private-files.ts';
import {readSettings} from '#config/settings.ts';
import {ownThemeNames} from '#config/theme-names.ts';
import {initialState} from '#state/initial-state.ts';
import {startPicture} from '#std/program-files.ts';
import type {Capabilities} from '#terminal/capabilities.ts';
import type {EndReason} from '#terminal/lifecycle.ts';
import type {ColorDepth} from '#theme/color-depth.ts';
import type {Frame} from '#ui/core/frame.ts';
import {AppContext} from '#ui/hooks/use-select.ts';
import {terminalSize} from '#ui/layout/layout.ts';
import {newScreen} from '#ui/new-screen.ts';
import {prepareScreen} from '#ui/prepare-screen.ts';
import {Screen} from '#ui/Screen.tsx';
import {type AccountAppParts, openAccountApp} from './account-app.ts';
import {AccountSwitcher} from './account-switcher.ts';
import {displaySettings, type ThemeChoice, themeOfName} from './app-settings.ts';
import {errorMessage, type LogFile, logFile} from './log-file.ts';
import {localSettingsFile} from './persisted-settings.ts';
import {ScreenHost} from './screen-host.tsx';
import {initialView, type StartDestination} from './start-destination.ts';

export interface ScreenOptions extends AccountFlags {
  /** The conversation or search to open, as typed on the command line. */
  readonly destination?: string | undefined;
  readonly isTriage: boolean;
  readonly isExploring: boolean;
  readonly isReadOnly: boolean;
  readonly isAlternate: boolean;
  readonly theme?: string | undefined;
  readonly color?: ColorDepth | undefined;
}

/** Shows the screen until the user quits. The first frame uses saved data; requests start after it was painted. */
export async function openScreen(options: ScreenOptions, io: CliIo): Promise<ExitCode> {
  try {
    return await runScreen(options, io);
  } catch (error) {
    return reportFailure(io, error);
  }
}

/** Runs the screen until it ends. The first of the notices is shown. */
async function runScreen(options: ScreenOptions, io: CliIo, notices: readonly string[] = []): Promise<ExitCode> {
  const {paths} = io;
  const log = logFile(paths, io.clock);
  const {settings, warnings} = readSettings(paths.config, io.env);
  const {keymap, problems, commands} = await loadCommandsAndKeys(paths, io);
  const router = new KeyRouter(keymap, commands);
  const {theme, problems: themeProblems} = await themeOfName(options.theme ?? settings.theme, io);
  let lostText: string | undefined;
  let control: ControlServer | undefined;
  let removal: readonly [name: string, isLossKnown: boolean] | undefined;
  const host: ScreenHost = new ScreenHost({
    io,
    displayPreferences: {...settings, theme, color: options.color},
    isAlternate: options.isAlternate,
    router,
    save: () => {
      control?.close();
      lostText = unkeptOf(switcher);
      return saveAll(switcher);
    },
    afterEnd: (reason) => reportEnd(reason, log, io, lostText),
    onResumed: () => {
      for (const account of switcher.opened) account.reconnect('resumed');
    },
  });
  const first = resolveAccountFlags(options, io)?.account.name ?? demoName;
  const named = io.restriction === undefined ? new NamedAccounts(paths).names() : [];
  const names = named.includes(first) ? named : [first, ...named];
  const switcher: AccountSwitcher = new AccountSwitcher({
    host,
    names,
    io,
    openNamed: (name, isShown) =>
      name === first
        ? openAccountApp(options, parts, startDestination(options))
        : openAccountApp({account: name}, parts, isShown ? undefined : {kind: 'inbox'}),
    remove: (...asked) => {
      removal = asked;
    },
    canBeTogether: named.includes(first),
  });
  switcher.arrange(settings.organizations);
  const {isExploring, isReadOnly} = options;
  let shownTheme: ThemeChoice = theme;
  let themeChanges = 0;
  const showTheme = async (name: string, isPreview = false) => {
    const change = ++themeChanges;
    const {theme: next, problems: found} = await themeOfName(name, io);
    // Another theme was chosen while this one was loaded.
    if (change !== themeChanges) return;
    if (!isPreview) shownTheme = next;
    host.terminal.setDisplayPreferences({theme: next});
    if (found[0] !== undefined) host.shown?.toast(found[0], 'warning');
  };
  const persistedSettings = localSettingsFile({
    ...io,
    settings,
    apply: (now, key) => {
      if (key === 'theme') void showTheme(now.theme);
      else if (displaySettings.some((each) => each === key)) host.terminal.setDisplayPreferences({[key]: now[key]});
      if (key === 'organizations') {
        switcher.arrange(now.organizations);
        void switcher.openOthers();
      }
      for (const account of switcher.opened) account.applySetting(now, key);
    },
  });
  const localSettings: LocalSettings = {
    ...persistedSettings,
    choicesOf: (key) => (key === 'theme' ? ownThemeNames(paths.config) : []),
    preview: (key, value) => {
      if (key !== 'theme') return;
      if (value !== undefined) void showTheme(String(value), true);
      else {
        themeChanges++;
        host.terminal.setDisplayPreferences({theme: shownTheme});
      }
    },
  };
  const parts: AccountAppParts = {
    io,
    host,
    get settings() {
      return persistedSettings.settings;
    },
    localSettings,
    log,
    isExploring,
    isReadOnly,
    accounts: switcher,
    keepsPanes: true,
    get accountCount() {
      return switcher.size;
    },
    onStarted: (account) => control?.add(account),
  };
  const account = await switcher.openFirst(first);
  await host.whenPainted();
  account.start();
  const [notice] = [...notices, ...crashNotice(log, io), ...problems, ...warnings, ...themeProblems];
  if (notice !== undefined) account.app.toast(notice, 'warning');
  if (settings.control && io.restriction === undefined) control = await openControl(host, router, io, log);
  for (const opened of switcher.opened) control?.add(opened);
  void switcher.openOthers();
  await host.quitRequested;
  control?.close();
  const lost = unkeptOf(switcher);
  for (const {app} of switcher.opened) app.frames.stop();
  host.close();
  const capabilities = host.terminal.pictureCapabilities;
  const picture = capabilities === undefined ? '' : startFrameText(account.app, startDestination(options));
  await switcher.stop();
  if (removal !== undefined) return removeAndContinue(options, io, ...removal);
  if (capabilities !== undefined)
    saveStartPicture(host.terminal.pictureModes + picture, capabilities, account.database);
  if (lost === undefined) return exitCodes.ok;
  printNotice(io, lost);
  return exitCodes.failed;
}

/** Removes an account after the screen has ended, and opens the screen again with another account and with what was done. */
async function removeAndContinue(
  {isAlternate, theme, color, isExploring, isReadOnly}: ScreenOptions,
  io: CliIo,
  name: string,
  isLossKnown: boolean,
): Promise<ExitCode> {
  const {removeAccount} = await import('#cli/verbs/accounts.ts');
  const result = await removeAccount(name, io, isLossKnown);
  const accounts = new NamedAccounts(io.paths);
  if (accounts.names().length === 0) {
    printNotice(io, result);
    return exitCodes.ok;
  }
  const account = accounts.has(name) ? name : (accounts.chosenDefault() ?? accounts.names()[0]);
  // The destination that was named at the start was in the account that is gone.
  return runScreen({isAlternate, theme, color, isExploring, isReadOnly, isTriage: false, account}, io, [result]);
}

/** Opens the control socket. It is loaded after the first frame, and without it the program works as well. */
async function openControl(
  host: ScreenHost,
  runner: KeyRouter,
  {paths, clock}: CliIo,
  log: LogFile,
): Promise<ControlServer | undefined> {
  try {
    const [{openControlServer}, {controlFolder}] = await Promise.all([
      import('#cli/control/control-server.ts'),
      import('#cli/control/status-text.ts'),
    ]);
    const folder = controlFolder(paths);
    return await openControlServer({folder, pid: process.pid, clock, runner, shown: () => host.shown, log: log.write});
  } catch (error) {
    log.write('The control socket cannot be opened', error);
    return undefined;
  }
}

/** Returns a line about what is lost because nothing can be written; undefined when nothing is lost. */
function unkeptOf({opened}: AccountSwitcher): string | undefined {
  const lines = opened.flatMap(({app}) => {
    const unkept = unkeptText(app);
    const problem = app.screen.writeProblem;
    return unkept === undefined ? [] : [`Lost: ${unkept}. Cannot write to ${problem?.directory}: ${problem?.cause}.`];
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}

function crashNotice(log: LogFile, {home}: CliIo): string[] {
  const crash = log.takeCrash();
  const file = displayPath(log.path, home);
  return crash === undefined ? [] : [`Parley ended unexpectedly last time: ${crash} · details in ${file}`];
}

/** Saves everything. Synchronous writes come first: they are on disk before anything is awaited. */
async function saveAll(switcher: AccountSwitcher): Promise<void> {
  for (const account of switcher.opened) account.save();
  await switcher.stop();
}

function reportEnd(reason: EndReason, log: LogFile, {home}: CliIo, lost: string | undefined): void {
  if (reason.kind === 'crash') log.markCrash(reason.error);
  const saved = lost === undefined ? ' Your text was saved.' : '';
  const crash =
    reason.kind === 'crash'
      ? `Parley crashed: ${errorMessage(reason.error)}.${saved} Details: ${displayPath(log.path, home)}`
      : undefined;
  try {
    for (const line of [crash, lost]) if (line !== undefined) writeSync(2, `${line}\n`);
  } catch {
    // Standard error is closed.
  }
}

function startDestination({isTriage, destination}: ScreenOptions): StartDestination {
  return isTriage ? {kind: 'triage'} : destination;
}

/** Returns the text of the frame with which the next start begins. */
function startFrameText(app: App, destination: StartDestination): string {
  const {isMouseOn, sidebarOrder, localViews} = app.screen;
  const panes = restoredPanes(savedPanes(app), app.state);
  const view = initialView(app.state, destination ?? panes?.view);
  // The first frame has no messages in its panes yet: they must not disappear and come back.
  const {timelines} = panes === undefined ? app.state : initialState;
  const account = {...app.state, timelines, connection: {phase: 'starting', savedAt: app.clock.now()} as const};
  const frame = {
    ...app.frame,
    // Images are loaded after the first frame.
    display: {...app.frame.display, images: undefined},
    account,
    screen: {
      ...newScreen(terminalSize(app.screen), view),
      ...panes,
      view,
      isMouseOn,
      isFirstFrame: true,
      sidebarOrder,
      localViews,
    },
  };
  return screenText({...frame, screen: prepareScreen(frame, undefined)});
}

/** Returns the sequences that paint a snapshot on a cleared screen. */
function screenText(snapshot: Frame): string {
  const frames = {paintedFrame: snapshot, subscribe: () => () => {}};
  const text = renderToString(
    <AppContext value={{frames}}>
      <Screen />
    </AppContext>,
    {columns: snapshot.screen.size.columns},
  );
  return text
    .split('\n')
    .map((row, y) => `\u001b[${y + 1};1H${row}\u001b[m`)
    .join('');
}

/** Saves the picture that the next start shows while the program is loaded. Call it when the database is closed. */
function saveStartPicture(text: string, capabilities: Capabilities, database: string): void {
  const picture = startPicture();
  // A line break would end the text.
  if (picture === undefined || text === '' || text.includes('\n')) return;
  try {
    const {mtimeMs: changedAt} = statSync(database);
    const header = {key: picture.key, capabilities, database, changedAt, length: text.length};
    const folder = dirname(picture.file);
    ensurePrivateDirectory(folder);
    // The launcher would not show a picture in another user's folder, and that user could read it.
    if (!isOurs(lstatSync(folder))) return;
    const older = lstatSync(picture.file, {throwIfNoEntry: false});
    if (older !== undefined && isOurs(older)) rmSync(picture.file);
    writeFileSync(picture.file, `${JSON.stringify(header)}\n${text}`, {mode: 0o600, flag: 'wx'});
  } catch {
    // The next start shows nothing before its first frame.
  }
}
