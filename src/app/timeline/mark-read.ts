import type {App} from '#app/app.ts';
import {doUndoably} from '#app/deeds.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {conversationTitle} from '#state/selectors/names.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';

/** Exactly what is known as unread there now; what arrives in the same moment stays unread. False when there was nothing. */
export function markConversationRead(app: App, conversation: Conversation): boolean {
  if (app.facts.isExploring || app.facts.isReadOnly) return false;
  const ids = unreadIdsOf(app.state, conversationNarrow(conversation));
  if (ids.length === 0) return false;
  const label = `Marked ${conversationTitle(app.state, conversation)} read (${ids.length})`;
  return doUndoably(app, {kind: 'flags', op: 'add', flag: 'read', ids}, label);
}
