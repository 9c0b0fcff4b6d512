import {spansColumns} from '#content/styled-text/wrap.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {type Availability, presenceStatus} from '#state/selectors/people/people.ts';
import type {ShownUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame} from '#ui/core/frame.ts';
import {unreadCountSpans} from '#ui/format/unread-count-spans.ts';
import {fittedLine, leftRightLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import type {UiGlyphs} from '#wording/ui-glyphs.ts';
import type {ListRow, RowContext} from './list-source.ts';

/**
 * A row that leads to messages: a view, a channel or a conversation; or the title of a group of them. Where a view lists
 * something else than messages, the count is that of its entries.
 */
export interface NavigationRow extends ListRow, ShownUnreads {
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

/** Returns the line of a row: label and symbols at the left, unread count at the right edge. */
export function navigationLine(row: NavigationRow, context: RowContext): UiLine {
  if (row.kind === 'title') return titleLine(row, context);
  const {glyphs, columns} = context;
  const counts: readonly UiSpan[] = [...unreadCountSpans(row), {text: ' ', role: 'text'}];
  const presence = presenceSpans(row.presence, glyphs);
  const symbols = rowSymbolSpans(row, glyphs);
  const space = columns - spansColumns([...presence, ...symbols, ...counts]) - 1;
  // The name is shortened, not the symbols: they mean the same in every row.
  const label = fittedLine(context.label(labelRole(row)), Math.max(space, minLabelColumns), glyphs.ellipsis);
  return leftRightLine([...presence, ...label.spans, ...symbols], counts, columns, {
    ellipsis: glyphs.ellipsis,
  });
}

const minLabelColumns = 8;

/** Returns the line of a title. Titles of the focused pane stand out; a folded group's title shows its counts. */
function titleLine(row: NavigationRow, {columns, glyphs, isFocused, isFolded}: RowContext): UiLine {
  const role = isFocused ? 'title' : 'section';
  const fold = isFolded ? ` ${glyphs.folded}` : '';
  const label = {text: composed`${row.label.toUpperCase()}${fold}`, role} as const;
  if (!isFolded) return fittedLine([label], columns, glyphs.ellipsis);
  return leftRightLine([label], [...unreadCountSpans(row), {text: ' ', role: 'text'}], columns, {
    ellipsis: glyphs.ellipsis,
  });
}

function labelRole({isMuted, count, isQuiet}: NavigationRow): UiRole {
  if (isMuted) return 'muted';
  return count > 0 && !isQuiet ? 'unread' : 'text';
}

/** Returns the symbols for resolved, followed and draft. */
export function rowSymbolSpans(
  {isResolved, isFollowed, hasDraft}: Pick<NavigationRow, 'isResolved' | 'isFollowed' | 'hasDraft'>,
  glyphs: UiGlyphs,
): readonly UiSpan[] {
  const symbols: UiSpan[] = [];
  if (isResolved) symbols.push({text: ` ${glyphs.resolved}`, role: 'resolved'});
  if (isFollowed) symbols.push({text: ` ${glyphs.followed}`, role: 'followed'});
  if (hasDraft) symbols.push({text: ` ${glyphs.draft}`, role: 'draft'});
  return symbols;
}

/** Returns the presence symbol in its column. */
export function presenceSpans(presence: DirectPresence | undefined, glyphs: UiGlyphs): readonly UiSpan[] {
  if (presence === undefined) return [];
  if (presence === 'unknown') return [{text: '  ', role: 'text'}];
  const role = presence === 'active' ? 'online' : presence;
  return [{text: `${glyphs[role]} `, role}];
}

/**
 * The presence symbol before the name of a direct conversation; `unknown` leaves its column blank, so that names align.
 */
export type DirectPresence = Availability | 'unknown';

/**
 * Returns the presence of the other user; of several, the most available one. Undefined where there is no
 * such column: for topics, and in organizations without presence.
 */
export function directPresence(frame: Frame, conversation: Conversation): DirectPresence | undefined {
  if (conversation.kind !== 'direct' || frame.account.realm.presenceDisabled === true) return undefined;
  let best: DirectPresence = 'unknown';
  for (const userId of conversation.userIds) {
    const presence = personPresence(frame, userId) ?? 'unknown';
    if (ranks[presence] < ranks[best]) best = presence;
  }
  return best;
}

const ranks: Readonly<Record<DirectPresence, number>> = {active: 0, idle: 1, offline: 2, unknown: 3};

/** Returns the sort rank: available users first. */
export function presenceRank(presence: DirectPresence): number {
  return ranks[presence];
}

/** Returns presence as of the current minute. */
export function shownPresences({account, screen}: Frame): AccountState['presences'] {
  return screen.presences ?? account.presences;
}

/** Returns a user's presence; undefined for bots, deactivated users, and in organizations without presence. */
export function personPresence(frame: Frame, userId: number): Availability | undefined {
  const {account, minute} = frame;
  const user = account.users.get(userId);
  if (user === undefined || user.isBot || !user.isActive || account.realm.presenceDisabled === true) {
    return undefined;
  }
  const {realm, users, server} = account;
  return presenceStatus({presences: shownPresences(frame), realm, users, server}, userId, minute).status;
}
