import {withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {type Group, groupFields, groupFromWire} from '#state/model/group.ts';
import type {AccountState} from '#state/state.ts';
import type {EventOf} from '#wire/events.ts';

type Groups = AccountState['groups'];

export function applyUserGroup(state: AccountState, event: EventOf<'user_group'>): AccountState {
  return withSlices(state, {groups: groupsAfter(state, event)});
}

function groupsAfter({groups, users}: AccountState, event: EventOf<'user_group'>): Groups {
  switch (event.op) {
    case 'add':
      return withValue(groups, event.group.id, groupFromWire(event.group));
    case 'remove':
      return groups.without(event.group_id);
    case 'update':
      return withFields(groups, event.group_id, groupFields(event.data));
    case 'add_members':
      return withChange(groups, event.group_id, 'members', (ids) =>
        // Deactivated users are members of no group, though events may add them to that of full members.
        ids.withAll(event.user_ids.filter((id) => users.get(id)?.isActive !== false)),
      );
    case 'remove_members':
      return withChange(groups, event.group_id, 'members', (ids) => ids.withoutAll(event.user_ids));
    case 'add_subgroups':
      return withChange(groups, event.group_id, 'subgroupIds', (ids) => ids.withAll(event.direct_subgroup_ids));
    case 'remove_subgroups':
      return withChange(groups, event.group_id, 'subgroupIds', (ids) => ids.withoutAll(event.direct_subgroup_ids));
  }
}

/** Groups can be large: comparing sizes shows whether an addition or a removal changed anything. */
function withChange(
  groups: Groups,
  id: number,
  key: 'members' | 'subgroupIds',
  change: (ids: Group['members']) => Group['members'],
): Groups {
  const group = groups.get(id);
  if (group === undefined) return groups;
  const ids = change(group[key]);
  return ids.size === group[key].size ? groups : groups.with(id, {...group, [key]: ids});
}
