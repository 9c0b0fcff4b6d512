import {withStore} from '#cli/account-access/open-store.ts';
import {conversationNeeds, withFetchedUsers, withSessionContext, withState} from '#cli/account-access/with-state.ts';
import {type CliIo, type ExitCode, exitCodes, PlainFailure, printNotice} from '#cli/io.ts';
import {verbOutbox} from '#cli/messages/deliver-message.ts';
import {lastTitleOf} from '#cli/messages/destination-arguments.ts';
import {conversationJson} from '#cli/messages/message-text.ts';
import {cutLines} from '#cli/table-lines.ts';
import type {AccountStore} from '#state/account-store.ts';
import {initialState} from '#state/initial-state.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {OutboxLedger} from '#state/outbox/outbox-ledger.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {composed, withoutIsolates} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {actionOf, findByIdPrefix, type ListAction} from './list-action.ts';
import {sendNeeds} from './send.ts';
import type {VerbArguments, VerbResult, VerbRunner} from './verb-table.ts';

type OutboxValues = VerbArguments<'outbox'>['values'];
type OutboxAction = (
  values: OutboxValues,
  ids: readonly string[],
  io: CliIo,
  signal: AbortSignal,
) => Promise<VerbResult>;

const outboxActions: Readonly<Record<string, ListAction<OutboxAction>>> = {
  list: {ids: 'none', run: listUnsent},
  send: {ids: 'some', run: resend},
  discard: {ids: 'some', run: discard},
};

export const outbox: VerbRunner<'outbox'> = async ({values, words}, io, signal) => {
  const {run, ids} = actionOf('outbox', outboxActions, words);
  return run(values, ids, io, signal);
};

async function listUnsent(values: OutboxValues, _ids: unknown, io: CliIo, signal: AbortSignal): Promise<VerbResult> {
  const saved = await withStore(values, io, savedOutbox);
  const hasUnconfirmed = saved.entries.some(({status}) => status === 'unconfirmed');
  const ledgerNeeds = {fetch: sendNeeds, people: 'self'} as const;
  // Unconfirmed messages that the server has after all are removed.
  const removeDelivered = () =>
    withState(values, io, signal, ledgerNeeds, (context) =>
      withSessionContext(context, (session) => new OutboxLedger(session).removeDelivered()),
    );
  if (hasUnconfirmed) await unlessUnreachable(io, removeDelivered);
  const {entries, savedState} = hasUnconfirmed ? await withStore(values, io, savedOutbox) : saved;
  const people = entries.flatMap(({conversation}) => (conversation.kind === 'direct' ? conversation.userIds : []));
  const fetchNames = () =>
    withState(values, io, signal, {fetch: conversationNeeds, people: 'self'}, async (context) => {
      return (await withFetchedUsers(context, people)).state;
    });
  const hasNames = savedState !== undefined || entries.length === 0;
  const state = (hasNames ? savedState : await unlessUnreachable(io, fetchNames)) ?? initialState;
  return {
    json: entries.map((entry) => entryJson(state, entry)),
    text:
      entries.length === 0
        ? 'The outbox is empty.'
        : entries.flatMap((entry) => entryLines(state, entry, io)).join('\n'),
  };
}

function savedOutbox(store: AccountStore) {
  const lastTitle = ({conversation}: OutboxEntry) => lastTitleOf(store.keyValues, conversation);
  const entries = store.outbox.all().map((entry) => ({...entry, lastTitle: lastTitle(entry)}));
  return {entries, savedState: entries.length === 0 ? undefined : restoreState(store)};
}

/** Prints the problem and goes on when the server cannot be asked. */
async function unlessUnreachable<T>(io: CliIo, request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    printNotice(io, failureMessage(error));
    return undefined;
  }
}

interface ListedEntry extends OutboxEntry {
  /** The title of its conversation when it was last used. */
  readonly lastTitle: string | undefined;
}

function titleOf(state: AccountState, {conversation, lastTitle}: ListedEntry): string {
  return (state === initialState ? lastTitle : undefined) ?? conversationTitle(state, conversation);
}

function entryLines(state: AccountState, entry: ListedEntry, io: CliIo): string[] {
  const {id, status, content, problem} = entry;
  const title = printableLine(titleOf(state, entry));
  const line = cutLines(io, [composed`${id}  ${status.padEnd(11)}  ${title}: ${printableLine(content)}`]);
  return problem === undefined ? [line] : [line, composed`    ${printableLine(problem)}`];
}

function entryJson(state: AccountState, entry: ListedEntry) {
  const {id, status, conversation, content, createdAt, problem} = entry;
  return {
    id,
    status,
    conversation: {...conversationJson(state, conversation), title: withoutIsolates(titleOf(state, entry))},
    content,
    createdAt,
    problem: problem ?? null,
  };
}

function chosenEntries({outbox: box}: AccountStore, ids: readonly string[]): OutboxEntry[] {
  return ids.map((id) => findByIdPrefix(box.all(), id, 'message in the outbox'));
}

function discard(values: OutboxValues, ids: readonly string[], io: CliIo): Promise<VerbResult> {
  return withStore(values, io, (store) => {
    const entries = chosenEntries(store, ids);
    for (const {id} of entries) {
      // Marked as failed first, so that no other program sends it at the same moment.
      const discardable = ['queued', 'held', 'failed', 'unconfirmed'] as const;
      if (store.outbox.update(id, discardable, {status: 'failed'}) === undefined) {
        throw new PlainFailure(`${id} is being sent. Try again in a moment.`);
      }
      store.outbox.remove(id);
    }
    const text = `Discarded ${countedNoun(entries.length, 'message')}.`;
    return {json: {discarded: entries.map(({id}) => id)}, text};
  });
}

function resend(values: OutboxValues, ids: readonly string[], io: CliIo, signal: AbortSignal): Promise<VerbResult> {
  return withState(values, io, signal, {fetch: sendNeeds, people: 'self'}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const entries = chosenEntries(context.store, ids);
      const sending = verbOutbox(context, io);
      let exitCode: ExitCode = exitCodes.ok;
      const results: object[] = [];
      for (const {id} of entries) {
        sending.outbox.resend(id);
        const delivery = await sending.waitForDelivery(id);
        results.push({id, ...delivery});
        if (delivery.kind === 'sent') continue;
        printNotice(io, `${id}: ${delivery.problem}`);
        exitCode = delivery.kind === 'unconfirmed' ? exitCodes.unknown : delivery.exitCode;
      }
      await sending.end();
      const text = exitCode === exitCodes.ok ? `Sent ${countedNoun(results.length, 'message')}.` : undefined;
      return {json: results, text, exitCode};
    }),
  );
}
