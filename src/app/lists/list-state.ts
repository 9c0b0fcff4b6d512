import {emptyLine, type TextField} from '#app/text/text-field.ts';

/** Which conversations a list shows: one of these, by the keys 1 to 6. */
export const splits = ['all', 'mentions', 'directs', 'followed', 'channels', 'muted'] as const;
export type Split = (typeof splits)[number];

/** Of those, again: all topics, without the muted, or only the followed. */
export const topicFilters = ['all', 'standard', 'followed'] as const;
export type TopicFilter = (typeof topicFilters)[number];

/** Where one is in a list. Rows are named by keys, so that rows which come and go move nobody's cursor. */
export interface ListState {
  /** The row with the cursor; undefined for the one it begins at. */
  readonly cursor: string | undefined;
  /** The cursor's place when it was last known, for when its row is gone. */
  readonly index: number;
  /** The first row shown. */
  readonly top: number;
  /** While the bar is at this row, the rows stay where they are, though it is near an edge or out of sight. */
  readonly pinnedKey: string | undefined;
  readonly selected: ReadonlySet<string>;
  readonly filter: TextField;
  readonly isFiltering: boolean;
  /** Groups that show only their title. */
  readonly folded: ReadonlySet<string>;
  readonly split: Split;
  readonly topicFilter: TopicFilter;
}

export const newListState: ListState = {
  cursor: undefined,
  index: 0,
  top: 0,
  pinnedKey: undefined,
  selected: new Set(),
  filter: emptyLine,
  isFiltering: false,
  folded: new Set(),
  split: 'all',
  topicFilter: 'standard',
};
