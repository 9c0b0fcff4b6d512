import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {groupName, type WireGroup} from '#wire/objects/group.ts';
import type {Patch} from './patch.ts';

export interface Group extends Omit<CamelKeys<WireGroup>, 'members' | 'directSubgroupIds' | 'deactivated'> {
  /** Direct members only. */
  readonly members: SortedSet<number>;
  readonly subgroupIds: SortedSet<number>;
  readonly isDeactivated: boolean;
}

export function groupFromWire(wire: WireGroup): Group {
  const {members, direct_subgroup_ids, deactivated, ...rest} = wire;
  return {
    ...camelKeys(rest),
    name: groupName(wire),
    members: SortedSet.from(members),
    subgroupIds: SortedSet.from(direct_subgroup_ids ?? []),
    isDeactivated: deactivated ?? false,
  };
}

/** Returns a patch of a group; memberships change by other events. */
export function groupFields(wire: Patch<Omit<WireGroup, 'id' | 'members' | 'direct_subgroup_ids'>>): Patch<Group> {
  const {deactivated, ...rest} = wire;
  return {...camelKeys(rest), ...(deactivated !== undefined && {isDeactivated: deactivated})};
}
