import {memoByObject} from '#std/memo.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import {ruleGlyph} from '#ui/format/ui-glyphs.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {rule, type UiLine} from '#ui/layout/ui-line.ts';
import {splitTabs} from '#ui/lists/split-tabs.ts';
import {cursorRow, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import type {InboxCursorContext} from './inbox-state.ts';
import {isTriageItem} from './triage-row.ts';
import {inboxFrames, inboxLog, inboxOrder, inboxTotals} from './triage-rows.ts';

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

/** Returns `triage 5/14`: the number of handled conversations of all that were in this session. */
export function triageProgressText(frame: Frame): string {
  const size = inboxFrames(frame).reduce((sum, {frame: each}) => sum + sessionSize(each), 0);
  const done = size - inboxTotals(frame).all.conversations;
  return done > 0 && inboxLog(frame).length > 0 ? `triage ${done}/${size}` : '';
}

const sessionSize = memoByObject((frame: Frame) => inboxOrder(frame).size);

/** Returns a rule; `dividerAt` is the column of the screen where a line between list and preview starts. */
export function ruleLine(
  glyphs: DisplayOptions['glyphs'],
  {x, columns}: Pick<Rect, 'x' | 'columns'>,
  dividerAt: number | undefined,
): UiLine {
  const glyph = ruleGlyph({glyphs});
  if (dividerAt === undefined) return rule(columns, {glyph});
  const tee = {unicode: '┬', ascii: '+', words: ' '}[glyphs];
  const text = glyph.repeat(dividerAt - x) + tee + glyph.repeat(columns - (dividerAt - x) - 1);
  return {spans: [{text, role: 'separator'}], width: columns};
}

/** Whether nothing is unread in any tab, not only in the shown one. Muted conversations count only in the muted tab. */
export function isInboxEmpty(frame: Frame): boolean {
  const totals = inboxTotals(frame);
  const isMutedTabFilled = frame.screen.lists.inbox.split === 'muted' && totals.muted.conversations > 0;
  return (
    totals.all.conversations === 0 &&
    !isMutedTabFilled &&
    visibleRowsOf(frame, 'inbox').rows.every(({kind}) => kind !== 'item')
  );
}

/** Returns what the cursor of the inbox is on, which decides the key hints. */
export function inboxCursorContext(frame: Frame): InboxCursorContext {
  if (isInboxEmpty(frame)) return inboxLog(frame).length > 0 ? 'done' : 'nothing';
  const row = cursorRow(frame, 'inbox');
  if (row === undefined) return 'nothing';
  return isTriageItem(row) ? row.conversation.kind : 'group';
}
