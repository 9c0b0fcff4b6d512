import {makeApi} from '#api/api.ts';
import {connect} from '#cli/account-access/connect.ts';
import {openAccount} from '#cli/account-access/lazy-account.ts';
import {openStore, readConfigSettings} from '#cli/account-access/open-store.ts';
import {type CliIo, type ExitCode, exitCodes, PlainFailure, printNotice, printStyled} from '#cli/io.ts';
import {accessRefusal, narrowFromWords, requireAccess, savedViews} from '#cli/messages/destination-arguments.ts';
import {
  messageFormatter,
  messageJson,
  messageTextOptions,
  outputStyle,
  printJsonLine,
} from '#cli/messages/message-text.ts';
import {refreshSeconds, ViewRefresher} from '#state/fetches/view-refresher.ts';
import {isLiveView} from '#state/messages/event-conversations.ts';
import type {Message} from '#state/model/message.ts';
import {channelIdOfNarrow, conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {createSession, type Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {CommonOptions} from './verb.ts';
import type {VerbRunner} from './verb-table.ts';

const defaultCount = 10;

export const tail: VerbRunner<'tail'> = (verbArguments, io, signal) =>
  withSession(verbArguments, io, async (session) => {
    const {values, words, matching} = verbArguments;
    await waitUntilOnline(session, signal);
    const named = narrowFromWords(session.cache.state, words, matching, () => savedViews(session.context.store));
    const requestedNarrow = named.filter(({operator}) => operator !== 'near');
    const narrow = await unlessAborted(session.timelines.open(requestedNarrow, 'newest'), signal);
    if (narrow === undefined) return exitCodes.ok;
    session.timelines.keepOpen(narrow);
    requireAccess(session.cache.state, narrow, io.clock.now());
    const printer = tailPrinter(session, narrow, io, values);
    printer.printLast(values.count ?? defaultCount);
    const stopRefreshing = refreshWithoutEvents(session, narrow, io);
    try {
      await printUntilAborted(session, narrow, printer, io, signal);
    } finally {
      stopRefreshing();
    }
    return exitCodes.ok;
  });

/** Looks for new messages from time to time while no events report them, for lack of a subscription. */
function refreshWithoutEvents(session: Session, narrow: Narrow, io: CliIo): () => void {
  const refresher = new ViewRefresher(io.clock);
  let isLive = true;
  const update = (state: AccountState) => {
    const wasLive = isLive;
    isLive = isLiveView(state, narrow);
    if (wasLive && !isLive && accessRefusal(state, narrow, io.clock.now()) === undefined) {
      const name = channelName(state, channelIdOfNarrow(narrow) ?? 0);
      printNotice(
        io,
        composed`You are not subscribed to #${name}: new messages are looked for every ${refreshSeconds} s.`,
      );
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
  printer: ReturnType<typeof tailPrinter>,
  io: CliIo,
  signal: AbortSignal,
): Promise<void> {
  let isOffline = false;
  const {promise, reject} = Promise.withResolvers<never>();
  const unsubscribers = [
    session.cache.subscribe(['timelines', 'messages'], () => printer.printNew()),
    session.cache.subscribe(['channels', 'subscriptions'], (state) => {
      const refusal = accessRefusal(state, narrow, io.clock.now());
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

/** The number of printed ids to remember; messages older than all of them are not printed any more. */
const maxRemembered = 10_000;

/** Returns functions that print the messages at the end of a timeline: each once, in order. */
function tailPrinter(
  session: Session,
  narrow: Narrow,
  io: CliIo,
  {json, color, raw}: Pick<CommonOptions, 'json' | 'color'> & {readonly raw: boolean},
) {
  const {cache, timelines} = session;
  const showsConversations = conversationOfNarrow(narrow) === undefined;
  const rendering = (state: AccountState) => messageTextOptions(state, io.clock.now());
  const format = messageFormatter(
    outputStyle(io, color),
    {showsConversations, hasHeadings: io.outputIsTty},
    raw ? undefined : rendering,
  );
  let printed = new Set<number>();
  /** Messages up to this id existed at the start, or are too old to be remembered. */
  let floor = -1;
  let newest = -1;
  const timeline = (): Timeline | undefined => cache.state.timelines.get(narrowKey(narrow));

  const print = (message: Message) => {
    const {state} = cache;
    const isUnread = state.unreads.byId.has(message.id);
    if (json) printJsonLine(io, messageJson(state, message, isUnread, rendering(state)));
    else void printStyled(io, format(state, message).join('\n'));
  };
  const printOnce = (id: number) => {
    const message = printed.has(id) ? undefined : cache.state.messages.byId.get(id);
    if (message === undefined) return;
    printed.add(id);
    print(message);
    newest = Math.max(newest, id);
    // After a gap the timeline is fetched around this message, so that no later one is skipped.
    timelines.setViewedMessage(narrow, newest);
    if (printed.size <= maxRemembered) return;
    const recent = [...printed].sort((a, b) => a - b).slice(-maxRemembered / 2);
    floor = (recent[0] ?? 0) - 1;
    printed = new Set(recent);
  };
  const printNew = () => {
    const current = timeline();
    // Until a stale timeline is reloaded, newer messages may arrive before older ones.
    if (current === undefined || current.loading === 'first' || current.isStale) return;
    for (const id of current.ids.from(floor + 1)) printOnce(id);
    const isIdle = current.loading === undefined && current.problem === undefined;
    // Loads newer messages. A failure is retried when the server is reachable again.
    if (!current.hasNewest && isIdle) timelines.loadNewer(narrow).catch(() => {});
  };
  return {
    printNew,
    /** Prints the last messages of the timeline, and then new ones as they arrive. */
    printLast(count: number): void {
      const ids = timeline()?.ids.toArray() ?? [];
      floor = ids.at(-1) ?? -1;
      newest = floor;
      for (const id of count === 0 ? [] : ids.slice(-count)) {
        const message = cache.state.messages.byId.get(id);
        if (message !== undefined) print(message);
      }
      printNew();
    },
  };
}
