import type {Database} from './database.ts';
import {fold} from './rows.ts';

export interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_system: number;
  readonly deactivated: number;
  readonly created_at: number | null;
  readonly creator_id: number | null;
  readonly permissions: string;
}

export function findGroup(db: Database, id: number): GroupRow | undefined {
  return db.find<GroupRow>('user_group', {id});
}

/** Returns the group with exactly this name, or else one whose name differs from it only in case. */
export function findGroupByName(db: Database, name: string): GroupRow | undefined {
  const sql = 'SELECT * FROM user_group WHERE name_key = ? ORDER BY name = ? DESC, id LIMIT 1';
  return db.get<GroupRow>(sql, fold(name), name);
}

export function listGroups(db: Database): GroupRow[] {
  return db.all<GroupRow>('SELECT * FROM user_group ORDER BY id');
}

export function directSubgroupIds(db: Database, groupId: number): number[] {
  return db.pluck('SELECT subgroup_id FROM group_subgroup WHERE group_id = ? ORDER BY subgroup_id', groupId);
}

/** Returns the ids of all groups inside this one, at any depth, without itself. */
export function nestedGroupIds(db: Database, groupId: number): number[] {
  const sql = `WITH RECURSIVE inside (id) AS (
       SELECT subgroup_id FROM group_subgroup WHERE group_id = ?
       UNION SELECT s.subgroup_id FROM group_subgroup AS s JOIN inside ON s.group_id = inside.id
     ) SELECT id FROM inside ORDER BY id`;
  return db.pluck(sql, groupId);
}

/** Returns the ids of the active direct members of a group that is not a system group. */
export function namedMemberIds(db: Database, groupId: number): number[] {
  const sql = `SELECT m.user_id FROM group_member AS m JOIN user AS u ON u.id = m.user_id AND u.is_active = 1
     WHERE m.group_id = ? ORDER BY m.user_id`;
  return db.pluck(sql, groupId);
}

/** Returns those of the ids that belong to no active user, or to a system bot. */
export function unknownUserIds(db: Database, ids: readonly number[]): number[] {
  const sql = `SELECT wanted.value FROM json_each(?) AS wanted
     LEFT JOIN user AS u ON u.id = wanted.value AND u.is_active = 1 AND u.is_system_bot = 0
     WHERE u.id IS NULL`;
  return db.pluck(sql, JSON.stringify(ids));
}
