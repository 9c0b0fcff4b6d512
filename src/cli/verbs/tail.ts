import {makeApi} from '#api/api.ts';
import {connect} from '#cli/account-access/connect.ts';
import {openAccount} from '#cli/account-access/open-account.ts';
import {openStore, readConfigSettings} from '#cli/account-access/open-store.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {narrowFromWords} from '#cli/messages/destination-arguments.ts';
import {refreshSeconds, ViewRefresher} from '#state/fetches/view-refresher.ts';
import {isLiveView} from '#state/messages/event-conversations.ts';
import {channelIdOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {unreadableReason} from '#state/selectors/permissions/channel-permissions.ts';
import {createSession, type Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {TailPrinter} from './tail-printer.ts';
import type {VerbRunner} from './verb-runner.ts';

const defaultCount = 10;

export const tail: VerbRunner<'tail'> = (verbArguments, io, signal) =>
  withSession(verbArguments, io, async (session) => {
    const {values, words, matching} = verbArguments;
    await waitUntilOnline(session, signal);
    const named = narrowFromWords(session.cache.state, words, matching);
    const requestedNarrow = named.filter(({operator}) => operator !== 'near');
    const narrow = await unlessAborted(session.timelines.open(requestedNarrow, 'newest'), signal);
    if (narrow === undefined) return exitCodes.ok;
    session.timelines.keepOpen(narrow);
    const refusal = accessRefusal(session.cache.state, narrow, io);
    if (refusal !== undefined) throw refusal;
    const printer = new TailPrinter(session, narrow, io, values);
    printer.printLast(values.count ?? defaultCount);
    const stopRefreshing = refreshWithoutEvents(session, narrow, io);
    try {
      await printUntilAborted(session, narrow, printer, io, signal);
    } finally {
      stopRefreshing();
    }
    return exitCodes.ok;
  });

/** Returns the failure to read a channel; undefined where the user can read it. */
function accessRefusal(state: AccountState, narrow: Narrow, {clock}: CliIo): PlainFailure | undefined {
  const channelId = channelIdOfNarrow(narrow);
  const reason = channelId === undefined ? undefined : unreadableReason(state, channelId, clock.now());
  return reason === undefined ? undefined : new PlainFailure(reason, exitCodes.refused);
}

/** Looks for new messages from time to time while no events report them, for lack of a subscription. */
function refreshWithoutEvents(session: Session, narrow: Narrow, io: CliIo): () => void {
  const refresher = new ViewRefresher(io.clock);
  let isLive = true;
  const update = (state: AccountState) => {
    const wasLive = isLive;
    isLive = isLiveView(state, narrow);
    if (wasLive && !isLive && accessRefusal(state, narrow, io) === undefined) {
      const name = channelName(state, channelIdOfNarrow(narrow) ?? 0);
      printNotice(io, `You are not subscribed to #${name}: new messages are looked for every ${refreshSeconds} s.`);
    }
    const view = {key: narrowKey(narrow), refresh: () => session.timelines.refresh(narrow)};
    refresher.show(isLive ? undefined : view, state.connection.phase === 'online');
  };
  const unsubscribe = session.cache.subscribe(['subscriptions', 'connection'], update);
  update(session.cache.state);
  return () => {
    unsubscribe();
    refresher.stop();
  };
}

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
      // Also deletes the event queue.
      await session?.stop();
      store.close();
      await connection.close();
    }
  } finally {
    await release();
  }
}

/**
 * Throws when the server cannot be reached at the start, which is mostly a mistake; later disconnections are
 * waited out.
 */
async function waitUntilOnline(session: Session, signal: AbortSignal): Promise<void> {
  let unsubscribe = () => {};
  const offline = new Promise<never>((_resolve, reject) => {
    unsubscribe = session.cache.subscribe(['connection'], ({connection}) => {
      if (connection.phase === 'offline') reject(new PlainFailure(connection.problem, exitCodes.unreachable));
    });
  });
  try {
    await unlessAborted(Promise.race([session.ready(), offline]), signal);
  } finally {
    unsubscribe();
  }
}

/** Returns undefined when the signal aborts first: ending “tail” is not a failure. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const {promise: aborted, resolve} = Promise.withResolvers<undefined>();
  const abort = () => resolve(undefined);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, {once: true});
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** Prints new messages until the signal aborts, the login is rejected or the channel cannot be read any more. */
async function printUntilAborted(
  session: Session,
  narrow: Narrow,
  printer: TailPrinter,
  io: CliIo,
  signal: AbortSignal,
): Promise<void> {
  let isOffline = false;
  const {promise, reject} = Promise.withResolvers<never>();
  const unsubscribers = [
    session.cache.subscribe(['timelines', 'messages'], () => printer.printNew()),
    session.cache.subscribe(['channels', 'subscriptions'], (state) => {
      const refusal = accessRefusal(state, narrow, io);
      if (refusal !== undefined) reject(refusal);
    }),
    session.cache.subscribe(['connection'], ({connection}) => {
      if (connection.phase === 'signedOut') reject(new PlainFailure(connection.problem, exitCodes.login));
      if (connection.phase === 'offline' && !isOffline) printNotice(io, `${connection.problem} Trying again…`);
      if (connection.phase === 'online' && isOffline) printNotice(io, 'Back online.');
      isOffline = connection.phase === 'offline';
    }),
  ];
  try {
    await unlessAborted(promise, signal);
  } finally {
    for (const unsubscribe of unsubscribers) unsubscribe();
  }
}
