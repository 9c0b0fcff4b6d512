import type {MessageFacts} from '#content/message-facts.ts';
import type {Group} from '#state/model/group.ts';
import type {Message} from '#state/model/message.ts';
import type {User} from '#state/model/user.ts';
import {channelNamed, usersNamed} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {ownValue} from '#std/own-value.ts';

/** Ids by name. */
export type NameIds = Pick<MessageFacts, 'users' | 'groups' | 'channels'>;

/** The names in a text, by what they mean today. */
export interface NameFacts {
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

const groupsByName = memoBySlices(['groups'], ({groups}: AccountState): ReadonlyMap<string, Group> => {
  return new Map(Array.from(groups.values(), (group) => [group.name, group]));
});

/** A message, or a text that is written now. */
export type NamingText = Pick<Message, 'content'> & Partial<Pick<Message, 'timestamp'>>;

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
    } else if (group !== undefined) areAllFound = add('groups', group, groupsByName(state).get(group)) && areAllFound;
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
    groups: entriesWhere(groups, (name) => !groupsByName(state).has(name)),
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
