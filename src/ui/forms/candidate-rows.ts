import {channelName, distinctUserName} from '#state/selectors/names/names.ts';
import {fuzzyMatch, type MatchRange, matchScores} from '#std/fuzzy.ts';
import {findChannels} from '#ui/completion-menu/find-channels-and-topics.ts';
import {findPeople} from '#ui/completion-menu/find-people.ts';
import {personDetail} from '#ui/completion-menu/mention-options.ts';
import type {IdsFormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {channelColor} from '#ui/format/channel-color.ts';
import {groupLabel, ownGroups, systemGroups} from './group-setting-text.ts';

/** The width of the pickers that choose the value of a field. */
export const fieldPickerColumns = 64;

/** A row with a mark that says whether the entry is chosen. */
export function markedRow(key: string, label: string, isChosen: boolean, more: Partial<PickerRow> = {}): PickerRow {
  const mark = isChosen ? '[x] ' : '[ ] ';
  const matched = more.matched?.map(([start, end]) => [start + mark.length, end + mark.length] as const);
  return {key, label: `${mark}${label}`, ...more, matched};
}

/** An entry that can be chosen. */
export interface Candidate {
  readonly id: number;
  readonly matched?: readonly MatchRange[] | undefined;
  readonly detail?: string | undefined;
  readonly tint?: string | undefined;
}

/** Returns the entries that match a query, the best first. */
export function candidates(
  {account}: Frame,
  kind: IdsFormField['kind'],
  query: string,
  hasSystemGroups = false,
): readonly Candidate[] {
  switch (kind) {
    case 'people':
      return findPeople(account, {query, conversation: undefined}).map(({user, ranges}) => {
        return {id: user.id, matched: ranges, detail: personDetail(account, user, false)};
      });
    case 'channels':
      return findChannels(account, query).map(({channel: {id}, ranges}) => {
        return {id, matched: shifted(ranges), tint: channelColor(account, id)};
      });
    default:
      return [...(hasSystemGroups ? systemGroups(account) : []), ...ownGroups(account)].flatMap(
        ({id, description, isSystemGroup}) =>
          matching(query, groupLabel(account, id)).map((matched) => {
            return {id, matched, detail: isSystemGroup ? undefined : description};
          }),
      );
  }
}

/** Ranges in a channel's name, moved behind its `#`. */
function shifted(ranges: readonly MatchRange[]): readonly MatchRange[] {
  return ranges.map(([start, end]) => [start + 1, end + 1]);
}

export function entryName({account}: Frame, kind: IdsFormField['kind'], id: number): string {
  if (kind === 'people') return distinctUserName(account, id);
  return kind === 'channels' ? `#${channelName(account, id)}` : groupLabel(account, id);
}

/** Returns the ranges of the label that match, as the only item of a list; an empty list if it does not match. */
export function matching(query: string, label: string): readonly (readonly MatchRange[])[] {
  if (query.trim() === '') return [[]];
  const match = fuzzyMatch(query.trim(), label);
  return match === undefined || match.score < matchScores.inside ? [] : [match.ranges];
}
