import type {Group} from '#state/model/user.ts';
import {sortedByName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {type Camel, camelKey} from '#std/camel.ts';
import {type FormField, formField, type GroupSettingFormField} from '#ui/core/form.ts';
import {type GroupSetting, type SystemGroupName, systemGroupNames} from '#wire/objects/group.ts';
import type {PermissionSetting} from '#wire/objects/realm.ts';

/** The groups and users of a group setting. */
interface SettingMembers {
  readonly groupIds: readonly number[];
  readonly userIds: readonly number[];
}

function systemGroup({groups}: Pick<AccountState, 'groups'>, name: SystemGroupName): Group | undefined {
  for (const group of groups.values()) if (group.isSystemGroup && group.name === name) return group;
  return undefined;
}

/** The rules of a permission; a server that sends none is asked for nothing unusual. */
export function settingRule(
  {server}: Pick<AccountState, 'server'>,
  {scope, name}: GroupSettingFormField['setting'],
): PermissionSetting | undefined {
  return server.serverSupportedPermissionSettings?.[scope]?.[name];
}

/** Returns the value that the server would give to a permission of a new record; undefined when it has no such permission. */
export function defaultGroupSetting(
  account: AccountState,
  setting: GroupSettingFormField['setting'],
): GroupSetting | undefined {
  const name = settingRule(account, setting)?.default_group_name;
  if (name === undefined) return undefined;
  // The server's word for the creator of a channel or group depends on its version; a new channel is always theirs.
  if (name.includes('creator') || setting.name === 'can_administer_channel_group')
    return {direct_members: [account.self.userId], direct_subgroups: []};
  for (const group of account.groups.values()) if (group.isSystemGroup && group.name === name) return group.id;
  return systemGroup(account, 'role:nobody')?.id;
}

/** The permissions that may include guests, for servers that send no rules. */
const guestSettings: ReadonlySet<string> = new Set([
  'can_create_topic_group',
  'can_delete_own_message_group',
  'can_leave_group',
  'can_mention_group',
  'can_mention_many_users_group',
  'can_move_messages_between_topics_group',
  'can_move_messages_within_channel_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'direct_message_initiator_group',
  'direct_message_permission_group',
]);

function isAllowed(name: SystemGroupName, rule: PermissionSetting | undefined, setting: string): boolean {
  const named = rule?.allowed_system_groups ?? [];
  if (named.length > 0 && !named.includes(name)) return false;
  if (name === 'role:internet') return rule?.allow_internet_group ?? false;
  if (name === 'role:everyone') return rule?.allow_everyone_group ?? guestSettings.has(setting);
  return name !== 'role:nobody' || (rule?.allow_nobody_group ?? true);
}

/** Returns the groups that a permission may have: system groups, the smallest first, then the organization's own. */
export function offeredGroups(account: AccountState, setting: GroupSettingFormField['setting']): readonly Group[] {
  const rule = settingRule(account, setting);
  const system = systemGroups(account, (name) => isAllowed(name, rule, setting.name));
  return rule?.require_system_group === true ? system : [...system, ...ownGroups(account)];
}

/** Returns the system groups, the smallest first; by default all to which users can belong. */
export function systemGroups(
  account: Pick<AccountState, 'groups'>,
  isOffered: (name: SystemGroupName) => boolean = (name) => name !== 'role:nobody' && name !== 'role:internet',
): readonly Group[] {
  return systemGroupNames
    .toReversed()
    .filter(isOffered)
    .flatMap((name) => systemGroup(account, name) ?? []);
}

/** Returns the active groups that users have made. */
export function ownGroups({groups}: Pick<AccountState, 'groups'>): readonly Group[] {
  const active = [...groups.values()].filter(({isSystemGroup, isDeactivated}) => !isSystemGroup && !isDeactivated);
  return sortedByName(active, ({name}) => name);
}

/**
 * Returns the setting for these groups and users: one group by itself is named, nobody is the group of that name. Undefined if
 * the permission does not allow it.
 */
export function settingOfMembers(
  account: AccountState,
  {setting}: GroupSettingFormField,
  {groupIds, userIds}: SettingMembers,
): GroupSetting | undefined {
  const nobody = systemGroup(account, 'role:nobody')?.id;
  const groups = groupIds.filter((id) => id !== nobody);
  const [only] = groups;
  if (only !== undefined && groups.length === 1 && userIds.length === 0) return only;
  if (groups.length === 0 && userIds.length === 0) {
    return offeredGroups(account, setting).some(({id}) => id === nobody) ? nobody : undefined;
  }
  if (settingRule(account, setting)?.require_system_group === true) return undefined;
  return {direct_members: [...userIds], direct_subgroups: groups};
}

/** The value of a permission that the server does not know. */
const absent: GroupSetting = 0;

/** The form values of the permissions of a channel or a group; their keys are those of the client's objects. */
export type PermissionValues<W extends string> = Record<Camel<W>, GroupSetting>;

type KnownPermissions<W extends string> = {readonly [K in Camel<W>]?: GroupSetting | undefined};

/** `besides`: who has the permission anyway. */
type PermissionText = readonly [label: string, help: string, besides?: string];

/** The permissions of channels or of groups, as a form shows them: the label and the help of each, in their order. */
export class PermissionFields<W extends string> {
  readonly #scope: 'stream' | 'group';
  readonly #texts: Readonly<Record<W, PermissionText>>;

  constructor(scope: 'stream' | 'group', texts: Readonly<Record<W, PermissionText>>) {
    this.#scope = scope;
    this.#texts = texts;
  }

  get #names(): readonly {readonly name: Camel<W>; readonly wireName: W}[] {
    // They are the keys of the texts, and of the objects that have the permissions.
    const wireNames = Object.keys(this.#texts) as W[];
    return wireNames.map((wireName) => ({name: camelKey(wireName) as Camel<W>, wireName}));
  }

  /** Returns the values of a new channel or group. */
  newValues(account: AccountState): PermissionValues<W> {
    return this.#values((name) => defaultGroupSetting(account, {scope: this.#scope, name}));
  }

  valuesOf(record: KnownPermissions<W>): PermissionValues<W> {
    return this.#values((_wireName, name) => record[name]);
  }

  #values(settingOf: (wireName: W, name: Camel<W>) => GroupSetting | undefined): PermissionValues<W> {
    const entries = this.#names.map(({name, wireName}) => [name, settingOf(wireName, name) ?? absent]);
    return Object.fromEntries(entries) as PermissionValues<W>;
  }

  /** Returns the fields of the permissions that the record has; of a new one, those that the server knows. */
  fields(
    {server}: AccountState,
    record: KnownPermissions<W> | undefined,
    disabledReason: (wireName: W) => string | undefined = () => undefined,
  ): readonly FormField[] {
    const rules = server.serverSupportedPermissionSettings?.[this.#scope];
    return this.#names.flatMap(({name, wireName}) => {
      const isKnown = record === undefined ? rules?.[wireName] !== undefined : record[name] !== undefined;
      const [label, help, besides] = this.#texts[wireName];
      const text = besides === undefined ? help : `${help.slice(0, -1)}, besides ${besides}.`;
      const setting = {scope: this.#scope, name: wireName};
      return isKnown
        ? [
            formField('groupSetting', name, label, {
              help: text,
              setting,
              besides,
              disabled: disabledReason(wireName),
            }),
          ]
        : [];
    });
  }

  /** Returns the changed permissions by their names in the API. */
  changed(changes: KnownPermissions<W>): Partial<Record<W, GroupSetting>> {
    const entries = this.#names.flatMap(({name, wireName}) => {
      const value = changes[name];
      return value === undefined ? [] : [[wireName, value] as const];
    });
    return Object.fromEntries(entries) as Partial<Record<W, GroupSetting>>;
  }

  /** Returns them with their old values, so that nobody else's change is overwritten unseen. */
  changedFrom(changes: KnownPermissions<W>, before: PermissionValues<W>) {
    const now = this.changed(changes);
    const old = this.changed(before);
    const entries = Object.entries<GroupSetting | undefined>(now).map(([name, value]) => {
      const oldValue = old[name as W];
      return [name, {new: value, ...(oldValue !== undefined && {old: oldValue})}];
    });
    return Object.fromEntries(entries) as Partial<Record<W, {new: GroupSetting; old?: GroupSetting}>>;
  }
}
