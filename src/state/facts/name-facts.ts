import type {MessageFacts} from '#content/message-facts.ts';
import type {Group} from '#state/model/group.ts';
import {channelNamed, usersNamed} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {ownValue} from '#std/own-value.ts';

/** The names in a text, by what they mean today. */
export interface NameFacts {
  /** Undefined when no name needs to be remembered. */
  readonly facts: MessageFacts | undefined;
  /** Whether each name means exactly one user, group or channel. */
  readonly areAllFound: boolean;
}

// The same as in the parser, without regard to where in the text they are.
const mentionOrLink = /@_?\*\*([^*]+)\*\*|@_?\*([^*]+)\*|#\*\*([^*]+)\*\*/g;
const wildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'stream', 'channel', 'topic']);
const noNames: NameFacts = {facts: undefined, areAllFound: true};

const groupsByName = memoBySlices(['groups'], ({groups}: AccountState): ReadonlyMap<string, Group> => {
  return new Map(Array.from(groups.values(), (group) => [group.name, group]));
});

/**
 * Looks up the users, groups and channels that a text names. Names with an id need not be remembered. `known` says what
 * some of the names mean already.
 */
export function nameFacts(state: AccountState, content: string, known: MessageFacts = {}): NameFacts {
  if (!/[@#]_?\*/.test(content)) return noNames;
  const [users, groups, channels] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  let areAllFound = true;
  for (const [, user, group, channel] of content.matchAll(mentionOrLink)) {
    let found: boolean;
    if (user !== undefined) found = addUser(state, users, user, known.users);
    else if (group !== undefined) {
      found = add(groups, group, ownValue(known.groups, group) ?? groupsByName(state).get(group)?.id);
    } else found = addChannel(state, channels, channel ?? '', known.channels);
    areAllFound &&= found;
  }
  if (users.size + groups.size + channels.size === 0) return {facts: undefined, areAllFound};
  return {
    facts: {...record('users', users), ...record('groups', groups), ...record('channels', channels)},
    areAllFound,
  };
}

function addUser(
  state: AccountState,
  users: Map<string, number>,
  typed: string,
  known: MessageFacts['users'],
): boolean {
  if (wildcards.has(typed)) return true;
  const [, beforeId = '', id] = /^(.*)\|(\d{1,15})$/s.exec(typed) ?? [];
  if (id !== undefined) return state.users.has(Number(id)) || ownValue(known, beforeId.toLowerCase()) !== undefined;
  const name = typed.toLowerCase();
  const [only, ...others] = usersNamed(state, typed).filter(({fullName}) => fullName.toLowerCase() === name);
  return add(users, name, ownValue(known, name) ?? (others.length === 0 ? only?.id : undefined));
}

/** Looks up `channel`, `channel>topic` and `channel>topic@id`. */
function addChannel(
  state: AccountState,
  channels: Map<string, number>,
  typed: string,
  known: MessageFacts['channels'],
): boolean {
  return [typed.split('>', 1)[0] ?? '', typed].some((name) => {
    const channel = channelNamed(state, name);
    return add(channels, name, ownValue(known, name) ?? (channel?.name === name ? channel.id : undefined));
  });
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

type Ids = Readonly<Record<string, number>> | undefined;

function merged(name: string, rendered: Ids, typed: Ids): Readonly<Record<string, Record<string, number>>> {
  if (rendered === undefined || typed === undefined) return {};
  const ids = new Set(Object.values(rendered));
  const same = Object.entries(typed).filter(([, id]) => ids.has(id));
  return {[name]: Object.fromEntries([...same, ...Object.entries(rendered)])};
}

function add(ids: Map<string, number>, name: string, id: number | undefined): boolean {
  if (id !== undefined) ids.set(name, id);
  return id !== undefined;
}

function record(name: string, ids: ReadonlyMap<string, number>): Readonly<Record<string, Record<string, number>>> {
  return ids.size === 0 ? {} : {[name]: Object.fromEntries(ids)};
}
