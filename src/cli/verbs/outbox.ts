import {failureMessage, isApiFailure} from '#api/failure.ts';
import {readConfigSettings, withStore} from '#cli/account-access/open-store.ts';
import {
  conversationNeeds,
  type StateContext,
  withFetchedUsers,
  withSessionContext,
  withState,
} from '#cli/account-access/with-state.ts';
import {type CliIo, type ExitCode, exitCodes, PlainFailure, printNotice, UsageError} from '#cli/io.ts';
import {deliverMessage, unconfirmedFailure, verbOutbox} from '#cli/messages/deliver-message.ts';
import {lastTitleOf} from '#cli/messages/destination-arguments.ts';
import {conversationJson} from '#cli/messages/message-text.ts';
import {cutLines} from '#cli/table-lines.ts';
import type {AccountStore} from '#state/account-store.ts';
import {Drafts} from '#state/drafts/drafts.ts';
import {initialState} from '#state/initial-state.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import {OutboxLedger} from '#state/outbox/outbox-ledger.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {ownValue} from '#std/own-value.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {sessionVerb} from './account-verb.ts';
import {checkSending, sendNeeds, sentResult} from './send.ts';
import type {VerbArguments} from './verb-table.ts';
import {printResult, type VerbResult, type VerbRunner} from './verb-table.ts';

interface ListAction<A> {
  /** The number of ids that it takes. */
  readonly ids: 'none' | 'one' | 'some';
  readonly run: A;
}

/** Returns the action that the words name, and its ids. Throws when there is none, or when the ids are missing. */
function actionOf<A>(verb: string, actions: Readonly<Record<string, ListAction<A>>>, words: readonly string[]) {
  const [name = 'list', ...ids] = words;
  const action = ownValue(actions, name);
  if (action === undefined) {
    const names = Object.keys(actions);
    const all = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    throw new UsageError(`Use “parley ${verb}” with ${all}, not “${name}”.`);
  }
  const takesNone = action.ids === 'none';
  if (takesNone && ids.length > 0) throw new UsageError(`“${verb} list” takes no arguments.`);
  if (!takesNone && ids.length === 0) throw new UsageError(`“${verb} ${name}” needs an id from the list.`);
  if (action.ids === 'one' && ids.length > 1) throw new UsageError(`“${verb} ${name}” takes only one id.`);
  return {run: action.run, ids};
}

/** Returns the entry with this id, or the only entry whose id starts with it. Throws when there is none or several. */
function findByIdPrefix<T extends {readonly id: string}>(entries: readonly T[], prefix: string, entryName: string): T {
  const exact = entries.find(({id}) => id === prefix);
  if (exact !== undefined) return exact;
  const [match, ...others] = prefix === '' ? [] : entries.filter(({id}) => id.startsWith(prefix));
  if (match === undefined) throw new PlainFailure(`There is no ${entryName} “${prefix}”.`);
  if (others.length > 0) throw new UsageError(`Several ids start with “${prefix}”. Type more of it.`);
  return match;
}

interface DraftsContext extends StateContext {
  readonly session: SessionContext;
  readonly drafts: Drafts;
}
type DraftsAction = (context: DraftsContext, chosen: readonly LocalDraft[]) => Promise<VerbResult> | VerbResult;

const draftActions: Readonly<Record<string, ListAction<DraftsAction>>> = {
  list: {
    ids: 'none',
    run: ({state, io, drafts}) => {
      const all = drafts.all().toSorted((a, b) => b.editedAt - a.editedAt);
      const lines = all.map(({id, target, content}) => {
        return `${id}  ${printableLine(targetTitle(state, target))}: ${printableLine(content)}`;
      });
      return {
        json: all.map((draft) => draftJson(state, draft)),
        text: all.length === 0 ? 'No drafts.' : cutLines(io, lines),
      };
    },
  },
  show: {
    ids: 'one',
    run: ({state}, [draft]) => ({json: draft && draftJson(state, draft), text: draft?.content}),
  },
  send: {
    ids: 'one',
    run: (context, [draft]) => {
      if (draft === undefined) throw new PlainFailure('There is no such draft.');
      return sendDraft(context, draft);
    },
  },
  delete: {
    ids: 'some',
    run: async ({drafts}, chosen) => {
      for (const {id} of chosen) drafts.remove(id);
      await drafts.flush();
      const text = `Deleted ${countedNoun(chosen.length, 'draft')}`;
      const json = {deleted: chosen.map(({id}) => id)};
      if (!chosen.some(({id}) => drafts.isRemovalPending(id))) return {json, text: `${text}.`};
      const notice = 'The server may still have them. Parley deletes them there the next time it connects.';
      return {json, text: `${text} on this machine.`, notice, exitCode: exitCodes.unknown};
    },
  },
};

export const drafts: VerbRunner<'drafts'> = sessionVerb(
  ({words}) => ({
    fetch: [...sendNeeds, 'drafts', 'user_settings'],
    people: 'self',
    action: actionOf('drafts', draftActions, words),
  }),
  async (context, {action: {run, ids}}) => {
    const journal = new Drafts(context.session, readConfigSettings(context.io).draftSync);
    journal.onRegistered();
    await journal.flush();
    const people = journal.all().flatMap(({target}) => (target.kind === 'direct' ? target.userIds : []));
    const {state} = await withFetchedUsers(context, people);
    const all = journal.all();
    // An id may be a local one or one of the server.
    const chosen = ids.map((id) => {
      return all.find(({serverId}) => String(serverId) === id) ?? findByIdPrefix(all, id, 'draft');
    });
    return run({...context, state, drafts: journal}, chosen);
  },
);

async function sendDraft({state, io, session, drafts: journal}: DraftsContext, draft: LocalDraft): Promise<VerbResult> {
  const {target, content, id} = draft;
  if (target.kind === 'none') {
    throw new PlainFailure('This draft has no recipient. Send its text with “parley send --to …”.');
  }
  checkSending({state, io}, target, content);
  const message = {conversation: target, content, draftId: id};
  const {entryId, delivery, outbox: sending} = await deliverMessage(session, message, io);
  if (delivery.kind === 'sent') {
    // Also deletes the server's copy of the draft.
    await journal.flush();
    return sentResult(state, target, delivery.messageId);
  }
  if (delivery.kind === 'unconfirmed') throw unconfirmedFailure(delivery, session);
  sending.toDraft(entryId);
  throw new PlainFailure(`${delivery.problem} The draft was kept.`, delivery.exitCode);
}

function targetTitle(state: AccountState, target: DraftTarget): string {
  if (target.kind !== 'none') return conversationTitle(state, target);
  return target.topic === '' ? '(no recipient)' : `(no channel) › ${target.topic}`;
}

function draftJson(state: AccountState, {id, serverId, target, content, editedAt}: LocalDraft) {
  const conversation = target.kind === 'none' ? null : conversationJson(state, target);
  return {id, serverId: serverId ?? null, conversation, content, editedAt};
}

type OutboxValues = VerbArguments<'outbox'>['values'];
type OutboxAction = (values: OutboxValues, ids: readonly string[], io: CliIo, signal: AbortSignal) => Promise<ExitCode>;

const outboxActions: Readonly<Record<string, ListAction<OutboxAction>>> = {
  list: {ids: 'none', run: listUnsent},
  send: {ids: 'some', run: resend},
  discard: {ids: 'some', run: discard},
};

export const outbox: VerbRunner<'outbox'> = async ({values, words}, io, signal) => {
  const {run, ids} = actionOf('outbox', outboxActions, words);
  return run(values, ids, io, signal);
};

async function listUnsent(values: OutboxValues, _ids: unknown, io: CliIo, signal: AbortSignal): Promise<ExitCode> {
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
  return printResult(io, values, {
    json: entries.map((entry) => entryJson(state, entry)),
    text:
      entries.length === 0
        ? 'The outbox is empty.'
        : entries.flatMap((entry) => entryLines(state, entry, io)).join('\n'),
  });
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
  const line = cutLines(io, [`${id}  ${status.padEnd(11)}  ${title}: ${printableLine(content)}`]);
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

function chosenEntries({outbox: box}: AccountStore, ids: readonly string[]): OutboxEntry[] {
  return ids.map((id) => findByIdPrefix(box.all(), id, 'message in the outbox'));
}

function discard(values: OutboxValues, ids: readonly string[], io: CliIo): Promise<ExitCode> {
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
    return printResult(io, values, {json: {discarded: entries.map(({id}) => id)}, text});
  });
}

function resend(values: OutboxValues, ids: readonly string[], io: CliIo, signal: AbortSignal): Promise<ExitCode> {
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
      return printResult(io, values, {json: results, text, exitCode});
    }),
  );
}
