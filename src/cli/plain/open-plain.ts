import {onlyAccount} from '#app/core/accounts.ts';
import {restartInbox} from '#app/inbox/enter-inbox.ts';
import type {AccountFlags} from '#cli/account-access/open-account.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {reportFailure} from '#cli/failures.ts';
import {type CliIo, print, printNotice} from '#cli/io.ts';
import {AccountApp} from '#cli/screen/account-app.ts';
import {loadUserKeys} from '#cli/screen/load-user-keys.ts';
import {LogFile} from '#cli/screen/log-file.ts';
import {Interruption} from '#cli/verbs/interruption.ts';
import {commandTable} from '#commands/command-table.ts';
import {KeyRouter} from '#commands/key-router.ts';
import {pathsOf} from '#config/paths.ts';
import {readSettings} from '#config/settings.ts';
import {hasServerState} from '#state/initial-state.ts';
import type {Session} from '#state/session.ts';
import {printable} from '#std/printable.ts';
import {LineReader} from './line-reader.ts';
import {PlainClient} from './plain-client.ts';
import {PlainHost} from './plain-host.ts';

export interface PlainOptions extends AccountFlags {
  readonly destination: string | undefined;
  readonly isTriage: boolean;
  readonly isExploring: boolean;
  readonly isReadOnly: boolean;
}

/** How long the first answer of the server is waited for, and how long the last deeds are. */
const firstMs = 15_000;
const lastMs = 5000;

/** The whole client in lines: nothing is drawn, nothing is drawn over, and every question is answered by a line. */
export async function openPlain(options: PlainOptions, io: CliIo, ending?: AbortSignal): Promise<number> {
  try {
    const code = await opened(options, io, ending);
    const reason: unknown = ending?.reason;
    return reason instanceof Interruption ? reason.exitCode : code;
  } catch (error) {
    return reportFailure(io, error);
  }
}

async function opened(options: PlainOptions, io: CliIo, ending: AbortSignal | undefined): Promise<ExitCode> {
  const paths = pathsOf(io.env, io.home);
  const log = new LogFile(paths, io.clock);
  const {settings, warnings} = readSettings(paths.config, io.env);
  const {keymap, problems} = loadUserKeys(paths, io.home);
  for (const line of [...problems, ...warnings]) printNotice(io, line);
  const router = new KeyRouter(keymap, commandTable);
  const {isExploring, isReadOnly, isTriage, destination: place} = options;
  const lines = new LineReader(io.stdin);
  const host = new PlainHost(io, router, () => client?.leave());
  const parts = {
    io,
    host,
    // Nothing is on a screen here, so nothing is read by being there; and what is sent has left when one leaves.
    settings: {...settings, enterSends: 'yes' as const, markRead: 'on-done' as const, undoSendSeconds: 0},
    log,
    isExploring,
    isReadOnly,
    accounts: onlyAccount,
    accountCount: 1,
  };
  const wish = isTriage || place === undefined ? ({kind: 'inbox'} as const) : place;
  const account = await AccountApp.open(options, parts, wish);
  const {app} = account;
  let client: PlainClient | undefined;
  try {
    // The end of the input ends everything that waits for a line, and keeps what was written so far.
    ending?.addEventListener('abort', () => lines.close(), {once: true});
    account.start();
    await waitForFirstResponse(app.session, io);
    const problem = problemOf(app.session);
    if (problem !== undefined) printNotice(io, printable(problem.words));
    if (problem !== undefined && (problem.isFinal || !hasServerState(app.state))) return problem.code;
    const talk = {
      print: (text: string) => print(io, printable(text)),
      ask: (question: string) => {
        if (io.inputIsTty) io.stdout.write(printable(question));
        return lines.next();
      },
    };
    if (app.screen.view.kind === 'inbox') restartInbox(app);
    client = new PlainClient(app, router, talk);
    await client.run(isTriage);
    if (ending?.aborted !== true) await waitUntilSent(app.session, io);
    return reportUnsent(app.session, io);
  } finally {
    lines.close();
    await account.stop();
  }
}

interface ConnectionProblem {
  readonly words: string;
  readonly code: ExitCode;
  /** Waiting does not help. */
  readonly isFinal: boolean;
}

/** Why the server has not answered, if it has not. */
function problemOf({cache}: Session): ConnectionProblem | undefined {
  const {connection} = cache.state;
  switch (connection.phase) {
    case 'online':
      return undefined;
    case 'signedOut':
      return {words: connection.problem, code: exitCodes.login, isFinal: true};
    case 'refused':
      return {words: connection.problem, code: exitCodes.failed, isFinal: true};
    case 'offline':
      return {words: connection.problem, code: exitCodes.unreachable, isFinal: false};
    default:
      return {words: 'The server does not answer.', code: exitCodes.unreachable, isFinal: false};
  }
}

/** What the server does not have yet is on disk; whoever runs this is told, also by the exit code. */
function reportUnsent(session: Session, io: CliIo): ExitCode {
  const {deeds, messages} = unsent(session);
  const waiting = [counted(deeds, 'change'), counted(messages, 'message')].filter((text) => text !== '');
  if (waiting.length === 0) return exitCodes.ok;
  printNotice(
    io,
    `Not with the server yet: ${waiting.join(' and ')}. Kept here, and sent when Parley runs again.`,
  );
  return exitCodes.unreachable;
}

function counted(count: number, word: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

function unsent({pendingChanges: deeds, cache}: Session): {
  readonly deeds: number;
  readonly messages: number;
} {
  const messages = cache.state.outbox.filter(({status}) => status === 'queued' || status === 'sending');
  return {deeds: deeds.pendingActions().length, messages: messages.length};
}

/** Without a server there is still what this machine remembers. */
async function waitForFirstResponse(session: Session, io: CliIo): Promise<void> {
  const {promise, resolve} = Promise.withResolvers<void>();
  const cancel = io.clock.after(firstMs, resolve);
  const leave = session.cache.subscribe(['connection'], () => {
    if ('problem' in session.cache.state.connection) resolve();
  });
  session.ready().then(resolve, () => {});
  await promise;
  cancel();
  leave();
}

/** What was asked for is with the server when the program ends, if the server is there; else it is on disk. */
async function waitUntilSent(session: Session, io: CliIo): Promise<void> {
  const deadline = io.clock.now() + lastMs;
  const isWaiting = () => {
    const {deeds, messages} = unsent(session);
    if (session.cache.state.connection.phase !== 'online' || io.clock.now() > deadline) return false;
    return deeds + messages > 0;
  };
  while (isWaiting()) await new Promise<void>((resolve) => io.clock.after(50, resolve));
}
