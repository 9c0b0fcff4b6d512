import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {Reminder, ScheduledMessage} from '#state/model/personal.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';

/** An entry of the drafts panel: something the user wrote that is not a message yet. */
export type PanelItem =
  | {readonly kind: 'draft'; readonly draft: LocalDraft}
  | {readonly kind: 'outbox'; readonly entry: OutboxEntry}
  | {readonly kind: 'scheduled'; readonly message: ScheduledMessage}
  | {readonly kind: 'reminder'; readonly reminder: Reminder};

/**
 * Returns whether the target can still be written to: the channel exists and is not archived, the people are active.
 */
export function targetExists({channels, users}: AccountState, target: DraftTarget): boolean {
  switch (target.kind) {
    case 'none':
      return false;
    case 'topic': {
      const channel = channels.get(target.channelId);
      return channel !== undefined && channel.isArchived !== true;
    }
    case 'direct':
      return target.userIds.every((id) => users.get(id)?.isActive === true);
  }
}

export function draftDestinationTitle(account: AccountState, target: DraftTarget): string {
  if (target.kind !== 'none') return conversationTitle(account, target);
  return target.topic === '' ? 'No destination yet' : `No destination yet › ${target.topic}`;
}

/** Matches the start of a reminder without a note, as servers write it. */
const serverText = /\b(?:reminded of|reminder for)\b/i;

/** Matches a note that follows the server's own text as a quote. */
const quotedNote = /^[^\n]*\n > ([\s\S]*?)\n\n@_\*\*/;

/** Returns the user's note. Servers that do not send it separately put it before or behind the first line of their own text. */
export function reminderNote({note, content}: Reminder): string {
  if (note !== undefined && note !== '') return note;
  const [, quoted] = quotedNote.exec(content) ?? [];
  if (quoted !== undefined) return quoted;
  const [first = '', ...more] = content.split('\n\n');
  return more.length === 0 || serverText.test(first) ? '' : first;
}
