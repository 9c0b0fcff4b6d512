import {type NarrowKey, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {Slice} from './slice.ts';

export const timelines: Slice<SortedMap<NarrowKey, Timeline>, 'timeline_closed'> = {
  initial: SortedMap.empty(),
  registered: 'initial',
  saved: 'no',
  appliers: {
    timeline_closed: (before, {narrow}) => before.without(narrowKey(narrow)),
  },
};
