import {fold} from '#server/db/rows.ts';
import {canonicalGroupSetting} from '#server/permissions/groups.ts';
import {groupPermissionRules, type PermissionRule} from '#server/permissions/permission-rules.ts';
import {SystemGroup, systemGroups} from '#server/permissions/system-groups.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';
import {type ImportContext, importedRows} from './import-context.ts';
import type {Row} from './row.ts';

/** Reads permissions, which are ids of groups in the export. A group without a name is a set of people and groups. */
export class GroupSettings {
  readonly #context: ImportContext;
  readonly #sets = new Map<number, {direct_members: number[]; direct_subgroups: number[]}>();

  constructor(context: ImportContext) {
    this.#context = context;
  }

  addUnnamed(id: number): void {
    this.#sets.set(id, {direct_members: [], direct_subgroups: []});
  }

  /** Returns the set of an unnamed group; undefined for other groups. */
  unnamed(id: number) {
    return this.#sets.get(id);
  }

  /** Returns the permissions among `rules` that the row has; those that are absent have their defaults. */
  of(row: Row, rules: Readonly<Record<string, PermissionRule>>): Record<string, GroupSetting> {
    const settings: Record<string, GroupSetting> = {};
    for (const name of Object.keys(rules)) {
      const old = row.optionalNumber(name);
      if (old === undefined) continue;
      const set = this.#sets.get(old);
      settings[name] = set === undefined ? this.#context.groups.of(row, name) : canonicalGroupSetting(set);
    }
    return settings;
  }
}

/** Imports the groups of the organization. The system groups become those of this server, which has no other members in them. */
export function importGroups(context: ImportContext): GroupSettings {
  const settings = new GroupSettings(context);
  const named = [...context.realm.names].includes('zerver_namedusergroup') ? 'namedusergroup' : 'usergroup';
  for (const row of importedRows(context, named)) {
    if (row.has('name')) context.groups.add(row, groupOf(context, row));
  }
  for (const row of context.realm.rows('zerver_usergroup')) {
    const id = row.number('id');
    if (context.groups.get(id) === undefined) settings.addUnnamed(id);
  }
  importMembers(context, settings);
  for (const row of context.realm.rows(`zerver_${named}`)) {
    const id = context.groups.get(row.optionalNumber('id'));
    if (id === undefined || id <= SystemGroup.nobody) continue;
    const permissions = JSON.stringify(settings.of(row, groupPermissionRules));
    context.db.run('UPDATE user_group SET permissions = ? WHERE id = ?', permissions, id);
  }
  return settings;
}

function groupOf({db, users}: ImportContext, row: Row): number {
  const name = row.text('name', 100);
  if (row.flag('is_system_group')) {
    // Servers before Zulip 8 have an `@` before the name.
    const system = systemGroups.find((group) => group.name === name.replace(/^@/, ''));
    return system?.id ?? row.fail(`there is no system group “${name}”.`);
  }
  const taken = db.get('SELECT 1 FROM user_group WHERE name = ?', name) !== undefined;
  if (taken) row.fail(`two groups are called “${name}”.`);
  return db.insertRow('user_group', {
    name,
    name_key: fold(name),
    description: row.optionalText('description', 1024) ?? '',
    deactivated: row.bit('deactivated'),
    created_at: row.optionalTime('date_created') ?? null,
    creator_id: users.optional(row, 'creator'),
  });
}

/** Imports members and subgroups. Who is in a system group follows from the role. */
function importMembers(context: ImportContext, settings: GroupSettings): void {
  const {db, users, groups} = context;
  for (const row of importedRows(context, 'usergroupmembership')) {
    const user = users.of(row, 'user_profile');
    const set = settings.unnamed(row.number('user_group'));
    const group = set === undefined ? groups.of(row, 'user_group') : 0;
    if (set !== undefined) set.direct_members.push(user);
    else if (group > SystemGroup.nobody) {
      db.insertNewRow('group_member', {group_id: group, user_id: user});
    }
  }
  for (const row of importedRows(context, 'groupgroupmembership')) {
    const subgroup = groups.of(row, 'subgroup');
    const set = settings.unnamed(row.number('supergroup'));
    const group = set === undefined ? groups.of(row, 'supergroup') : 0;
    if (set !== undefined) set.direct_subgroups.push(subgroup);
    else if (group > SystemGroup.nobody) {
      db.insertNewRow('group_subgroup', {group_id: group, subgroup_id: subgroup});
    }
  }
}
