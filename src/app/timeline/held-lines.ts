import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import {labelledRule} from '#app/timeline/lines/separators.ts';
import type {Typeset} from '#app/timeline/lines/typeset.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {isOnlySaved} from './timeline-end.ts';

const words = {
  top: 'older ones come with the connection',
  bottom: 'offline: only what this machine holds',
} as const;

/** Where messages end because this machine has no more of them; undefined where that is not so. */
export function savedEdgeLines(
  {account}: Pick<Frame, 'account'>,
  typeset: Typeset,
  timeline: Timeline,
  edge: keyof typeof words,
): readonly PaneLine[] | undefined {
  return isOnlySaved(account, timeline) ? [labelledRule(typeset, words[edge], 'date_separator')] : undefined;
}
