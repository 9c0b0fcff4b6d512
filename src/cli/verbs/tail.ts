import {makeApi} from '#api/api.ts';
import {connect} from '#cli/account-access/connect.ts';
import {openAccount} from '#cli/account-access/open-account.ts';
import {openStore, readConfigSettings} from '#cli/account-access/open-store.ts';
import {type ExitCode, exitCodes, PlainFailure} from '#cli/failures.ts';
import {type CliIo, printNotice, printStyled} from '#cli/io.ts';
import {accessRefusal, narrowFromWords} from '#cli/messages/destination-arguments.ts';
import {messageJson, printJsonLine} from '#cli/messages/message-json.ts';
import {MessageFormatter, messageTextOptions, outputStyle} from '#cli/messages/message-text.ts';
import {refreshSeconds, ViewRefresher} from '#state/fetches/view-refresher.ts';
import {isLiveView} from '#state/messages/event-conversations.ts';
import type {Message} from '#state/model/message.ts';
import {channelIdOfNarrow, conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {createSession, type Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import type {CommonOptions} from './verb.ts';
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
    const refusal = accessRefusal(session.cache.state, narrow, io.clock.now());
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

/** Looks for new messages from time to time while no events report them, for lack of a subscription. */
function refreshWithoutEvents(session: Session, narrow: Narrow, io: CliIo): () => void {
  const refresher = new ViewRefresher(io.clock);
  let isLive = true;
  const update = (state: AccountState) => {
    const wasLive = isLive;
    isLive = isLiveView(state, narrow);
    if (wasLive && !isLive && accessRefusal(state, narrow, io.clock.now()) === undefined) {
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

/** Prints the messages that are added at the end of a timeline: each once, in order. */
class TailPrinter {
  readonly #session: Session;
  readonly #narrow: Narrow;
  readonly #io: CliIo;
  readonly #json: boolean;
  readonly #formatter: MessageFormatter;
  #printed = new Set<number>();
  /** Messages up to this id existed at the start, or are too old to be remembered. */
  #floor = -1;
  #newest = -1;

  constructor(
    session: Session,
    narrow: Narrow,
    io: CliIo,
    {json, color, raw}: Pick<CommonOptions, 'json' | 'color'> & {readonly raw: boolean},
  ) {
    this.#session = session;
    this.#narrow = narrow;
    this.#io = io;
    this.#json = json;
    const showsConversations = conversationOfNarrow(narrow) === undefined;
    this.#formatter = new MessageFormatter(outputStyle(io, color), {
      showsConversations,
      text: raw ? undefined : (state) => messageTextOptions(state, io.clock.now()),
    });
  }

  /** Prints the last messages of the timeline, and then new ones as they arrive. */
  printLast(count: number): void {
    const ids = this.#timeline()?.ids.toArray() ?? [];
    this.#floor = ids.at(-1) ?? -1;
    this.#newest = this.#floor;
    for (const id of count === 0 ? [] : ids.slice(-count)) {
      const message = this.#session.cache.state.messages.byId.get(id);
      if (message !== undefined) this.#print(message);
    }
    this.printNew();
  }

  printNew(): void {
    const timeline = this.#timeline();
    // Until a stale timeline is reloaded, newer messages may arrive before older ones.
    if (timeline === undefined || timeline.loading === 'first' || timeline.isStale) return;
    for (const id of timeline.ids.from(this.#floor + 1)) this.#printOnce(id);
    const isIdle = timeline.loading === undefined && timeline.problem === undefined;
    if (!timeline.hasNewest && isIdle) this.#catchUp();
  }

  #timeline(): Timeline | undefined {
    return this.#session.cache.state.timelines.get(narrowKey(this.#narrow));
  }

  #printOnce(id: number): void {
    const message = this.#printed.has(id) ? undefined : this.#session.cache.state.messages.byId.get(id);
    if (message === undefined) return;
    this.#printed.add(id);
    this.#print(message);
    this.#newest = Math.max(this.#newest, id);
    // After a gap the timeline is fetched around this message, so that no later one is skipped.
    this.#session.timelines.setViewedMessage(this.#narrow, this.#newest);
    if (this.#printed.size > maxRemembered) this.#dropOldIds();
  }

  #dropOldIds(): void {
    const recent = [...this.#printed].sort((a, b) => a - b).slice(-maxRemembered / 2);
    this.#floor = (recent[0] ?? 0) - 1;
    this.#printed = new Set(recent);
  }

  /** Loads newer messages. A failure is retried when the server is reachable again. */
  #catchUp(): void {
    this.#session.timelines.loadNewer(this.#narrow).catch(() => {});
  }

  #print(message: Message): void {
    const {state} = this.#session.cache;
    if (this.#json) {
      const options = messageTextOptions(state, this.#io.clock.now());
      printJsonLine(this.#io, messageJson(state, message, state.unreads.byId.has(message.id), options));
    } else void printStyled(this.#io, this.#formatter.lines(state, message).join('\n'));
  }
}
