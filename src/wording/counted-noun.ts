import type {ShownUnreads} from '#state/selectors/unreads/unread-counts.ts';

/** Returns `1 conversation`, `5 conversations`. */
export function countedNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the number of unread messages: `4`; `@1 4` where one of them mentions the user; `@4` where all do. */
export function unreadCountText({count, mentions}: Pick<ShownUnreads, 'count' | 'mentions'>): string {
  if (mentions === 0) return countText(count);
  return mentions === count ? `@${countText(count)}` : `@${countText(mentions)} ${countText(count)}`;
}

/** Returns the same in words: `4 unread`; `1 mention · 4 unread`; `4 unread mentions` where all mention the user. */
export function unreadCountWords(
  {count, mentions}: Pick<ShownUnreads, 'count' | 'mentions'>,
  {dot, about = ''}: {readonly dot: string; readonly about?: string},
): string {
  if (mentions === count && mentions > 0) return `${about}${count} unread mention${count === 1 ? '' : 's'}`;
  const unread = `${about}${count} unread`;
  return mentions === 0 ? unread : `${about}${countedNoun(mentions, 'mention')} ${dot} ${unread}`;
}

/** Returns a number that has at most three characters. */
export function countText(count: number): string {
  return count > 999 ? '1k+' : String(count);
}

/** Returns the same text; where it is too wide, only the mentions, which matter more. */
export function fittedUnreadCount(unreads: Pick<ShownUnreads, 'count' | 'mentions'>, columns: number): string {
  const text = unreadCountText(unreads);
  return text.length > columns ? (text.split(' ')[0] ?? '') : text;
}
