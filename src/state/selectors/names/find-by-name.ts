import type {Channel} from '#state/model/channel.ts';
import type {User} from '#state/model/user.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {didYouMean, orList} from './similar-names.ts';

/** Somebody or something found by what people call it, or a sentence that says why not. */
export type Lookup<T> = {readonly found: T} | {readonly problem: string};

const isSimple = /^[!-~]+(?: [!-~]+)*$/;

/** Letters in either case and any white space are the same. Most names need no more than a look: there may be 50,000. */
function fold(text: string): string {
  if (isSimple.test(text)) return text.toLowerCase();
  return text.trim().replaceAll(/\s+/g, ' ').normalize('NFC').toLowerCase();
}

const usersByName = memoBySlices(['users'], ({users}: AccountState): ReadonlyMap<string, readonly User[]> => {
  const byName = new Map<string, User[]>();
  for (const user of users.values()) {
    const name = fold(user.fullName);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [user]);
    else same.push(user);
  }
  return byName;
});

const usersByEmail = memoBySlices(['users'], ({users}: AccountState): ReadonlyMap<string, User> => {
  const byEmail = new Map<string, User>();
  for (const user of users.values()) {
    byEmail.set(fold(user.email), user);
    if (user.deliveryEmail !== undefined) byEmail.set(fold(user.deliveryEmail), user);
  }
  return byEmail;
});

const channelsByName = memoBySlices(
  ['channels'],
  ({channels}: AccountState): ReadonlyMap<string, Channel> => {
    const byName = new Map<string, Channel>();
    for (const channel of channels.values()) {
      const name = fold(channel.name);
      // Of two with the same name the one in use.
      if (channel.isArchived !== true || !byName.has(name)) byName.set(name, channel);
    }
    return byName;
  },
);

export function channelNamed(state: AccountState, name: string): Channel | undefined {
  return channelsByName(state).get(fold(name));
}

export function usersNamed(state: AccountState, name: string): readonly User[] {
  return usersByName(state).get(fold(name)) ?? [];
}

/** By name, or by id where no channel is called that. */
export function findChannel(state: AccountState, written: string): Lookup<Channel> {
  const named = channelNamed(state, written);
  if (named !== undefined) return {found: named};
  const byId = isNumericId(written) ? state.channels.get(Number(written)) : undefined;
  if (byId !== undefined) return {found: byId};
  const names = [...state.channels.values()].filter(({isArchived}) => isArchived !== true);
  const meant = didYouMean(
    names.map(({name}) => name),
    written,
  );
  return {problem: `There is no channel called “${written.trim()}”.${meant}`};
}

/** By `me`, e-mail address, id, full name, or `name|id`. Of several with one name the only one still active. */
export function findUser(state: AccountState, written: string): Lookup<User> {
  const text = written.trim();
  const direct = userByHandle(state, text);
  if (direct !== undefined) return {found: direct};
  const named = usersNamed(state, text);
  const active = named.filter(({isActive}) => isActive);
  const [only, ...others] = active.length > 0 ? active : named;
  if (only === undefined) return {problem: nobody(state, text)};
  if (others.length === 0) return {found: only};
  const choices = [only, ...others].map(({fullName, email, id}) => `${fullName}|${id} (${email})`);
  return {problem: `${choices.length} people are called “${text}”: write ${orList(choices.slice(0, 5))}.`};
}

function userByHandle(state: AccountState, text: string): User | undefined {
  if (text.toLowerCase() === 'me') return state.users.get(state.self.userId);
  const email = usersByEmail(state).get(fold(text));
  if (email !== undefined) return email;
  if (isNumericId(text)) return state.users.get(Number(text));
  const bar = text.lastIndexOf('|');
  const user =
    bar > 0 && isNumericId(text.slice(bar + 1)) ? state.users.get(Number(text.slice(bar + 1))) : undefined;
  return user !== undefined && fold(user.fullName) === fold(text.slice(0, bar)) ? user : undefined;
}

function nobody(state: AccountState, text: string): string {
  const users = [...state.users.values()].filter(({isActive}) => isActive);
  if (text.includes('@')) {
    const meant = didYouMean(
      users.map(({deliveryEmail, email}) => deliveryEmail ?? email),
      text,
    );
    return `Nobody here has the address “${text}”.${meant}`;
  }
  const meant = didYouMean(
    users.map(({fullName}) => fullName),
    text,
  );
  return `Nobody here is called “${text}”.${meant}`;
}

export function isNumericId(text: string): boolean {
  return /^\d{1,15}$/.test(text.trim());
}
