import type {AccountState} from '#state/state.ts';
import type {GroupSetting} from '#wire/objects/group-setting.ts';
import {UsageError} from './failures.ts';
import {groupArgument, userArgument} from './name-arguments.ts';

/**
 * Returns the group settings that `--permission NAME=WHO` options give. NAME is a setting without `can_` and `_group`;
 * WHO is a list of groups and `@users`.
 */
export function permissionArguments<N extends string>(
  state: AccountState,
  names: readonly N[],
  options: readonly string[],
): Partial<Record<N, GroupSetting>> {
  const entries = options.map((option) => {
    const [short, who] = splitOption('--permission', option);
    const name = names.find((each) => each === `can_${short}_group`);
    if (name !== undefined) return [name, groupSettingOf(state, who)] as const;
    const known = names.map((each) => each.replace(/^can_(.*)_group$/, '$1'));
    throw new UsageError(`There is no permission “${short}”. Use one of ${known.join(', ')}.`);
  });
  return Object.fromEntries(entries) as Partial<Record<N, GroupSetting>>; // The names are those of the list.
}

/** Returns the same settings as an update has them. */
export function permissionChanges<N extends string>(...given: Parameters<typeof permissionArguments<N>>) {
  const settings = Object.entries<GroupSetting | undefined>(permissionArguments(...given));
  return Object.fromEntries(settings.map(([name, setting]) => [name, {new: setting}]));
}

/** Whether one of these options names users, so that they must be fetched. */
export function namesUsers(options: readonly string[]): boolean {
  return options.some((option) => /[=,]\s*@/.test(option));
}

/** Splits `NAME=VALUE`. */
export function splitOption(option: string, text: string): readonly [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`${option} “${text}” must have the form NAME=VALUE.`);
  return [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

function groupSettingOf(state: AccountState, who: string): GroupSetting {
  const parts = who.split(',').map((part) => part.trim());
  const users = parts.filter((part) => part.startsWith('@'));
  const groups = parts.filter((part) => part !== '' && !part.startsWith('@'));
  const groupIds = groups.map((name) => groupArgument(state, name).id);
  const [only] = groupIds;
  if (only !== undefined && groupIds.length === 1 && users.length === 0) return only;
  if (parts.every((part) => part === '')) throw new UsageError('Name who has the permission, or “nobody”.');
  return {direct_members: users.map((name) => userArgument(state, name).id), direct_subgroups: groupIds};
}
