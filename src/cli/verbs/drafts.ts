import {readConfigSettings} from '#cli/account-access/open-store.ts';
import {type StateContext, withFetchedUsers} from '#cli/account-access/with-state.ts';
import {exitCodes, PlainFailure} from '#cli/io.ts';
import {deliverMessage, unconfirmedFailure} from '#cli/messages/deliver-message.ts';
import {conversationJson} from '#cli/messages/message-text.ts';
import {cutLines} from '#cli/table-lines.ts';
import {Drafts} from '#state/drafts/drafts.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {sessionVerb} from './account-verb.ts';
import {actionOf, findByIdPrefix, type ListAction} from './list-action.ts';
import {checkSending, sendNeeds, sentResult} from './send.ts';
import type {VerbResult, VerbRunner} from './verb-table.ts';

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
        return composed`${id}  ${printableLine(targetTitle(state, target))}: ${printableLine(content)}`;
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
  return target.topic === '' ? '(no recipient)' : composed`(no channel) › ${target.topic}`;
}

function draftJson(state: AccountState, {id, serverId, target, content, editedAt}: LocalDraft) {
  const conversation = target.kind === 'none' ? null : conversationJson(state, target);
  return {id, serverId: serverId ?? null, conversation, content, editedAt};
}
