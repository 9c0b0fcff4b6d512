import type {MessageFacts} from '#content/message-facts.ts';
import type {Channel} from '#state/model/channel.ts';
import type {Message} from '#state/model/message.ts';
import {foldName, type Group, type User} from '#state/model/user.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {foldText} from '#std/fold-text.ts';
import {memoBySlices} from '#std/memo.ts';
import {matchName, nameRanks} from '#std/name-match.ts';
import {ownValue} from '#std/own-value.ts';
import {didYouMean, orList} from '#std/similar-names.ts';

/** The result of looking up a name, or a sentence that says why it failed. */
export type Lookup<T> = {readonly found: T} | {readonly problem: string};

/** Whether a part of a name suffices if only one active item has it. A verb that changes something needs the exact name. */
export type NameMatching = 'partial' | 'exact';

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

/** Finds a channel by name, by id where no channel has that name, or by a part of its name. */
export function findChannel(state: AccountState, text: string, matching: NameMatching = 'partial'): Lookup<Channel> {
  const named = channelNamed(state, text);
  if (named !== undefined) return {found: named};
  const byId = isNumericId(text) ? state.channels.get(Number(text)) : undefined;
  if (byId !== undefined) return {found: byId};
  const candidates = [...state.channels.values()].filter(({isArchived}) => matching === 'exact' || isArchived !== true);
  const nameOf = ({name}: Channel) => name;
  const problem = composed`There is no channel called “${text.trim()}”.`;
  const partial = findPartly('channels', candidates, nameOf, text, matching, problem);
  return partial ?? {problem: `${problem}${didYouMean(candidates.map(nameOf), text)}`};
}

/**
 * Finds a group by name, by id where no group has that name, or by a part of its name. A group of a role is found by the
 * role too: `moderators` is `role:moderators`. Of several groups with a name, the active one counts.
 */
export function findGroup(
  {groups}: Pick<AccountState, 'groups'>,
  text: string,
  matching: NameMatching = 'partial',
): Lookup<Group> {
  const name = foldName(text);
  const active = [...groups.values()].sort((a, b) => Number(a.isDeactivated) - Number(b.isDeactivated));
  const group =
    active.find((one) => foldName(one.name) === name) ??
    active.find((one) => one.isSystemGroup && foldName(one.name) === `role:${name}`) ??
    (isNumericId(text) ? groups.get(Number(text)) : undefined);
  if (group !== undefined) return {found: group};
  const shownName = (one: Group) => one.name.replace(/^role:/, '');
  const candidates = active.filter(({isDeactivated}) => matching === 'exact' || !isDeactivated);
  const problem = composed`There is no group called “${text.trim()}”.`;
  const partial = findPartly('groups', candidates, shownName, text, matching, problem);
  return partial ?? {problem: `${problem}${didYouMean(active.map(shownName), text)}`};
}

/**
 * Finds a user by `me`, email address, id, full name, `name|id`, or a part of the name. Among users with the same name,
 * the only active one counts.
 */
export function findUser(state: AccountState, typed: string, matching: NameMatching = 'partial'): Lookup<User> {
  const text = typed.trim();
  const [only, ...others] = exactUsers(state, text);
  if (only === undefined) {
    const partial = text.includes('@') ? undefined : userPartlyNamed(state, text, matching);
    return partial ?? {problem: noUserProblem(state, text)};
  }
  if (others.length === 0) return {found: only};
  const choices = [only, ...others].map(({fullName, email, id}) => `${fullName}|${id} (${email})`);
  return {problem: composed`${choices.length} users are called “${text}”: write ${orList(choices.slice(0, 5))}.`};
}

/** Returns the user whom the text names exactly. Reads no other users, so it may be called at every key. */
export function exactUser(state: AccountState, typed: string): User | undefined {
  const [only, another] = exactUsers(state, typed.trim());
  return another === undefined ? only : undefined;
}

function exactUsers(state: AccountState, text: string): readonly User[] {
  const direct = userByHandle(state, text);
  if (direct !== undefined) return [direct];
  const named = usersNamed(state, text);
  const active = named.filter(({isActive}) => isActive);
  return active.length > 0 ? active : named;
}

function userPartlyNamed(state: AccountState, text: string, matching: NameMatching): Lookup<User> | undefined {
  const candidates = Iterator.from(state.users.values()).filter(({isActive}) => matching === 'exact' || isActive);
  return findPartly(
    'people',
    candidates,
    ({fullName}) => fullName,
    text,
    matching,
    composed`No user is called “${text}”.`,
  );
}

/** The kinds of partial matches, the best first: the same words, the beginnings of words, and parts of words. */
const partialRanks = [nameRanks.exact, nameRanks.titleWord, nameRanks.inside] as const;
const maxListed = 5;

/**
 * Finds the only item that a part of a name matches best; undefined when it matches none. With `exact`, none is found, and
 * the problem names the matches, also inactive ones: some verbs are about these.
 */
function findPartly<T extends {readonly id: number}>(
  kind: string,
  items: Iterable<T>,
  nameOf: (item: T) => string,
  text: string,
  matching: NameMatching,
  notFound: string,
): Lookup<T> | undefined {
  const matches: {readonly item: T; readonly rank: number}[] = [];
  // Most of many thousand names lack the first word: they need no further comparison.
  const [word = ''] = foldText(text).text.match(/[\p{L}\p{N}]+/u) ?? [];
  for (const item of items) {
    const title = nameOf(item);
    const match = foldText(title).text.includes(word) ? matchName(text, {id: '', title}) : undefined;
    if (match !== undefined) matches.push({item, rank: match.rank});
  }
  const lowest = partialRanks.find((rank) => matches.some((match) => match.rank >= rank)) ?? 0;
  const found = matches.filter(({rank}) => rank >= lowest).map(({item}) => item);
  const [only, another] = found;
  if (only === undefined) return undefined;
  if (another === undefined && matching === 'partial') return {found: only};
  const names = found.map(nameOf);
  const listed = found.slice(0, maxListed).map((item) => {
    const name = nameOf(item);
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name}|${item.id}`;
  });
  const hidden = found.length - listed.length;
  if (matching === 'exact') {
    const choices = [...listed.map((name) => composed`“${name}”`), ...(hidden > 0 ? [`one of ${hidden} more`] : [])];
    return {problem: composed`${notFound} Did you mean ${orList(choices)}?`};
  }
  const more = hidden > 0 ? ` and ${hidden} more` : '';
  return {problem: composed`${found.length} ${kind} match “${text.trim()}”: ${joined(listed)}${more}.`};
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
    return composed`No user has the email address “${text}”.${suggestion}`;
  }
  const suggestion = didYouMean(
    users.map(({fullName}) => fullName),
    text,
  );
  return composed`No user is called “${text}”.${suggestion}`;
}

export function isNumericId(text: string): boolean {
  return /^\d{1,15}$/.test(text.trim());
}

export type NameIds = Pick<MessageFacts, 'users' | 'groups' | 'channels'>;

/** The names in a text, by what they mean today. */
interface NameFacts {
  /** Undefined when no name needs to be remembered. */
  readonly facts: MessageFacts | undefined;
  /** Whether each name means exactly one user, group or channel. */
  readonly areAllFound: boolean;
}

/** A user, group or channel with the seconds of its creation, if known. */
interface Named {
  readonly id: number;
  readonly dateCreated?: number | null | undefined;
}

// The same as in the parser, without regard to where in the text they are.
const mentionOrLink = /@_?\*\*([^*]+)\*\*|@_?\*([^*]+)\*|#\*\*([^*]+)\*\*/g;
const wildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'stream', 'channel', 'topic']);
const noNames: NameFacts = {facts: undefined, areAllFound: true};

const groupsByName = memoBySlices(
  ['groups'],
  ({groups}: AccountState): ReadonlyMap<string, readonly Group[]> =>
    Map.groupBy(groups.values(), ({name}) => name.toLowerCase()),
);

/** Returns the group with exactly this name or, with `anyCase`, one that differs in case only. */
export function groupCalled(state: AccountState, name: string, anyCase = false): Group | undefined {
  const same = groupsByName(state).get(name.toLowerCase());
  return same?.findLast((group) => group.name === name) ?? (anyCase ? same?.at(-1) : undefined);
}

/** A message, or a text that is written now. */
type NamingText = Pick<Message, 'content'> & Partial<Pick<Message, 'timestamp'>>;

/**
 * Looks up the users, groups and channels that a text names; none that is newer than the text. An id beside a name counts
 * while that user has the name: after a rename or an import, only the server's rendering says who is meant. `known` says what
 * some of the names mean in this text; `former` are names of before, for those that nobody has today.
 */
export function nameFacts(
  state: AccountState,
  {content, timestamp = Number.POSITIVE_INFINITY}: NamingText,
  known: NameIds = {},
  former: NameIds = {},
): NameFacts {
  if (!/[@#]_?\*/.test(content)) return noNames;
  const found = {
    users: new Map<string, number>(),
    groups: new Map<string, number>(),
    channels: new Map<string, number>(),
  };
  let areAllFound = true;
  const add = (kind: keyof NameIds, name: string, current: Named | undefined): boolean => {
    const isOlder = current !== undefined && (current.dateCreated ?? 0) <= timestamp;
    const id = ownValue(known[kind], name) ?? (isOlder ? current.id : ownValue(former[kind], name));
    if (id !== undefined) found[kind].set(name, id);
    return id !== undefined;
  };
  for (const [, user, group, channel = ''] of content.matchAll(mentionOrLink)) {
    if (user !== undefined) {
      const isFound = wildcards.has(user) || add('users', user.toLowerCase(), userCalled(state, user));
      areAllFound &&= isFound;
    } else if (group !== undefined) areAllFound = add('groups', group, groupCalled(state, group)) && areAllFound;
    else {
      // `channel`, `channel>topic` or `channel>topic@id`.
      const names = [channel.split('>', 1)[0] ?? '', channel];
      areAllFound = names.some((name) => add('channels', name, channelCalled(state, name))) && areAllFound;
    }
  }
  const facts = Object.fromEntries(
    Object.entries(found).flatMap(([kind, ids]) => (ids.size === 0 ? [] : [[kind, Object.fromEntries(ids)]])),
  );
  return {facts: Object.keys(facts).length === 0 ? undefined : facts, areAllFound};
}

/** Returns the user that `Name`, `Name|12` or `|12` means; undefined when user 12 has another name. */
function userCalled(state: AccountState, typed: string): Named | undefined {
  const [, name = typed, id] = /^(.*)\|(\d{1,15})$/s.exec(typed) ?? [];
  const hasName = ({fullName}: User) => fullName.toLowerCase() === name.toLowerCase();
  if (id === undefined) {
    const [only, ...others] = usersNamed(state, name).filter(hasName);
    return others.length === 0 && only !== undefined ? namedUser(only) : undefined;
  }
  const user = state.users.get(Number(id));
  return user !== undefined && (name === '' || hasName(user)) ? namedUser(user) : undefined;
}

function namedUser({id, dateJoined}: User): Named {
  const joinedMs = dateJoined === undefined ? Number.NaN : Date.parse(dateJoined);
  return {id, dateCreated: Number.isNaN(joinedMs) ? undefined : Math.floor(joinedMs / 1000)};
}

function channelCalled(state: AccountState, name: string): Named | undefined {
  const channel = channelNamed(state, name);
  return channel?.name === name ? channel : undefined;
}

/** Returns `former` and the names of a rendering that nobody has today. */
export function withFormerNames(state: AccountState, former: NameIds, {users, groups, channels}: NameIds): NameIds {
  const added = {
    users: entriesWhere(users, (name) => !name.startsWith('|') && usersNamed(state, name).length === 0),
    groups: entriesWhere(groups, (name) => groupCalled(state, name) === undefined),
    channels: entriesWhere(channels, (name) => channelCalled(state, name) === undefined),
  };
  return {
    users: {...former.users, ...added.users},
    groups: {...former.groups, ...added.groups},
    channels: {...former.channels, ...added.channels},
  };
}

function entriesWhere(ids: NameIds['users'] = {}, holds: (name: string) => boolean): NonNullable<NameIds['users']> {
  return Object.fromEntries(Object.entries(ids).filter(([name]) => holds(name)));
}

/** Adds the other spellings of names that are in the text, such as those of system groups, to what the server rendered. */
export function withSpellings(rendered: MessageFacts, names: MessageFacts | undefined): MessageFacts {
  if (names === undefined) return rendered;
  return {
    ...rendered,
    ...merged('users', rendered.users, names.users),
    ...merged('groups', rendered.groups, names.groups),
    ...merged('channels', rendered.channels, names.channels),
  };
}

function merged(
  name: string,
  rendered: NameIds['users'],
  typed: NameIds['users'],
): Readonly<Record<string, Record<string, number>>> {
  if (rendered === undefined || typed === undefined) return {};
  const ids = new Set(Object.values(rendered));
  const same = Object.entries(typed).filter(([, id]) => ids.has(id));
  return {[name]: Object.fromEntries([...same, ...Object.entries(rendered)])};
}
