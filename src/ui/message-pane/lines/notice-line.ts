import {conversationKey} from '#state/model/conversation.ts';
import {conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {typingText} from '#state/selectors/people/people.ts';
import type {Frame, PaneLine} from '#ui/core/frame.ts';
import {leftRightLine, type UiSpan} from '#ui/layout/ui-line.ts';
import type {ShownTimeline} from '#ui/message-pane/shown-timeline.ts';
import {hasReachedEnd} from '#ui/message-pane/timeline-end.ts';
import {messageGlyphs} from './typeset.ts';

/** Larger counts show as `999+`. */
const maxCount = 999;

export interface Notice {
  readonly typing: string;
  readonly below: string;
}

/** Returns who is typing, and what is below the visible messages; empty texts for nothing. */
export function noticeOf(frame: Frame, narrow: Narrow, shown: ShownTimeline): Notice {
  const conversation = conversationOfNarrow(narrow);
  const typing = conversation === undefined ? '' : typingText(frame.account, conversation);
  return {typing, below: belowText(frame, narrow, shown)};
}

function belowText(frame: Frame, narrow: Narrow, {window, timeline}: ShownTimeline): string {
  if (window === undefined || timeline === undefined) return '';
  if (window.isAtEnd && hasReachedEnd(frame.account, timeline)) return '';
  const {down, between} = messageGlyphs(frame.display);
  const unread = unreadBelow(frame, narrow, window.rows.at(-1)?.key);
  const count = unread > maxCount ? `${maxCount}+` : String(unread);
  // The key would move in the focused pane.
  const key = frame.screen.focus === 'other' ? '' : ` ${between} G`;
  return `${down} ${unread === 0 ? 'more' : `${count} unread`} below${key}`;
}

function unreadBelow({account}: Frame, narrow: Narrow, last: number | string | undefined): number {
  const conversation = conversationOfNarrow(narrow);
  if (conversation === undefined || typeof last !== 'number') return 0;
  const ids = account.unreads.conversations.get(conversationKey(conversation))?.ids;
  if (ids === undefined) return 0;
  let count = 0;
  for (const id of ids.from(last + 1)) {
    if (id > last) count += 1;
    if (count > maxCount) break;
  }
  return count;
}

export function noticeLine({typing, below}: Notice, columns: number): PaneLine {
  const margin = columns < 60 ? ' ' : '  ';
  const left: UiSpan[] = typing === '' ? [] : [{text: `${margin}${typing}`, role: 'typing'}];
  const right: UiSpan[] = below === '' ? [] : [{text: below, role: 'hint'}];
  return leftRightLine(left, right, columns - 1);
}
