import type {Frame} from '#app/frame.ts';
import {joined, type UiLine, type UiSpan} from '#app/lines.ts';
import {uiGlyphs} from '#app/ui-glyphs.ts';
import type {ListState, Reach, Split} from './list-state.ts';
import {splits} from './list-state.ts';

const names: Readonly<Record<Split, string>> = {
  all: 'All',
  mentions: '@',
  directs: 'DM',
  followed: 'Followed',
  channels: 'Channels',
  muted: 'Muted',
};

const reachNames: Readonly<Record<Reach, string>> = {
  all: 'all topics',
  standard: '',
  followed: 'followed topics',
};

/** The splits of a list with their keys and, where they count something, how much: ` 1 All  2 @ 2  3 DM 3 …`. */
export function splitTabs(
  {looks}: Frame,
  {split, reach}: ListState,
  counts: Partial<Readonly<Record<Split, number>>>,
  columns: number,
  right: readonly UiSpan[] = [],
): UiLine {
  const shown = splits.flatMap((name, at): UiSpan[] => {
    const count = counts[name] ?? 0;
    const label = `${names[name]}${count > 0 ? ` ${count}` : ''}`;
    return [
      {text: '  ', role: 'text'},
      {text: `${at + 1} `, role: 'dim'},
      {text: label, role: name === split ? 'tab_active' : 'tab'},
    ];
  });
  const said: UiSpan[] = reachNames[reach] === '' ? [] : [{text: reachNames[reach], role: 'dim'}];
  return joined(shown, [...said, ...right], columns, {ellipsis: uiGlyphs(looks).ellipsis, leastLeft: 40});
}
