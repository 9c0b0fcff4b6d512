import type {Frame} from '#app/frame.ts';
import {joined, type UiLine, type UiSpan} from '#app/lines.ts';
import {uiGlyphs} from '#app/ui-glyphs.ts';
import {spansColumns} from '#content/lines/wrap.ts';
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

/**
 * The splits of a list with their keys and, where they count something, how much: ` 1 All  2 @ 2  3 DM 3 …`; with
 * shorter names where there is not room for all of it.
 */
export function splitTabs(
  {looks}: Frame,
  {split, reach}: ListState,
  counts: Partial<Readonly<Record<Split, number>>>,
  columns: number,
  right: readonly UiSpan[] = [],
): UiLine {
  const glyphs = uiGlyphs(looks);
  const shortNames = {...names, followed: glyphs.followed, channels: '#'};
  // Where room is short, keys and counts side by side would be taken for each other.
  const isCounting = Object.values(counts).some((count) => count > 0);
  const isKeyed = (words: Readonly<Record<Split, string>>) => words === names || !isCounting;
  const tabs = (words: Readonly<Record<Split, string>>, gap: string) =>
    splits.flatMap((name, at): UiSpan[] => {
      const count = counts[name] ?? 0;
      // The muted ones count least.
      const isCounted = count > 0 && (words === names || name !== 'muted');
      const label = `${words[name]}${isCounted ? ` ${count}` : ''}`;
      return [
        {text: gap, role: 'text'},
        {text: isKeyed(words) ? `${at + 1} ` : '', role: 'dim'},
        {text: label, role: name === split ? 'tab_active' : 'tab'},
      ];
    });
  const said = reachNames[reach];
  const isFollowed = right.some(({text}) => text.trim() !== '');
  const between = isFollowed ? ` ${glyphs.dot}` : '';
  const tail: readonly UiSpan[] = said === '' ? right : [{text: `${said}${between}`, role: 'dim'}, ...right];
  const whole = tabs(names, '  ');
  const isWide = spansColumns(whole) + spansColumns(tail) + (tail.length === 0 ? 0 : 2) <= columns;
  const left = isWide ? whole : tabs(shortNames, isCounting ? '  ' : ' ');
  // What is shown matters more than how far one is; half a word says nothing.
  const fits = (spans: readonly UiSpan[]) => spansColumns(left) + 1 + spansColumns(spans) <= columns;
  const reached = (text: string): readonly UiSpan[] => (text === '' ? [] : [{text, role: 'dim'}]);
  const brief = reached({all: 'all', standard: '', followed: `${glyphs.followed} only`}[reach]);
  const end = [tail, reached(said)].find(fits) ?? brief;
  return joined(left, end, columns, {ellipsis: glyphs.ellipsis, leastLeft: 40});
}
