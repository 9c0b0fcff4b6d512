import {readConfigSettings} from '#cli/account-access/open-store.ts';
import {withSessionContext} from '#cli/account-access/with-session-context.ts';
import {type StateContext, withFetchedUsers, withState} from '#cli/account-access/with-state.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {PlainFailure} from '#cli/failures.ts';
import {print, printJson} from '#cli/io.ts';
import {outputColumns} from '#cli/messages/columns.ts';
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
import {printable, printableLine} from '#std/printable.ts';
import type {VerbRunner} from './run.ts';
import {checkSending, printSentJson, sendNeeds} from './send.ts';
import type {VerbArguments} from './verb-table.ts';

interface DraftsContext {
  readonly world: StateContext;
  readonly context: SessionContext;
  readonly drafts: Drafts;
  readonly values: VerbArguments<'drafts'>['values'];
}
type DraftsAction = (scene: DraftsContext, ids: readonly string[]) => Promise<ExitCode> | ExitCode;

const actions: Readonly<Record<string, DraftsAction>> = {
  list: ({world, drafts, values}) => {
    const all = drafts.all().toSorted((a, b) => b.editedAt - a.editedAt);
    if (values.json)
      printJson(
        world.io,
        all.map((draft) => draftJson(world.state, draft)),
      );
    else if (all.length === 0) print(world.io, 'There are no drafts.');
    else
      print(
        world.io,
        all
          .map((draft) => truncateToColumns(draftLine(world.state, draft), outputColumns(world.io)))
          .join('\n'),
      );
    return exitCodes.ok;
  },
  show: ({world, drafts, values}, ids) => {
    const [draft] = chosen(drafts, ids);
    if (draft === undefined) return exitCodes.failed;
    if (values.json) printJson(world.io, draftJson(world.state, draft));
    else print(world.io, printable(draft.content));
    return exitCodes.ok;
  },
  delete: async ({world, drafts, values}, ids) => {
    const gone = chosen(drafts, ids);
    for (const {id} of gone) drafts.remove(id);
    await drafts.flush();
    if (values.json) printJson(world.io, {deleted: gone.map(({id}) => id)});
    else print(world.io, `Deleted ${gone.length === 1 ? 'one draft' : `${gone.length} drafts`}.`);
    return exitCodes.ok;
  },
  send: async (scene, ids) => {
    const [draft] = chosen(scene.drafts, ids);
    return draft === undefined ? exitCodes.failed : sendDraft(scene, draft);
  },
};

export const drafts: VerbRunner<'drafts'> = async ({values, words}, io, signal) => {
  const [name = 'list', ...ids] = words;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    throw new UsageError(`“parley drafts” can list, show, send or delete; “${name}” is none of these.`);
  }
  if (name !== 'list') requireIds(`drafts ${name}`, ids, name === 'delete' ? Number.POSITIVE_INFINITY : 1);
  else if (ids.length > 0) throw new UsageError('“drafts list” takes no more words.');
  const fetch = [...sendNeeds, 'drafts', 'user_settings'] as const;
  return withState(values, io, signal, {fetch, people: 'self'}, (world) =>
    withSessionContext(world, async (context) => {
      const journal = new Drafts(context, readConfigSettings(io).draftSync);
      journal.onRegistered();
      await journal.flush();
      const named = await withFetchedUsers(
        world,
        journal.all().flatMap(({target}) => peopleOf(target)),
      );
      return action({world: named, context, drafts: journal, values}, ids);
    }),
  );
};

function peopleOf(target: DraftTarget): readonly number[] {
  return target.kind === 'direct' ? target.userIds : [];
}

/** By our id, or by the server's. */
function chosen(journal: Drafts, ids: readonly string[]): LocalDraft[] {
  const all = journal.all();
  return ids.map(
    (id) => all.find(({serverId}) => String(serverId) === id) ?? findByIdPrefix(all, id, 'draft'),
  );
}

async function sendDraft(
  {world, context, drafts: journal, values}: DraftsContext,
  draft: LocalDraft,
): Promise<ExitCode> {
  const {target, content, id} = draft;
  if (target.kind === 'none') {
    throw new PlainFailure(
      'It is not said yet where this draft is to go: “parley send --to …” sends its text.',
    );
  }
  checkSending(world, target, content);
  const {entryId, delivery, outbox} = await deliverMessage(
    context,
    {conversation: target, content, draftId: id},
    world.io,
  );
  if (delivery.kind === 'sent') {
    // The server's copy of the draft goes as well.
    await journal.flush();
    if (values.json) printSentJson(world.io, world.state, target, delivery.messageId);
    else print(world.io, `Sent to ${printableLine(conversationTitle(world.state, target))}.`);
    return exitCodes.ok;
  }
  if (delivery.kind === 'unconfirmed') throw unconfirmedFailure(delivery, context);
  outbox.toDraft(entryId);
  throw new PlainFailure(`${delivery.problem} It is a draft again.`, delivery.exitCode);
}

function targetTitle(state: AccountState, target: DraftTarget): string {
  if (target.kind !== 'none') return conversationTitle(state, target);
  return target.topic === '' ? 'nowhere yet' : `nowhere yet › ${target.topic}`;
}

function draftLine(state: AccountState, {id, target, content}: LocalDraft): string {
  return `${id}  ${printableLine(targetTitle(state, target))}: ${printableLine(content)}`;
}

function draftJson(state: AccountState, {id, serverId, target, content, editedAt}: LocalDraft) {
  const conversation = target.kind === 'none' ? null : conversationJson(state, target);
  return {id, serverId: serverId ?? null, conversation, content, editedAt};
}
