import type {App} from '#app/core/app.ts';
import {confirm} from '#app/overlays/picker.ts';
import type {PendingAction} from '#state/actions/reversible-actions.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {conversationRowTitle} from '#state/selectors/names/names.ts';
import {composed, joined} from '#std/composed-text.ts';
import {countedNoun} from '#wording/counted-noun.ts';

/** Shown when a key for one conversation is pressed on a group's title. */
export const groupRowHint = {text: 'This is a group', hint: 'X marks all read, Enter unfolds it'};

/** Returns the actions that mark messages read; none without messages. */
export function markReadActions(ids: readonly number[]): readonly PendingAction[] {
  return ids.length === 0 ? [] : [{kind: 'flags', op: 'add', flag: 'read', ids}];
}

const maxNames = 3;

/**
 * Asks before messages of several conversations are marked read. `mark` receives those that are still unread when the user
 * agrees.
 */
export function askBeforeMany(
  app: App,
  name: string,
  ids: readonly number[],
  mark: (ids: readonly number[]) => void,
): void {
  const {byId, conversations} = app.state.unreads;
  const keys = [...new Set(ids.flatMap((id) => byId.get(id) ?? []))];
  if (keys.length < 2) {
    mark(ids);
    return;
  }
  const titles = keys.slice(0, maxNames).flatMap((key) => {
    const conversation = conversations.get(key)?.conversation;
    return conversation === undefined ? [] : [conversationRowTitle(app.state, conversation)];
  });
  const more = keys.length > maxNames ? composed` and ${keys.length - maxNames} more` : '';
  // Groups of several organizations may have one title: only those of this account are meant.
  const where = app.frame.organizations === undefined ? name : composed`${name} of ${app.info.accountName}`;
  confirm(app, {
    title: `Mark ${where} read: ${keys.length} conversations?`,
    yes: `Mark ${countedNoun(ids.length, 'message')} read`,
    detail: `${joined(titles)}${more}`,
    onYes: () => mark(ids.filter((id) => app.state.unreads.byId.has(id))),
  });
}

/** Returns the label: how many messages were marked read, and in how many conversations. */
export function markedReadLabel(name: string, ids: readonly number[], keys: readonly ConversationKey[]): string {
  const count = keys.length === 1 ? '1 conversation' : `${keys.length} conversations`;
  return composed`Marked ${name} read (${ids.length} in ${count})`;
}
