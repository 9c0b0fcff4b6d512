import type {Frame} from '#ui/core/frame.ts';
import type {Rect} from '#ui/layout/layout.ts';
import type {UiLine} from '#ui/layout/ui-line.ts';
import {splitTabs} from '#ui/lists/split-tabs.ts';
import {isInboxEmpty, triageProgressText} from './inbox-summary.ts';
import {inboxTotals} from './triage-rows.ts';

/** Returns the tabs with their counts, and at the right the progress, unless the summary shows it. */
export function inboxTabsLine(frame: Frame, {columns}: Rect): UiLine {
  const progress = isInboxEmpty(frame) ? '' : triageProgressText(frame);
  const {mentions, directs, followed, channels, muted} = inboxTotals(frame);
  return splitTabs(frame, frame.screen.lists.inbox, columns, {
    counts: {
      mentions: mentions.mentions,
      directs: directs.count,
      followed: followed.count,
      channels: channels.count,
      muted: muted.count,
    },
    followedTabs: ['mentions', 'directs', 'followed'],
    right: progress === '' ? [] : [{text: ` ${progress} `, role: 'dim'}],
  });
}
