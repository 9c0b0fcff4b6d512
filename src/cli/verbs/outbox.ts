import {failureMessage, isApiFailure} from '#api/failure.ts';
import {openAccount} from '#cli/account-access/open-account.ts';
import {openPersistentStore} from '#cli/account-access/open-store.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {conversationNeeds, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, print, printJson, printNotice} from '#cli/io.ts';
import {outputColumns} from '#cli/messages/columns.ts';
import {VerbOutbox} from '#cli/messages/deliver-message.ts';
import {findByIdPrefix, requireIds} from '#cli/messages/find-by-id-prefix.ts';
import {KnownDestinations} from '#cli/messages/known-destinations.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
import {UsageError} from '#cli/usage-error.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import type {AccountStore} from '#state/account-store.ts';
import {initialState} from '#state/initial-state.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import type {VerbRunner} from './run.ts';
import {sendNeeds} from './send.ts';
import type {AccountOptions} from './verb-table.ts';

export const outbox: VerbRunner<'outbox'> = (given, io, signal) => {
  const [action = 'list', ...ids] = given.words;
  switch (action) {
    case 'list':
      if (ids.length > 0) throw new UsageError('“outbox list” takes no more words.');
      return list(given, io, signal);
    case 'send':
      return sendAgain(given.values, requireIds(action, ids), io, signal);
    case 'discard':
      return discard(given, requireIds(action, ids), io);
    default:
      throw new UsageError(`“parley outbox” lists, sends or discards; “${action}” is none of these.`);
  }
};

async function withStore<T>(asWhom: AccountOptions, io: CliIo, body: (store: AccountStore) => T): Promise<T> {
  const {account, release} = await openAccount(asWhom, io);
  try {
    const store = openPersistentStore(account, io);
    try {
      return body(store);
    } finally {
      store.close();
    }
  } finally {
    await release();
  }
}

const list: VerbRunner<'outbox'> = async ({values}, io, signal) => {
  const {entries, remembered} = await withStore(values, io, (store) => {
    const places = new KnownDestinations(store.keyValues);
    const waiting = store.outbox
      .all()
      .map((entry) => ({...entry, lastTitle: places.titleOf(entry.conversation)}));
    return {entries: waiting, remembered: waiting.length === 0 ? undefined : restoreState(store)};
  });
  const isKnown = remembered !== undefined || entries.length === 0;
  const state = isKnown ? (remembered ?? initialState) : await fetchNames(values, entries, io, signal);
  if (values.json)
    printJson(
      io,
      entries.map((entry) => entryJson(state, entry)),
    );
  else if (entries.length === 0) print(io, 'Everything is sent.');
  else print(io, entries.flatMap((entry) => entryLines(state, entry, outputColumns(io))).join('\n'));
  return exitCodes.ok;
};

/** What the places are called, if the server can be asked. */
async function fetchNames(
  asWhom: AccountOptions,
  entries: readonly OutboxEntry[],
  io: CliIo,
  signal: AbortSignal,
): Promise<AccountState> {
  const people = entries.flatMap(({conversation}) =>
    conversation.kind === 'direct' ? conversation.userIds : [],
  );
  try {
    return await withState(asWhom, io, signal, {fetch: conversationNeeds, people: 'self'}, async (world) => {
      return (await withFetchedUsers(world, people)).state;
    });
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    printNotice(io, failureMessage(error));
    return initialState;
  }
}

interface ListedEntry extends OutboxEntry {
  /** What its place was called when it was last written to. */
  readonly lastTitle: string | undefined;
}

function titleOf(state: AccountState, {conversation, lastTitle}: ListedEntry): string {
  return (state === initialState ? lastTitle : undefined) ?? conversationTitle(state, conversation);
}

function entryLines(state: AccountState, entry: ListedEntry, columns: number): string[] {
  const {id, status, content, problem} = entry;
  const place = printableLine(titleOf(state, entry));
  const line = truncateToColumns(`${id}  ${status.padEnd(11)}  ${place}: ${printableLine(content)}`, columns);
  return problem === undefined ? [line] : [line, `    ${printableLine(problem)}`];
}

function entryJson(state: AccountState, entry: ListedEntry) {
  const {id, status, conversation, content, createdAt, problem} = entry;
  return {
    id,
    status,
    conversation: {...conversationJson(state, conversation), title: titleOf(state, entry)},
    content,
    createdAt,
    problem: problem ?? null,
  };
}

const discard = (
  given: Parameters<VerbRunner<'outbox'>>[0],
  ids: readonly string[],
  io: CliIo,
): Promise<ExitCode> =>
  withStore(given.values, io, (store) => {
    const entries = ids.map((id) => findByIdPrefix(store.outbox.all(), id, 'message in the outbox'));
    for (const {id} of entries) {
      // First out of reach of every sender, so that what is thrown away is not sent at the same moment.
      const waiting = ['queued', 'held', 'failed', 'unconfirmed'] as const;
      if (store.outbox.update(id, waiting, {status: 'failed'}) === undefined) {
        throw new PlainFailure(`${id} is being sent right now.`);
      }
      store.outbox.remove(id);
    }
    if (given.values.json) printJson(io, {discarded: entries.map(({id}) => id)});
    else print(io, `Discarded ${entries.length === 1 ? 'one message' : `${entries.length} messages`}.`);
    return exitCodes.ok;
  });

async function sendAgain(
  values: Parameters<VerbRunner<'outbox'>>[0]['values'],
  ids: readonly string[],
  io: CliIo,
  signal: AbortSignal,
): Promise<ExitCode> {
  return withState(values, io, signal, {fetch: sendNeeds, people: 'self'}, (world) =>
    withSessionContext(world, async (context) => {
      const entries = ids.map((id) =>
        findByIdPrefix(context.store.outbox.all(), id, 'message in the outbox'),
      );
      const sending = new VerbOutbox(context, io);
      let code: ExitCode = exitCodes.ok;
      const done: object[] = [];
      for (const {id} of entries) {
        sending.outbox.resend(id);
        const delivery = await sending.waitForDelivery(id);
        done.push({id, ...delivery});
        if (delivery.kind === 'sent') continue;
        printNotice(io, `${id}: ${delivery.problem}`);
        code = delivery.kind === 'unconfirmed' ? exitCodes.failed : delivery.exitCode;
      }
      await sending.end();
      if (values.json) printJson(io, done);
      else if (code === exitCodes.ok) print(io, `Sent ${done.length === 1 ? 'it' : `all ${done.length}`}.`);
      return code;
    }),
  );
}
