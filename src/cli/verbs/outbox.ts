import {failureMessage, isApiFailure} from '#api/failure.ts';
import {openAccount} from '#cli/account-access/open-account.ts';
import {openPersistentStore} from '#cli/account-access/open-store.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {conversationNeeds, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, outputColumns, print, printJson, printNotice} from '#cli/io.ts';
import {VerbOutbox} from '#cli/messages/deliver-message.ts';
import {findByIdPrefix, requireIds} from '#cli/messages/find-by-id-prefix.ts';
import {KnownDestinations} from '#cli/messages/known-destinations.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
import {UsageError} from '#cli/usage-error.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import type {AccountStore} from '#state/account-store.ts';
import {initialState} from '#state/initial-state.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {OutboxLedger} from '#state/outbox/outbox-ledger.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {sendNeeds} from './send.ts';
import type {VerbRunner} from './verb-runner.ts';
import type {AccountOptions} from './verb-table.ts';

export const outbox: VerbRunner<'outbox'> = (verbArguments, io, signal) => {
  const [action = 'list', ...ids] = verbArguments.words;
  switch (action) {
    case 'list':
      if (ids.length > 0) throw new UsageError('“outbox list” takes no arguments.');
      return list(verbArguments, io, signal);
    case 'send':
      return resend(verbArguments.values, requireIds(action, ids), io, signal);
    case 'discard':
      return discard(verbArguments, requireIds(action, ids), io);
    default:
      throw new UsageError(`Use “parley outbox” with list, send or discard, not “${action}”.`);
  }
};

async function withStore<T>(accountOptions: AccountOptions, io: CliIo, body: (store: AccountStore) => T): Promise<T> {
  const {account, release} = await openAccount(accountOptions, io);
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
  const saved = await withStore(values, io, savedOutbox);
  const hasUnconfirmed = saved.entries.some(({status}) => status === 'unconfirmed');
  if (hasUnconfirmed) await removeDelivered(values, io, signal);
  const {entries, savedState} = hasUnconfirmed ? await withStore(values, io, savedOutbox) : saved;
  const hasNames = savedState !== undefined || entries.length === 0;
  const state = hasNames ? (savedState ?? initialState) : await fetchNames(values, entries, io, signal);
  if (values.json)
    printJson(
      io,
      entries.map((entry) => entryJson(state, entry)),
    );
  else if (entries.length === 0) print(io, 'The outbox is empty.');
  else print(io, entries.flatMap((entry) => entryLines(state, entry, outputColumns(io))).join('\n'));
  return exitCodes.ok;
};

function savedOutbox(store: AccountStore) {
  const destinations = new KnownDestinations(store.keyValues);
  const entries = store.outbox.all().map((entry) => ({...entry, lastTitle: destinations.titleOf(entry.conversation)}));
  return {entries, savedState: entries.length === 0 ? undefined : restoreState(store)};
}

/** Removes unconfirmed messages that the server has after all. Prints the problem when it cannot be asked. */
async function removeDelivered(accountOptions: AccountOptions, io: CliIo, signal: AbortSignal): Promise<void> {
  try {
    await withState(accountOptions, io, signal, {fetch: sendNeeds, people: 'self'}, (verbContext) =>
      withSessionContext(verbContext, (context) => new OutboxLedger(context).removeDelivered()),
    );
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    printNotice(io, failureMessage(error));
  }
}

/**
 * Fetches the names of the conversations. Prints the problem and goes on without names when the server is unreachable.
 */
async function fetchNames(
  accountOptions: AccountOptions,
  entries: readonly OutboxEntry[],
  io: CliIo,
  signal: AbortSignal,
): Promise<AccountState> {
  const people = entries.flatMap(({conversation}) => (conversation.kind === 'direct' ? conversation.userIds : []));
  try {
    return await withState(
      accountOptions,
      io,
      signal,
      {fetch: conversationNeeds, people: 'self'},
      async (verbContext) => {
        return (await withFetchedUsers(verbContext, people)).state;
      },
    );
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    printNotice(io, failureMessage(error));
    return initialState;
  }
}

interface ListedEntry extends OutboxEntry {
  /** The title of its conversation when it was last used. */
  readonly lastTitle: string | undefined;
}

function titleOf(state: AccountState, {conversation, lastTitle}: ListedEntry): string {
  return (state === initialState ? lastTitle : undefined) ?? conversationTitle(state, conversation);
}

function entryLines(state: AccountState, entry: ListedEntry, columns: number): string[] {
  const {id, status, content, problem} = entry;
  const title = printableLine(titleOf(state, entry));
  const line = truncateToColumns(`${id}  ${status.padEnd(11)}  ${title}: ${printableLine(content)}`, columns);
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
  verbArguments: Parameters<VerbRunner<'outbox'>>[0],
  ids: readonly string[],
  io: CliIo,
): Promise<ExitCode> =>
  withStore(verbArguments.values, io, (store) => {
    const entries = ids.map((id) => findByIdPrefix(store.outbox.all(), id, 'message in the outbox'));
    for (const {id} of entries) {
      // Marked as failed first, so that no other program sends it at the same moment.
      const discardable = ['queued', 'held', 'failed', 'unconfirmed'] as const;
      if (store.outbox.update(id, discardable, {status: 'failed'}) === undefined) {
        throw new PlainFailure(`${id} is being sent. Try again in a moment.`);
      }
      store.outbox.remove(id);
    }
    if (verbArguments.values.json) printJson(io, {discarded: entries.map(({id}) => id)});
    else print(io, `Discarded ${entries.length === 1 ? '1 message' : `${entries.length} messages`}.`);
    return exitCodes.ok;
  });

async function resend(
  values: Parameters<VerbRunner<'outbox'>>[0]['values'],
  ids: readonly string[],
  io: CliIo,
  signal: AbortSignal,
): Promise<ExitCode> {
  return withState(values, io, signal, {fetch: sendNeeds, people: 'self'}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const entries = ids.map((id) => findByIdPrefix(context.store.outbox.all(), id, 'message in the outbox'));
      const verbOutbox = new VerbOutbox(context, io);
      let code: ExitCode = exitCodes.ok;
      const results: object[] = [];
      for (const {id} of entries) {
        verbOutbox.outbox.resend(id);
        const delivery = await verbOutbox.waitForDelivery(id);
        results.push({id, ...delivery});
        if (delivery.kind === 'sent') continue;
        printNotice(io, `${id}: ${delivery.problem}`);
        code = delivery.kind === 'unconfirmed' ? exitCodes.failed : delivery.exitCode;
      }
      await verbOutbox.end();
      if (values.json) printJson(io, results);
      else if (code === exitCodes.ok)
        print(io, `Sent ${results.length === 1 ? '1 message' : `${results.length} messages`}.`);
      return code;
    }),
  );
}
