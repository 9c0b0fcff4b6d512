import type {Frame} from '#app/core/frame.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import type {InboxSpot} from './inbox-state.ts';
import {isOver} from './is-inbox-empty.ts';
import {isTriageItem} from './triage-row.ts';

export function inboxSpot(frame: Frame): InboxSpot {
  if (isOver(frame)) return frame.screen.inbox.acts.length > 0 ? 'done' : 'nothing';
  const row = cursorRow(frame, 'inbox');
  if (row === undefined) return 'nothing';
  return isTriageItem(row) ? row.conversation.kind : 'group';
}
