import type {Frame} from '#app/core/frame.ts';
import {cursorRow} from '#app/lists/listing.ts';
import {isOver} from './over.ts';
import {isTriageItem} from './triage-row.ts';

/** What keys in the inbox are about: a topic, people, a folded group, or nothing, for all is done or was read before. */
export type InboxSpot = 'topic' | 'direct' | 'group' | 'done' | 'nothing';

export function inboxSpot(frame: Frame): InboxSpot {
  if (isOver(frame)) return frame.screen.inbox.acts.length > 0 ? 'done' : 'nothing';
  const row = cursorRow(frame, 'inbox');
  if (row === undefined) return 'nothing';
  return isTriageItem(row) ? row.conversation.kind : 'group';
}
