import {builtInEmoji, emojiCodeOfCharacters} from '#content/emoji.ts';
import type {Channel} from '#state/model/channel.ts';
import type {Group, User} from '#state/model/user.ts';
import {findChannel, findGroup, findUser, type Lookup, type NameMatching} from '#state/selectors/names/find-by-name.ts';
import type {Permission} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {localeFormat, timeLocale} from '#std/locale-format.ts';
import {parseMoment, parsePastMoment} from '#std/parse-moment.ts';
import type {GroupSetting} from '#wire/objects/group.ts';
import {type CliIo, exitCodes, PlainFailure, UsageError} from './io.ts';
import {localClock, localDay} from './local-time.ts';

/**
 * Returns the channel that a command line names: `#name`, `name` or an id. Throws when there is none. Verbs that only read
 * accept a part of the name.
 */
export function channelArgument(state: AccountState, text: string, matching: NameMatching = 'exact'): Channel {
  return found(findChannel(state, text.replace(/^#/, ''), matching));
}

/** Returns the user that a command line names: `@name`, `name`, an e-mail address or an id. Throws when there is none. */
export function userArgument(state: AccountState, text: string, matching: NameMatching = 'exact'): User {
  return found(findUser(state, text.replace(/^@/, ''), matching));
}

/** Returns the group that a command line names. Throws when there is none. */
export function groupArgument(state: AccountState, text: string, matching: NameMatching = 'exact'): Group {
  return found(findGroup(state, text.replace(/^@/, ''), matching));
}

function found<T>(lookup: Lookup<T>): T {
  if ('problem' in lookup) throw new PlainFailure(lookup.problem);
  return lookup.found;
}

/** Throws the reason when something is not allowed. */
export function requirePermission(permission: Permission): void {
  if (!permission.ok) throw new PlainFailure(permission.reason, exitCodes.refused);
}

/** Whether the text can only be an e-mail address: `@name` and `#channel` are none. */
export function isEmailAddress(text: string): boolean {
  return /^[^@#\s]+@[^@\s]+$/.test(text);
}

/** Returns the ids on a command line. */
export function idArguments(words: readonly string[]): number[] {
  const ids = words.map((word) => {
    if (/^\d{1,15}$/.test(word)) return Number(word);
    throw new UsageError(`“${word}” is not an id from the list.`);
  });
  return [...new Set(ids)];
}

/** Returns the name of an emoji that was written as `name`, `:name:` or as the emoji itself. */
export function emojiNameArgument(text: string): string {
  const written = text.trim();
  const [, name] = /^:?([\w+-]+):?$/.exec(written) ?? [];
  return name ?? builtInEmoji().name(emojiCodeOfCharacters(written)) ?? written.replaceAll(':', '');
}

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

/** Returns the time that `--at` gives, in UNIX seconds. Throws when it is missing, unknown or past. */
export function timeArgument(text: string | undefined, {clock, env}: Pick<CliIo, 'clock' | 'env'>): number {
  if (text === undefined) throw new UsageError('Give the time with --at, such as --at "tomorrow 9:00".');
  const now = clock.now();
  const at = parseMoment(text, now, undefined, localeFormat(timeLocale(env)));
  if (at === undefined) {
    throw new UsageError(`“${text}” is not a time. Write tomorrow 9:00, fri 14:00, in 2 hours or 2026-05-12 14:30.`);
  }
  if (at <= now) throw new UsageError(`“${text}” is in the past.`);
  return Math.ceil(at / 1000);
}

/** Parses a time before now. Returns milliseconds since the epoch. */
export function pastMomentOf(written: string, now: number): number {
  const at = parsePastMoment(written, now);
  if (at !== undefined && at <= now) return at;
  if (at !== undefined) throw new UsageError(`“${written}” is in the future.`);
  throw new UsageError(`“${written}” is not a time. Write 30m, 2 hours, yesterday 14:00, mon, or 2026-05-01 09:30.`);
}

/** Returns a time of UNIX seconds such as `2026-05-12 14:30`, in the time zone of this machine. */
export function timeText(seconds: number): string {
  const at = new Date(seconds * 1000);
  return `${localDay(at)} ${localClock(at)}`;
}
