import type {ShownUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import type {UiSpan} from '#ui/layout/ui-line.ts';
import {unreadCountText} from '#wording/counted-noun.ts';

/** Returns the number of unread messages with mentions highlighted, and a muted count dimmed; nothing for 0. */
export function unreadCountSpans(unreads: ShownUnreads): readonly UiSpan[] {
  const {count, mentions, isQuiet} = unreads;
  if (count === 0) return [];
  const [first = '', ...rest] = unreadCountText(unreads).split(' ');
  const role = isQuiet ? 'dim' : 'unread_count';
  if (mentions === 0) return [{text: first, role}];
  return [{text: first, role: 'mention_count'}, ...rest.map((text): UiSpan => ({text: ` ${text}`, role}))];
}

/** Returns the count at the right of a picker's row. */
export function unreadCountAtRight(unreads: ShownUnreads): Pick<PickerRow, 'right' | 'rightRole'> {
  const [first] = unreadCountSpans(unreads);
  return first === undefined ? {} : {right: unreadCountText(unreads), rightRole: first.role};
}
