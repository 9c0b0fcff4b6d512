import type {Channel} from '#state/model/channel.ts';
import type {Group} from '#state/model/group.ts';
import type {User} from '#state/model/user.ts';
import {foldName} from '#state/model/users.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {didYouMean, orList} from './similar-names.ts';

/** The result of looking up a name, or a sentence that says why it failed. */
export type Lookup<T> = {readonly found: T} | {readonly problem: string};

const channelsByName = memoBySlices(['channels'], ({channels}: AccountState): ReadonlyMap<string, Channel> => {
  const byName = new Map<string, Channel>();
  for (const channel of channels.values()) {
    const name = foldName(channel.name);
    // Of two channels with the same name, the active one counts.
    if (channel.isArchived !== true || !byName.has(name)) byName.set(name, channel);
  }
  return byName;
});

export function channelNamed(state: AccountState, name: string): Channel | undefined {
  return channelsByName(state).get(foldName(name));
}

/** Returns the users with this name, by id. */
export function usersNamed(state: AccountState, name: string): readonly User[] {
  return [...state.users.labelled('name', foldName(name))].sort((a, b) => a.id - b.id);
}

/** Finds a channel by name, or by id where no channel has that name. */
export function findChannel(state: AccountState, text: string): Lookup<Channel> {
  const named = channelNamed(state, text);
  if (named !== undefined) return {found: named};
  const byId = isNumericId(text) ? state.channels.get(Number(text)) : undefined;
  if (byId !== undefined) return {found: byId};
  const activeChannels = [...state.channels.values()].filter(({isArchived}) => isArchived !== true);
  const suggestion = didYouMean(
    activeChannels.map(({name}) => name),
    text,
  );
  return {problem: `There is no channel called “${text.trim()}”.${suggestion}`};
}

/**
 * Finds a group by name, or by id where no group has that name. A group of a role is found by the role too:
 * `moderators` is `role:moderators`. Of several groups with a name, the active one counts.
 */
export function findGroup({groups}: Pick<AccountState, 'groups'>, text: string): Lookup<Group> {
  const name = foldName(text);
  const active = [...groups.values()].sort((a, b) => Number(a.isDeactivated) - Number(b.isDeactivated));
  const group =
    active.find((one) => foldName(one.name) === name) ??
    active.find((one) => one.isSystemGroup && foldName(one.name) === `role:${name}`) ??
    (isNumericId(text) ? groups.get(Number(text)) : undefined);
  if (group !== undefined) return {found: group};
  const names = active.map((one) => one.name.replace(/^role:/, ''));
  return {problem: `There is no group called “${text.trim()}”.${didYouMean(names, text)}`};
}

/**
 * Finds a user by `me`, email address, id, full name, or `name|id`. Among users with the same name, the only
 * active one counts.
 */
export function findUser(state: AccountState, typed: string): Lookup<User> {
  const text = typed.trim();
  const direct = userByHandle(state, text);
  if (direct !== undefined) return {found: direct};
  const named = usersNamed(state, text);
  const active = named.filter(({isActive}) => isActive);
  const [only, ...others] = active.length > 0 ? active : named;
  if (only === undefined) return {problem: noUserProblem(state, text)};
  if (others.length === 0) return {found: only};
  const choices = [only, ...others].map(({fullName, email, id}) => `${fullName}|${id} (${email})`);
  return {problem: `${choices.length} users are called “${text}”: write ${orList(choices.slice(0, 5))}.`};
}

function userByHandle(state: AccountState, text: string): User | undefined {
  if (text.toLowerCase() === 'me') return state.users.get(state.self.userId);
  const addressed = userWithAddress(state, foldName(text));
  if (addressed !== undefined) return addressed;
  if (isNumericId(text)) return state.users.get(Number(text));
  const bar = text.lastIndexOf('|');
  const user = bar > 0 && isNumericId(text.slice(bar + 1)) ? state.users.get(Number(text.slice(bar + 1))) : undefined;
  return user !== undefined && foldName(user.fullName) === foldName(text.slice(0, bar)) ? user : undefined;
}

/** Of several users the one with the highest id. */
function userWithAddress({users}: AccountState, address: string): User | undefined {
  const found = [...users.labelled('email', address), ...users.labelled('deliveryEmail', address)];
  return found.reduce<User | undefined>(
    (last, user) => (last === undefined || user.id > last.id ? user : last),
    undefined,
  );
}

function noUserProblem(state: AccountState, text: string): string {
  const users = [...state.users.values()].filter(({isActive}) => isActive);
  if (text.includes('@')) {
    const suggestion = didYouMean(
      users.map(({deliveryEmail, email}) => deliveryEmail ?? email),
      text,
    );
    return `No user has the email address “${text}”.${suggestion}`;
  }
  const suggestion = didYouMean(
    users.map(({fullName}) => fullName),
    text,
  );
  return `No user is called “${text}”.${suggestion}`;
}

export function isNumericId(text: string): boolean {
  return /^\d{1,15}$/.test(text.trim());
}
