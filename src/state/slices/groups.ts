import {type Group, groupFromWire} from '#state/model/user.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {numberSetDecoder, savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export const groups: Slice<SortedMap<number, Group>> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['realm_user_groups'], ({realm_user_groups = []}) =>
    SortedMap.by(realm_user_groups.map(groupFromWire), ({id}) => id),
  ),
  saved: savedMap('number', {id: 'number', name: 'string', members: numberSetDecoder, subgroupIds: numberSetDecoder}),
  appliers: {},
};
