import type {ReadContext} from '#server/context.ts';
import {directSubgroupIds, type GroupRow, listGroups, namedMemberIds, nestedGroupIds} from '#server/db/groups.ts';
import type {Ids} from '#server/db/rows.ts';
import {listUsers} from '#server/db/users.ts';
import {Role, SystemGroup} from '#server/organization/permission-rules.ts';
import {groupPermissions} from '#server/permissions/group.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {WireGroup} from '#wire/objects/group.ts';

/** The role whose users are the direct members of each system group. */
const roleOfGroup = new Map<number, number>([
  [SystemGroup.everyone, Role.guest],
  [SystemGroup.members, Role.member],
  [SystemGroup.fullMembers, Role.member],
  [SystemGroup.moderators, Role.moderator],
  [SystemGroup.administrators, Role.admin],
  [SystemGroup.owners, Role.owner],
]);

/** Returns the time at or before which a full member joined, in UNIX seconds. */
export function fullMemberSince(act: ReadContext): number {
  return act.now - organization(act).waiting_period_threshold * 86_400;
}

export function groupView(act: ReadContext, group: GroupRow): WireGroup {
  return view(group, directMemberIds(act, group), directSubgroupIds(act.server.db, group.id));
}

/** Returns the ids of a group's direct members, ascending; those of a system group follow from the users' roles. */
export function directMemberIds(act: ReadContext, group: GroupRow): number[] {
  const {db} = act.server;
  if (group.is_system === 0) return namedMemberIds(db, group.id);
  const role = roleOfGroup.get(group.id);
  if (role === undefined) return [];
  const sql = `SELECT json_group_array(id) FROM user INDEXED BY user_by_role
     WHERE role = ? AND is_active = 1 AND is_system_bot = 0 AND joined_at <= ?`;
  const ids = db.value<string>(sql, role, joinedBy(act, group));
  return ascending(JSON.parse(ids ?? '[]'));
}

/** Returns the time at or before which the members of a system group joined. */
function joinedBy(act: ReadContext, {id}: GroupRow): number {
  return id === SystemGroup.fullMembers ? fullMemberSince(act) : Number.MAX_SAFE_INTEGER;
}

/** Returns the ids of the members of the group and of all groups inside it. */
export function allMemberIds(act: ReadContext, group: GroupRow): number[] {
  const {db} = act.server;
  const groupIds = new Set([group.id, ...nestedGroupIds(db, group.id)]);
  const ids = new Set<number>();
  for (const row of listGroups(db)) {
    if (groupIds.has(row.id)) for (const id of directMemberIds(act, row)) ids.add(id);
  }
  return ascending([...ids]);
}

/** A typed array sorts ten thousands of numbers much faster, without calling a function to compare them. */
function ascending(ids: Ids): number[] {
  return Array.from(Float64Array.from(ids).sort());
}

/** Returns all groups with a fixed number of queries, whatever the number of users. */
export function groupViews(act: ReadContext, options: {includeDeactivated: boolean}): WireGroup[] {
  const {db} = act.server;
  const activeUsers = listUsers(db).filter((user) => user.is_active === 1);
  const byRole = Map.groupBy(activeUsers, ({role}) => role);
  const byGroup = idLists(
    db.all<IdList>('SELECT group_id AS of, json_group_array(user_id) AS ids FROM group_member GROUP BY group_id'),
  );
  const nested = idLists(
    db.all<IdList>('SELECT group_id AS of, json_group_array(subgroup_id) AS ids FROM group_subgroup GROUP BY group_id'),
  );
  const activeIds = new Set(byGroup.size === 0 ? [] : activeUsers.map(({id}) => id));
  const membersOf = (row: GroupRow): number[] => {
    if (row.is_system === 0) return (byGroup.get(row.id) ?? []).filter((id) => activeIds.has(id));
    const since = joinedBy(act, row);
    const users = byRole.get(roleOfGroup.get(row.id) ?? 0) ?? [];
    return users.filter(({joined_at}) => joined_at <= since).map(({id}) => id);
  };
  return listGroups(db)
    .filter((row) => row.deactivated === 0 || options.includeDeactivated)
    .map((row) => view(row, membersOf(row), nested.get(row.id) ?? []));
}

interface IdList {
  readonly of: number;
  readonly ids: string;
}

function idLists(rows: readonly IdList[]): Map<number, number[]> {
  return new Map(rows.map(({of, ids}) => [of, ascending(JSON.parse(ids))]));
}

function view(row: GroupRow, members: number[], subgroupIds: number[]): WireGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    members,
    direct_subgroup_ids: subgroupIds,
    is_system_group: row.is_system === 1,
    deactivated: row.deactivated === 1,
    date_created: row.created_at,
    creator_id: row.creator_id,
    ...groupPermissions(row),
  };
}
