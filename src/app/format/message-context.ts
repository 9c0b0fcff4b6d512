import {nameContext} from '#app/warnings/name-context.ts';
import {type CompiledLinkifier, compileLinkifier} from '#content/linkifier.ts';
import type {CustomEmoji} from '#content/parse-context.ts';
import type {RenderContext} from '#content/render/render-options.ts';
import {isMember} from '#state/selectors/permissions/group-members.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';

const linkifiersOf = memoBySlices(
  ['linkifiers'],
  ({linkifiers}: AccountState): readonly CompiledLinkifier[] =>
    linkifiers.flatMap((linkifier) => compileLinkifier(linkifier) ?? []),
);

const emojiByName = memoBySlices(['emoji'], ({emoji}: AccountState): ReadonlyMap<string, CustomEmoji> => {
  const active = [...emoji.values()].filter(({deactivated}) => !deactivated);
  return new Map(active.map(({id, name, sourceUrl}) => [name, {id: String(id), sourceUrl}]));
});

/**
 * What the reader knows, as messages are read by. The same object while nothing of it changed, so that what was laid out by
 * it can be kept.
 */
export const messageContext = memoBySlices(
  ['self', 'server', 'realm', 'users', 'groups', 'channels', 'emoji', 'linkifiers', 'settings'],
  (state: AccountState): RenderContext => {
    const {self, realm, groups, channels, settings} = state;
    const language = realm.defaultCodeBlockLanguage;
    return {
      ...nameContext(state),
      selfId: self.userId,
      // Membership by age of an account is the server's to know; by role and list it does not depend on the time.
      isInGroup: (groupId) => isMember(state, self.userId, groupId, 0),
      channelName: (id) => channels.get(id)?.name,
      groupName: (id) => groups.get(id)?.name,
      customEmoji: (name) => emojiByName(state).get(name),
      linkifiers: linkifiersOf(state),
      translateEmoticons: settings.translateEmoticons === true,
      ...(realm.emptyTopicDisplayName !== undefined && {emptyTopicName: realm.emptyTopicDisplayName}),
      ...(typeof language === 'string' && language !== '' && {defaultCodeLanguage: language}),
    };
  },
);
