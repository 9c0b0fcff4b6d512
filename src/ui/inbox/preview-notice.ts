import {typingText} from '#state/selectors/people/typing-text.ts';
import type {SortedSet} from '#std/sorted-map.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {leftRightLine, type UiLine} from '#ui/layout/ui-line.ts';
import {type CursorPreview, cursorPreview, isAtConversationEnd} from './inbox-preview.ts';

/** The texts below the messages of a preview; empty ones for nothing. */
export interface PreviewNotice {
  readonly typing: string;
  readonly more: string;
  readonly glyphs: DisplayOptions['glyphs'];
}

/** Selects who is typing and how many messages are to come; undefined where the messages take all rows. */
export function previewNotice(frame: Frame, rect: Pick<Rect, 'columns' | 'rows'>): PreviewNotice | undefined {
  const preview = cursorPreview(frame, rect);
  if (frame.screen.isFirstFrame || preview?.hasNotice !== true) return undefined;
  const {account, display} = frame;
  const typing = typingText(account, preview.row.conversation);
  return {typing, more: moreText(frame, preview), glyphs: display.glyphs};
}

/** Returns the number of unread messages below, `7 more`; `more` for messages that are read. */
function moreText({account}: Frame, {row, shown}: CursorPreview): string {
  const {window} = shown;
  if (window === undefined || isAtConversationEnd(shown)) return '';
  const last = window.rows.at(-1)?.key;
  if (typeof last !== 'number') return 'more';
  const ids = account.unreads.conversations.get(row.key)?.ids;
  const count = ids === undefined ? 0 : countAfter(ids, last);
  return count === 0 ? 'more' : `${count} more`;
}

const cachedCounts = new WeakMap<SortedSet<number>, {readonly id: number; readonly count: number}>();

/** Counts the ids after one. There may be thousands: counted once for each position. */
function countAfter(ids: SortedSet<number>, id: number): number {
  const cached = cachedCounts.get(ids);
  if (cached?.id === id) return cached.count;
  let count = 0;
  for (const _ of ids.from(id + 1)) count += 1;
  cachedCounts.set(ids, {id, count});
  return count;
}

export function noticeLine({typing, more, glyphs}: PreviewNotice, columns: number): UiLine {
  const arrow = glyphs === 'ascii' ? 'v' : '↓';
  return leftRightLine(
    [{text: typing === '' ? '' : ` ${typing}`, role: 'typing'}],
    more === '' ? [] : [{text: plainGlyphText(`${arrow} ${more} · Space `, {glyphs}), role: 'hint'}],
    columns,
  );
}
