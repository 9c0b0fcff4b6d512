import fc from 'fast-check';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {type Conversation, topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {noUnreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {addUnreads, type UnreadMessage} from '#state/unreads/unreads.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';

const noMessages: AccountState['messages'] = {byId: SortedMap.empty(), byConversation: SortedMap.empty()};

export function loadedMessages(...messages: readonly Message[]): AccountState['messages'] {
  return withMessages(noMessages, messages);
}

/** Builds unreads from `[id, conversation, isMention?]`. */
export function unreadsOf(
  ...given: readonly (readonly [id: number, conversation: Conversation, isMention?: boolean])[]
): AccountState['unreads'] {
  const messages = given.map(([id, conversation, isMention = false]): UnreadMessage => ({id, conversation, isMention}));
  return addUnreads(noUnreads, messages);
}

export function topic(channelId: number, name: string): Conversation {
  return topicConversation(channelId, name);
}

export function dm(...userIds: number[]): Conversation {
  return {kind: 'direct', userIds};
}

/** Builds user topics from `[channelId, topic, policy]`. */
export function userTopicPolicies(
  ...given: readonly (readonly [channelId: number, topic: string, policy: number])[]
): AccountState['userTopics'] {
  return SortedMap.from(
    given.map(([channelId, name, policy]) => [
      topicConversationKey(channelId, name),
      {channelId, topic: name, policy, lastUpdated: 0},
    ]),
  );
}

const conversations: fc.Arbitrary<Conversation> = fc.oneof(
  fc
    .record({channelId: fc.integer({min: 1, max: 6}), name: fc.constantFrom('a', 'B', '✔ c', '', 'd e')})
    .map(({channelId, name}) => topic(channelId, name)),
  fc.uniqueArray(fc.integer({min: 11, max: 15}), {maxLength: 3}).map((ids) => dm(...ids.sort((a, b) => a - b))),
);

/** A small account with everything that affects counts and order: mutes, pins, folders, mentions, drafts. */
export const arbitraryAccountState: fc.Arbitrary<AccountState> = fc
  .record({
    unreads: fc.uniqueArray(fc.tuple(fc.integer({min: 1, max: 200}), conversations, fc.boolean()), {
      selector: ([id]) => id,
      maxLength: 40,
    }),
    load: fc.array(fc.boolean(), {minLength: 40, maxLength: 40}),
    alerts: fc.array(fc.boolean(), {minLength: 40, maxLength: 40}),
    channels: fc.array(
      fc.record({
        isMuted: fc.boolean(),
        pinToTop: fc.boolean(),
        isSubscribed: fc.boolean(),
        isArchived: fc.boolean(),
        isRecentlyActive: fc.boolean(),
        folderId: fc.option(fc.constantFrom(1, 2, 3)),
      }),
      {minLength: 5, maxLength: 5},
    ),
    policies: fc.array(
      fc.tuple(fc.integer({min: 1, max: 6}), fc.constantFrom('a', 'b', '✔ c', ''), fc.constantFrom(1, 2, 3)),
      {maxLength: 8},
    ),
    mutedUsers: fc.uniqueArray(fc.integer({min: 11, max: 15}), {maxLength: 2}),
    demote: fc.constantFrom(1, 2, 3),
    drafts: fc.array(conversations, {maxLength: 3}),
  })
  .map((facts) => {
    const state = eg.state();
    return eg.state({
      unreads: unreadsOf(...facts.unreads),
      messages: loadedMessages(
        ...facts.unreads
          .filter((_, index) => facts.load[index])
          .map(([id, conversation], index) => {
            const common = {id, flags: facts.alerts[index] ? ['has_alert_word'] : []};
            return conversation.kind === 'topic'
              ? eg.message({...common, channelId: conversation.channelId, topic: conversation.topic})
              : eg.direct({...common, userIds: conversation.userIds});
          }),
      ),
      channels: eg.byId(
        ...facts.channels.map(({isArchived, isRecentlyActive, folderId}, index) =>
          eg.channel({id: index + 1, isArchived, isRecentlyActive, folderId}),
        ),
      ),
      subscriptions: eg.subscribed(
        ...facts.channels.map(({isMuted, pinToTop, isSubscribed}, index) =>
          eg.subscription({channelId: index + 1, isMuted, pinToTop, isSubscribed}),
        ),
      ),
      folders: eg.byId(
        {id: 1, name: 'One', description: '', isArchived: false, order: 2},
        {id: 2, name: 'Two', description: '', isArchived: false, order: 1},
        {id: 3, name: 'Gone', description: '', isArchived: true, order: 0},
      ),
      userTopics: userTopicPolicies(...facts.policies),
      mutedUsers: SortedMap.from(facts.mutedUsers.map((id) => [id, {id, timestamp: 0}])),
      settings: {...state.settings, demoteInactiveStreams: facts.demote},
      drafts: SortedMap.from(facts.drafts.map((target, id) => [id, {id, target, content: 'half', timestamp: id}])),
    });
  });
