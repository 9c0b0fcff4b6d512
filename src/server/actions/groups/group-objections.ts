import type {ActionContext} from '#server/context.ts';
import {settingIncludesGroup} from '#server/permissions/group-setting.ts';
import {organization} from '#server/permissions/has-permission.ts';

/** A use of a group that prevents its deactivation: a supergroup, or settings that grant it a permission. */
export type GroupObjection =
  | {type: 'subgroup'; supergroup_ids: number[]}
  | {type: 'channel'; channel_id: number; settings: string[]}
  | {type: 'user_group'; group_id: number; settings: string[]}
  | {type: 'realm'; settings: string[]};

export function groupObjections(act: ActionContext, groupId: number): GroupObjection[] {
  const objections: GroupObjection[] = [];
  const supergroups = act.db.pluck(
    `SELECT s.group_id FROM group_subgroup AS s JOIN user_group AS g ON g.id = s.group_id AND g.deactivated = 0
     WHERE s.subgroup_id = ? ORDER BY s.group_id`,
    groupId,
  );
  if (supergroups.length > 0) objections.push({type: 'subgroup', supergroup_ids: supergroups});
  for (const {id, permissions} of rowsWithPermissions(act, 'channel', 'is_archived = 0')) {
    const settings = settingsWithGroup(JSON.parse(permissions), groupId);
    if (settings.length > 0) objections.push({type: 'channel', channel_id: id, settings});
  }
  for (const {id, permissions} of rowsWithPermissions(act, 'user_group', 'deactivated = 0')) {
    const settings = settingsWithGroup(JSON.parse(permissions), groupId);
    // A group that is only used in its own settings can be deactivated.
    if (settings.length > 0 && id !== groupId) objections.push({type: 'user_group', group_id: id, settings});
  }
  const settings = settingsWithGroup(organization(act), groupId, (name) => /group/.test(name));
  if (settings.length > 0) objections.push({type: 'realm', settings});
  return objections;
}

function rowsWithPermissions(act: ActionContext, table: 'channel' | 'user_group', condition: string) {
  return act.db.all<{id: number; permissions: string}>(
    `SELECT id, permissions FROM ${table} WHERE permissions <> '{}' AND ${condition} ORDER BY id`,
  );
}

function settingsWithGroup(
  settings: Readonly<Record<string, unknown>>,
  groupId: number,
  isRelevant: (name: string) => boolean = () => true,
): string[] {
  return Object.keys(settings).filter((name) => isRelevant(name) && settingIncludesGroup(settings[name], groupId));
}
