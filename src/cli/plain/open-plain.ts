import {onlyAccount} from '#app/core/host.ts';
import {restartInbox} from '#app/inbox/enter-inbox.ts';
import {type CliIo, type ExitCode, exitCodes, print, printNotice, write, writeControls} from '#cli/io.ts';
import {loadCommandsAndKeys} from '#cli/load-user-keys.ts';
import {LineReader} from '#cli/prompt.ts';
import {reportFailure} from '#cli/report-failure.ts';
import {type AppHost, openAccountApp} from '#cli/screen/account-app.ts';
import {logFile} from '#cli/screen/log-file.ts';
import type {ScreenOptions} from '#cli/screen/open-screen.tsx';
import {localSettingsFile} from '#cli/screen/persisted-settings.ts';
import {deviceOf} from '#cli/screen/restricted-device.ts';
import {Interruption} from '#cli/verbs/interruption.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {readSettings} from '#config/settings.ts';
import {hasServerState} from '#state/initial-state.ts';
import type {Session} from '#state/session.ts';
import {localeFormat, timeLocale} from '#std/locale-format.ts';
import {initialCapabilities} from '#terminal/capabilities.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {themes} from '#theme/themes.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {PlainClient} from './plain-client.ts';

export type PlainOptions = Omit<ScreenOptions, 'isAlternate' | 'theme' | 'color'>;

/** The time to wait for the server's first response, and at the end for pending changes to be sent. */
const firstResponseMs = 15_000;
const finalSendMs = 5000;

/** Runs the whole client line by line, without drawing: for screen readers, dumb terminals and scripts. */
export async function openPlain(options: PlainOptions, io: CliIo, signal?: AbortSignal): Promise<number> {
  try {
    const code = await runPlain(options, io, signal);
    const reason: unknown = signal?.reason;
    return reason instanceof Interruption ? reason.exitCode : code;
  } catch (error) {
    return reportFailure(io, error);
  }
}

async function runPlain(options: PlainOptions, io: CliIo, signal: AbortSignal | undefined): Promise<ExitCode> {
  const {paths} = io;
  const log = logFile(paths, io.clock);
  const {settings, warnings} = readSettings(paths.config, io.env);
  const {keymap, problems, commands} = await loadCommandsAndKeys(paths, io);
  for (const line of [...problems, ...warnings]) printNotice(io, line);
  const router = new KeyRouter(keymap, commands);
  const {isExploring, isReadOnly, isTriage, destination} = options;
  const lines = new LineReader({input: io.stdin, terminal: false});
  const host = plainHost(io, router, () => client?.leave());
  const parts = {
    io,
    host,
    // Nothing is on a screen, so messages are not marked read by being shown; and a send delay would hold
    // back the exit.
    settings: {...settings, enterSends: 'yes' as const, markRead: 'on-done' as const, undoSendSeconds: 0},
    localSettings: localSettingsFile({...io, settings}),
    log,
    isExploring,
    isReadOnly,
    accounts: onlyAccount,
    accountCount: 1,
  };
  const start = isTriage || destination === undefined ? ({kind: 'inbox'} as const) : destination;
  const account = await openAccountApp(options, parts, start);
  const {app} = account;
  let client: PlainClient | undefined;
  try {
    // Closing the input ends every prompt; text that was typed so far is saved as a draft.
    signal?.addEventListener('abort', () => lines.close(), {once: true});
    account.start();
    await waitForFirstResponse(app.session, io);
    const problem = problemOf(app.session);
    if (problem !== undefined) printNotice(io, problem.text);
    if (problem !== undefined && (problem.isFinal || !hasServerState(app.state))) return problem.code;
    const dialog = {
      print: (text: string) => print(io, text),
      ask: (question: string) => {
        if (io.inputIsTty) write(io, question);
        return lines.next();
      },
    };
    if (app.screen.view.kind === 'inbox') restartInbox(app);
    client = new PlainClient(app, router, dialog);
    await client.run(isTriage);
    if (signal?.aborted !== true) await waitUntilSent(app.session, io);
    return reportUnsent(app.session, io);
  } finally {
    lines.close();
    await account.stop();
  }
}

/** Returns why the server has not responded, and whether waiting cannot help; undefined when it has. */
function problemOf({cache}: Session) {
  const {connection} = cache.state;
  const {phase} = connection;
  if (phase === 'online') return undefined;
  const text = 'problem' in connection ? connection.problem : 'The server does not respond.';
  if (phase === 'signedOut') return {text, code: exitCodes.login, isFinal: true};
  if (phase === 'refused') return {text, code: exitCodes.failed, isFinal: true};
  return {text, code: exitCodes.unreachable, isFinal: false};
}

/** Prints what was not sent yet. It is saved on disk, and the exit code says so too. */
function reportUnsent(session: Session, io: CliIo): ExitCode {
  const {changes, messages} = unsent(session);
  const waiting = [
    ...(changes > 0 ? [countedNoun(changes, 'change')] : []),
    ...(messages > 0 ? [countedNoun(messages, 'message')] : []),
  ];
  if (waiting.length === 0) return exitCodes.ok;
  printNotice(io, `Not sent yet: ${waiting.join(' and ')}. Saved on this machine and sent the next time Parley runs.`);
  return exitCodes.unreachable;
}

function unsent({pendingChanges, cache}: Session) {
  const messages = cache.state.outbox.filter(({status}) => status === 'queued' || status === 'sending');
  return {changes: pendingChanges.pendingActions().length, messages: messages.length};
}

/** Waits until the server responds or a problem is known. Afterwards saved messages can be shown in any case. */
async function waitForFirstResponse(session: Session, io: CliIo): Promise<void> {
  const {promise, resolve} = Promise.withResolvers<void>();
  const cancel = io.clock.after(firstResponseMs, resolve);
  const unsubscribe = session.cache.subscribe(['connection'], () => {
    if ('problem' in session.cache.state.connection) resolve();
  });
  session.ready().then(resolve, () => {});
  await promise;
  cancel();
  unsubscribe();
}

/** Waits a few seconds until the server has all changes. What it does not get is on disk. */
async function waitUntilSent(session: Session, io: CliIo): Promise<void> {
  const deadline = io.clock.monotonic() + finalSendMs;
  const isWaiting = () => {
    const {changes, messages} = unsent(session);
    if (session.cache.state.connection.phase !== 'online' || io.clock.monotonic() > deadline) return false;
    return changes + messages > 0;
  };
  while (isWaiting()) await new Promise<void>((resolve) => io.clock.after(50, resolve));
}

/** The size of the imaginary screen: wide enough for any line, and high enough for every list. */
const size = {columns: 120, rows: 5000} as const;

/** Hosts an app without a screen; the plain client prints its state. */
function plainHost(io: CliIo, {keymap, commands}: KeyRouter, quit: () => void): AppHost {
  const environment = terminalEnvironment({...io.env, TERM: 'dumb'}, true);
  const parts = {
    env: io.env,
    environment: () => environment,
    capabilities: () => initialCapabilities(environment),
    // Only the bell is written: there is no screen for other sequences.
    write: (sequence: string) => {
      if (sequence === '\u0007' && io.outputIsTty) writeControls(io.stdout, sequence);
    },
    runtimeDirectory: io.paths.runtime,
    stateDirectory: io.paths.state,
    lend: <T>(body: () => Promise<T>) => body(),
    redraw: () => {},
    suspend: () => {},
    quit,
  };
  const device = deviceOf(io, parts, (sentence) => printNotice(io, sentence));
  return {
    size,
    displayOptions: {
      theme: themes.default,
      depth: 'mono',
      hasHyperlinks: false,
      bidi: 'off',
      glyphs: 'ascii',
      emoji: {},
      zone: undefined,
      locale: localeFormat(timeLocale(io.env)),
      linkPreviews: false,
    },
    keyGuide: makeKeyGuide(keymap, commands),
    output: {needsDrain: false, whenDrained: () => Promise.resolve()},
    deviceFor: () => device,
    add: () => {},
  };
}
