import type {MentionedGroup, MentionedUser, ParseContext} from '#content/parse-context.ts';
import type {Group} from '#state/model/group.ts';
import type {User} from '#state/model/user.ts';
import {channelNamed, usersNamed} from '#state/selectors/names/find-by-name.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';

const groupsByName = memoBySlices(['groups'], ({groups}: AccountState): ReadonlyMap<string, Group> => {
  const all = [...groups.values()];
  return new Map([
    ...all.map((group) => [group.name.toLowerCase(), group] as const),
    ...all.map((group) => [group.name, group] as const),
  ]);
});

/** Returns the names that a message can refer to, resolved as the server would. */
export function nameContext(state: AccountState): ParseContext {
  const url = state.realm.url ?? state.realm.uri ?? state.server.url;
  return {
    userByName: (name) => mentionedUser(userCalled(state, name)),
    userById: (id) => mentionedUser(state.users.get(id)),
    groupByName: (name) => {
      const groups = groupsByName(state);
      return mentionedGroup(groups.get(name) ?? groups.get(name.toLowerCase()));
    },
    groupById: (id) => mentionedGroup(state.groups.get(id)),
    channelByName: (name) => {
      const channel = channelNamed(state, name);
      return channel?.name === name ? {id: channel.id} : undefined;
    },
    realmUrl: url.replace(/\/+$/, ''),
  };
}

/** Prefers an active user among several of the same name, and the one with the highest id, as servers do. */
function userCalled(state: AccountState, name: string): User | undefined {
  const same = usersNamed(state, name).filter(({fullName}) => fullName.toLowerCase() === name.toLowerCase());
  return same.findLast(({isActive}) => isActive) ?? same.at(-1);
}

function mentionedUser(user: User | undefined): MentionedUser | undefined {
  return user === undefined ? undefined : {id: user.id, fullName: user.fullName, isActive: user.isActive};
}

function mentionedGroup(group: Group | undefined): MentionedGroup | undefined {
  if (group === undefined) return undefined;
  return {id: group.id, name: group.name, isSystem: group.isSystemGroup, isActive: !group.isDeactivated};
}
