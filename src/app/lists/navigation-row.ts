import type {UiGlyphs} from '#app/format/ui-glyphs.ts';
import {fittedLine, leftRightLine, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import type {DirectPresence} from './direct-presence.ts';
import type {ListRow} from './list-row.ts';
import type {RowContext} from './list-source.ts';

/** A place where messages are: a view, a channel, a conversation; or the title of a group of them. */
export interface NavigationRow extends ListRow {
  /** Unread messages; of views, whatever they count. */
  readonly count: number;
  /** The counted ask for nobody's attention. */
  readonly isQuiet: boolean;
  /** How many of them mention one. */
  readonly mentions: number;
  /** A conversation has one number; a channel tells its mentions apart. */
  readonly isOneConversation: boolean;
  readonly isMuted: boolean;
  readonly isFollowed: boolean;
  readonly isResolved: boolean;
  readonly hasDraft: boolean;
  readonly presence: DirectPresence | undefined;
}

export const emptyNavigationRow: Omit<NavigationRow, 'key' | 'label'> = {
  kind: 'item',
  count: 0,
  isQuiet: false,
  mentions: 0,
  isOneConversation: true,
  isMuted: false,
  isFollowed: false,
  isResolved: false,
  hasDraft: false,
  presence: undefined,
};

export function titleRow(group: string, label: string, count = 0, mentions = 0): NavigationRow {
  return {...emptyNavigationRow, key: `title ${group}`, kind: 'title', label, group, count, mentions};
}

export function spaceRow(before: string): NavigationRow {
  return {...emptyNavigationRow, key: `space ${before}`, kind: 'space', label: ''};
}

/** What it is called at the left, with its signs; what is unread at the right edge. */
export function navigationLine(shown: NavigationRow, room: RowContext): UiLine {
  if (shown.kind === 'title') return titleLine(shown, room);
  const {glyphs, columns} = room;
  const counts: readonly UiSpan[] = [...countSpans(shown), {text: ' ', role: 'text'}];
  const [presence, signs] = [presenceSpans(shown.presence, glyphs), rowSymbolSpans(shown, glyphs)];
  const space = columns - spansColumns([...presence, ...signs, ...counts]) - 1;
  // Names give way to signs, which are the same wherever they stand.
  const label = fittedLine(room.label(labelRole(shown)), Math.max(space, leastLabel), glyphs.ellipsis);
  return leftRightLine([...presence, ...label.spans, ...signs], counts, columns, {ellipsis: glyphs.ellipsis});
}

const leastLabel = 8;

/** The titles of the pane with the keys stand out. What a folded group holds is told by its title. */
function titleLine(shown: NavigationRow, {columns, glyphs, isFocused, isFolded}: RowContext): UiLine {
  const role = isFocused ? 'title' : 'section';
  const fold = isFolded ? ` ${glyphs.folded}` : '';
  const label = {text: `${shown.label.toUpperCase()}${fold}`, role} as const;
  if (!isFolded) return fittedLine([label], columns, glyphs.ellipsis);
  return leftRightLine([label], [...countSpans(shown), {text: ' ', role: 'text'}], columns, {
    ellipsis: glyphs.ellipsis,
  });
}

function labelRole({isMuted, count, isQuiet}: NavigationRow): UiRole {
  if (isMuted) return 'muted';
  return count > 0 && !isQuiet ? 'unread' : 'text';
}

export function rowSymbolSpans(
  {isResolved, isFollowed, hasDraft}: Pick<NavigationRow, 'isResolved' | 'isFollowed' | 'hasDraft'>,
  glyphs: UiGlyphs,
): readonly UiSpan[] {
  const signs: UiSpan[] = [];
  if (isResolved) signs.push({text: ` ${glyphs.resolved}`, role: 'resolved'});
  if (isFollowed) signs.push({text: ` ${glyphs.followed}`, role: 'followed'});
  if (hasDraft) signs.push({text: ` ${glyphs.draft}`, role: 'draft'});
  return signs;
}

export function presenceSpans(presence: DirectPresence | undefined, glyphs: UiGlyphs): readonly UiSpan[] {
  switch (presence) {
    case 'active':
      return [{text: `${glyphs.online} `, role: 'online'}];
    case 'idle':
      return [{text: `${glyphs.idle} `, role: 'idle'}];
    case 'offline':
      return [{text: `${glyphs.offline} `, role: 'offline'}];
    case 'unknown':
      return [{text: '  ', role: 'text'}];
    default:
      return [];
  }
}

/** `4`; `@4` where somebody is meant; `@1 4` where not all of it is one conversation. */
export function countSpans({
  count,
  mentions,
  isOneConversation: isWhole,
  isQuiet,
}: Pick<NavigationRow, 'count' | 'mentions' | 'isOneConversation' | 'isQuiet'>): readonly UiSpan[] {
  if (count === 0) return [];
  const role = isQuiet ? 'dim' : 'unread_count';
  if (mentions === 0) return [{text: String(count), role}];
  if (isWhole) return [{text: `@${count}`, role: 'mention_count'}];
  return [
    {text: `@${mentions}`, role: 'mention_count'},
    {text: ` ${count}`, role},
  ];
}
