import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {labelledRule} from '#app/timeline/lines/separators.ts';
import type {Typeset} from '#app/timeline/lines/typeset.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {isOnlySaved} from './timeline-end.ts';

const edgeTexts = {
  top: 'Older messages load when back online',
  bottom: 'Offline: showing saved messages',
} as const;

/** Returns the line at an edge of the saved messages; undefined when the edge is not due to being offline. */
export function savedEdgeLines(
  {account}: Pick<Frame, 'account'>,
  typeset: Typeset,
  timeline: Timeline,
  edge: keyof typeof edgeTexts,
): readonly PaneLine[] | undefined {
  return isOnlySaved(account, timeline)
    ? [labelledRule(typeset, edgeTexts[edge], 'date_separator')]
    : undefined;
}
