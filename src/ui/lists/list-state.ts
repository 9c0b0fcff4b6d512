import {emptyLine, type TextField} from '#ui/text/text-field.ts';

/** The tabs of a list, chosen with the keys 1 to 6: each shows some of the conversations. */
export const splits = ['all', 'mentions', 'directs', 'followed', 'channels', 'muted'] as const;
export type Split = (typeof splits)[number];

/** Limits a list further: all topics, without the muted ones, or only the followed ones. */
export const topicFilters = ['all', 'standard', 'followed'] as const;
export type TopicFilter = (typeof topicFilters)[number];

/**
 * The cursor, scroll position, selection and filter of a list. Rows are named by keys, so that rows that are
 * added or removed do not move the cursor.
 */
export interface ListState {
  /** The row with the cursor; undefined for the list's initial row. */
  readonly cursor?: string | undefined;
  /** The last known index of the cursor, used when its row is removed. */
  readonly index: number;
  /** The first row shown. */
  readonly top: number;
  /** While the bar is on this row the list does not scroll, even if the row is near an edge or off-screen. */
  readonly pinnedKey?: string | undefined;
  readonly selected: ReadonlySet<string>;
  readonly filter: TextField;
  readonly isFiltering: boolean;
  /** Groups of which only the title is shown. */
  readonly folded: ReadonlySet<string>;
  readonly split: Split;
  readonly topicFilter: TopicFilter;
}

export const newListState: ListState = {
  index: 0,
  top: 0,
  selected: new Set(),
  filter: emptyLine,
  isFiltering: false,
  folded: new Set(),
  split: 'all',
  topicFilter: 'standard',
};

/** Returns a list of an account with the filter, folds and tab that it has in another one: a list of all accounts looks the same in each. */
export function shownAs(own: ListState, {filter, folded, split, topicFilter}: ListState): ListState {
  return {...own, filter, folded, split, topicFilter};
}

/** The lists by their ids; each list adds its own where it is defined. */
// biome-ignore lint/suspicious/noEmptyInterface: the lists add the members.
export interface ListIds {}

export type ListId = keyof ListIds;

declare module '#ui/core/screen-state.ts' {
  interface ScreenState {
    readonly lists: Readonly<Record<ListId, ListState>>;
  }
}
