import {makeApi} from '#api/api.ts';
import {connect} from '#cli/account-access/connect.ts';
import {openAccount} from '#cli/account-access/open-account.ts';
import {openStore, readConfigSettings} from '#cli/account-access/open-store.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {narrowFromWords} from '#cli/messages/destination-arguments.ts';
import {createSession, type Session} from '#state/session.ts';
import type {VerbRunner} from './run.ts';
import {TailPrinter} from './tail-printer.ts';

const usualCount = 10;

export const tail: VerbRunner<'tail'> = (given, io, signal) =>
  withSession(given, io, async (session) => {
    const {values, words} = given;
    await waitUntilOnline(session, signal);
    const written = narrowFromWords(session.cache.state, words).filter(({operator}) => operator !== 'near');
    const narrow = await unlessAborted(session.timelines.open(written, 'newest'), signal);
    if (narrow === undefined) return exitCodes.ok;
    session.timelines.keepOpen(narrow);
    const follower = new TailPrinter(session, narrow, io, values);
    follower.printLast(values.count ?? usualCount);
    await printUntilAborted(session, follower, io, signal);
    return exitCodes.ok;
  });

async function withSession(
  {values}: Parameters<VerbRunner<'tail'>>[0],
  io: CliIo,
  body: (session: Session) => Promise<ExitCode>,
): Promise<ExitCode> {
  let session: Session | undefined;
  const {account, release} = await openAccount(values, io, {onRestart: () => session?.wake('manual')});
  try {
    const connection = await connect(account, io);
    const store = openStore(account, io);
    try {
      const {askAfterOfflineMinutes} = readConfigSettings(io);
      const {clock, random} = io;
      const outbox = {askAfterOfflineMinutes};
      const log = () => {};
      session = createSession({
        api: makeApi(connection),
        store,
        clock,
        random,
        log,
        isExploring: true,
        outbox,
      });
      session.start();
      return await body(session);
    } finally {
      // The event queue goes with it.
      await session?.stop();
      store.close();
      await connection.close();
    }
  } finally {
    await release();
  }
}

/** A server that is not there at the start is a mistake more often than a bad moment; later it is waited for. */
async function waitUntilOnline(session: Session, signal: AbortSignal): Promise<void> {
  let quit = () => {};
  const offline = new Promise<never>((_resolve, reject) => {
    quit = session.cache.subscribe(['connection'], ({connection}) => {
      if (connection.phase === 'offline') reject(new PlainFailure(connection.problem, exitCodes.unreachable));
    });
  });
  try {
    await unlessAborted(Promise.race([session.ready(), offline]), signal);
  } finally {
    quit();
  }
}

/** Undefined when the signal came first: for whoever waits for the end, an end is no failure. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const {promise: aborted, resolve} = Promise.withResolvers<undefined>();
  const abort = () => resolve(undefined);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, {once: true});
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** Until somebody ends it, or the account is no longer good. */
async function printUntilAborted(
  session: Session,
  follower: TailPrinter,
  io: CliIo,
  signal: AbortSignal,
): Promise<void> {
  let isAway = false;
  const {promise, reject} = Promise.withResolvers<never>();
  const quit = [
    session.cache.subscribe(['timelines', 'messages'], () => follower.printNew()),
    session.cache.subscribe(['connection'], ({connection}) => {
      if (connection.phase === 'signedOut') reject(new PlainFailure(connection.problem, exitCodes.login));
      if (connection.phase === 'offline' && !isAway) printNotice(io, `${connection.problem} Trying again…`);
      if (connection.phase === 'online' && isAway) printNotice(io, 'Connected again.');
      isAway = connection.phase === 'offline';
    }),
  ];
  try {
    await unlessAborted(promise, signal);
  } finally {
    for (const leave of quit) leave();
  }
}
