import {builtInEmoji, emojiCodeOfCharacters} from '#content/emoji.ts';
import type {Channel} from '#state/model/channel.ts';
import type {Group} from '#state/model/group.ts';
import type {User} from '#state/model/user.ts';
import {findChannel, findGroup, findUser, type Lookup, type NameMatching} from '#state/selectors/names/find-by-name.ts';
import type {Permission} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {exitCodes, PlainFailure, UsageError} from './failures.ts';

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
