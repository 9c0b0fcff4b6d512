import {readConfigSettings} from '#cli/account-access/open-store.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {outputColumns, print, printJson} from '#cli/io.ts';
import {deliverMessage, unconfirmedFailure} from '#cli/messages/deliver-message.ts';
import {findByIdPrefix, requireIds} from '#cli/messages/find-by-id-prefix.ts';
import {conversationJson} from '#cli/messages/message-json.ts';
import {UsageError} from '#cli/usage-error.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {Drafts} from '#state/drafts/drafts.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {checkSending, printSentJson, sendNeeds} from './send.ts';
import type {VerbRunner} from './verb-runner.ts';
import type {VerbArguments} from './verb-table.ts';

interface DraftsContext {
  readonly verbContext: StateContext;
  readonly context: SessionContext;
  readonly drafts: Drafts;
  readonly values: VerbArguments<'drafts'>['values'];
}
type DraftsAction = (context: DraftsContext, ids: readonly string[]) => Promise<ExitCode> | ExitCode;

const actions: Readonly<Record<string, DraftsAction>> = {
  list: ({verbContext, drafts, values}) => {
    const all = drafts.all().toSorted((a, b) => b.editedAt - a.editedAt);
    if (values.json)
      printJson(
        verbContext.io,
        all.map((draft) => draftJson(verbContext.state, draft)),
      );
    else if (all.length === 0) print(verbContext.io, 'No drafts.');
    else
      print(
        verbContext.io,
        all
          .map((draft) => truncateToColumns(draftLine(verbContext.state, draft), outputColumns(verbContext.io)))
          .join('\n'),
      );
    return exitCodes.ok;
  },
  show: ({verbContext, drafts, values}, ids) => {
    const [draft] = chosen(drafts, ids);
    if (draft === undefined) return exitCodes.failed;
    if (values.json) printJson(verbContext.io, draftJson(verbContext.state, draft));
    else print(verbContext.io, draft.content);
    return exitCodes.ok;
  },
  delete: async ({verbContext, drafts, values}, ids) => {
    const removed = chosen(drafts, ids);
    for (const {id} of removed) drafts.remove(id);
    await drafts.flush();
    if (values.json) printJson(verbContext.io, {deleted: removed.map(({id}) => id)});
    else print(verbContext.io, `Deleted ${removed.length === 1 ? '1 draft' : `${removed.length} drafts`}.`);
    return exitCodes.ok;
  },
  send: async (context, ids) => {
    const [draft] = chosen(context.drafts, ids);
    return draft === undefined ? exitCodes.failed : sendDraft(context, draft);
  },
};

export const drafts: VerbRunner<'drafts'> = async ({values, words}, io, signal) => {
  const [name = 'list', ...ids] = words;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    throw new UsageError(`Use “parley drafts” with list, show, send or delete, not “${name}”.`);
  }
  if (name !== 'list') requireIds(`drafts ${name}`, ids, name === 'delete' ? Number.POSITIVE_INFINITY : 1);
  else if (ids.length > 0) throw new UsageError('“drafts list” takes no arguments.');
  const fetch = [...sendNeeds, 'drafts', 'user_settings'] as const;
  return withState(values, io, signal, {fetch, people: 'self'}, (verbContext) =>
    withSessionContext(verbContext, async (context) => {
      const drafts = new Drafts(context, readConfigSettings(io).draftSync);
      drafts.onRegistered();
      await drafts.flush();
      const named = await withFetchedUsers(
        verbContext,
        drafts.all().flatMap(({target}) => peopleOf(target)),
      );
      return action({verbContext: named, context, drafts, values}, ids);
    }),
  );
};

function peopleOf(target: DraftTarget): readonly number[] {
  return target.kind === 'direct' ? target.userIds : [];
}

/** Returns the drafts with these ids, which may be local ids or ids of the server. */
function chosen(drafts: Drafts, ids: readonly string[]): LocalDraft[] {
  const all = drafts.all();
  return ids.map((id) => all.find(({serverId}) => String(serverId) === id) ?? findByIdPrefix(all, id, 'draft'));
}

async function sendDraft({verbContext, context, drafts, values}: DraftsContext, draft: LocalDraft): Promise<ExitCode> {
  const {target, content, id} = draft;
  if (target.kind === 'none') {
    throw new PlainFailure('This draft has no recipient. Send its text with “parley send --to …”.');
  }
  checkSending(verbContext, target, content);
  const {entryId, delivery, outbox} = await deliverMessage(
    context,
    {conversation: target, content, draftId: id},
    verbContext.io,
  );
  if (delivery.kind === 'sent') {
    // Also deletes the server's copy of the draft.
    await drafts.flush();
    if (values.json) printSentJson(verbContext.io, verbContext.state, target, delivery.messageId);
    else print(verbContext.io, `Sent to ${printableLine(conversationTitle(verbContext.state, target))}.`);
    return exitCodes.ok;
  }
  if (delivery.kind === 'unconfirmed') throw unconfirmedFailure(delivery, context);
  outbox.toDraft(entryId);
  throw new PlainFailure(`${delivery.problem} The draft was kept.`, delivery.exitCode);
}

function targetTitle(state: AccountState, target: DraftTarget): string {
  if (target.kind !== 'none') return conversationTitle(state, target);
  return target.topic === '' ? '(no recipient)' : `(no channel) › ${target.topic}`;
}

function draftLine(state: AccountState, {id, target, content}: LocalDraft): string {
  return `${id}  ${printableLine(targetTitle(state, target))}: ${printableLine(content)}`;
}

function draftJson(state: AccountState, {id, serverId, target, content, editedAt}: LocalDraft) {
  const conversation = target.kind === 'none' ? null : conversationJson(state, target);
  return {id, serverId: serverId ?? null, conversation, content, editedAt};
}
