import {pollState} from '#content/widgets/widgets.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import {topicConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {type ActionsFixture, actionsFixture} from './actions-fixture.ts';

/** A test case of one reversible action: how to perform it, how to see its effect, and the endpoint it uses. */
interface ActionCase {
  readonly name: string;
  /** The lowest feature level that supports it. */
  readonly since?: number;
  /** The path of its request. */
  readonly path: string;
  readonly method?: string;
  prepare?(fixture: ActionsFixture): Promise<unknown>;
  action(fixture: ActionsFixture): ReversibleAction;
  /** Returns whether the state contains the effect. */
  isDone(state: AccountState, fixture: ActionsFixture): boolean;
  /** Older servers need another request, or send another event. */
  readonly isBranching?: boolean;
  /** A registration does not contain the effect. */
  readonly isNotInSnapshot?: boolean;
}

const reactionOn = (fixture: ActionsFixture, op: 'add' | 'remove'): ReversibleAction => ({
  kind: 'reaction',
  op,
  messageId: fixture.messageId,
  emojiName: 'tada',
  emojiCode: '1f389',
  reactionType: 'unicode_emoji',
});

const ownReactions = (state: AccountState, fixture: ActionsFixture) =>
  state.messages.byId.get(fixture.messageId)?.reactions.filter(({userId}) => userId === fixture.meg.id) ?? [];

const policyOf = (state: AccountState, {channelId}: ActionsFixture) =>
  state.userTopics.get(topicConversationKey(channelId, 'talk'))?.policy;

/** Creates a profile field. */
const createField = ({server, ada}: ActionsFixture, type: number) =>
  server.as(ada).post('/realm/profile_fields', {name: `Something ${type}`, field_type: type});

export const actionCases: readonly ActionCase[] = [
  {
    name: 'marking read',
    isBranching: true,
    path: '/messages/flags',
    action: (fixture) => ({
      kind: 'flags',
      op: 'add',
      flag: 'read',
      ids: [fixture.messageId, fixture.mentioned, fixture.direct],
    }),
    isDone: (state) => state.unreads.byId.size === 0,
  },
  {
    name: 'marking unread',
    isBranching: true,
    path: '/messages/flags',
    prepare: (fixture) =>
      fixture
        .otherClient()
        .post('/messages/flags', {messages: [fixture.mentioned, fixture.direct], op: 'add', flag: 'read'}),
    action: (fixture) => ({
      kind: 'flags',
      op: 'remove',
      flag: 'read',
      ids: [fixture.mentioned, fixture.direct],
    }),
    isDone: (state) => state.unreads.byId.size === 3 && state.unreads.mentions.size === 1,
  },
  {
    name: 'voting in a poll',
    path: '/submessage',
    isNotInSnapshot: true,
    prepare: ({server, otto}) =>
      server.as(otto).post('/messages', {type: 'stream', to: 'general', topic: 'talk', content: '/poll Tea?\nyes\nno'}),
    action: ({client}) => {
      const poll = [...client.state.messages.byId.values()].find(({submessages}) => submessages.length > 0);
      return {kind: 'pollVote', messageId: poll?.id ?? 0, key: 'canned,1', isOn: true};
    },
    isDone: ({messages}, {meg}) =>
      [...messages.byId.values()].some(
        ({submessages, senderId}) => pollState(submessages, senderId)?.options[1]?.voters.includes(meg.id) === true,
      ),
  },
  {
    name: 'starring',
    path: '/messages/flags',
    action: (fixture) => ({kind: 'flags', op: 'add', flag: 'starred', ids: [fixture.messageId]}),
    isDone: (state, fixture) => state.starred.has(fixture.messageId),
  },
  {
    name: 'collapsing',
    path: '/messages/flags',
    action: (fixture) => ({kind: 'flags', op: 'add', flag: 'collapsed', ids: [fixture.messageId]}),
    isDone: (state, fixture) => state.messages.byId.get(fixture.messageId)?.flags.includes('collapsed') === true,
    isNotInSnapshot: true,
  },
  {
    name: 'reacting',
    isBranching: true,
    path: '/messages/',
    action: (fixture) => reactionOn(fixture, 'add'),
    isDone: (state, fixture) => ownReactions(state, fixture).length === 1,
    isNotInSnapshot: true,
  },
  {
    name: 'removing a reaction',
    isBranching: true,
    path: '/messages/',
    prepare: (fixture) =>
      fixture.otherClient().post(`/messages/${fixture.messageId}/reactions`, {emoji_name: 'tada', emoji_code: '1f389'}),
    action: (fixture) => reactionOn(fixture, 'remove'),
    isDone: (state, fixture) => ownReactions(state, fixture).length === 0,
    isNotInSnapshot: true,
  },
  {
    name: 'muting a topic',
    isBranching: true,
    path: '/',
    action: ({channelId}) => ({kind: 'topicPolicy', channelId, topic: 'Talk', policy: 1}),
    isDone: (state, fixture) => policyOf(state, fixture) === 1,
  },
  {
    name: 'following a topic',
    isBranching: true,
    since: 219,
    path: '/user_topics',
    action: ({channelId}) => ({kind: 'topicPolicy', channelId, topic: 'talk', policy: 3}),
    isDone: (state, fixture) => policyOf(state, fixture) === 3,
  },
  {
    name: 'muting a channel',
    isBranching: true,
    path: '/users/me/subscriptions',
    action: ({channelId}) => ({kind: 'subscription', channelId, setting: 'isMuted', value: true}),
    isDone: (state, {channelId}) => state.subscriptions.get(channelId)?.isMuted === true,
  },
  {
    name: 'pinning a channel',
    path: '/users/me/subscriptions',
    action: ({channelId}) => ({kind: 'subscription', channelId, setting: 'pinToTop', value: true}),
    isDone: (state, {channelId}) => state.subscriptions.get(channelId)?.pinToTop === true,
  },
  {
    name: 'coloring a channel',
    path: '/users/me/subscriptions',
    action: ({channelId}) => ({kind: 'subscription', channelId, setting: 'color', value: '#112233'}),
    isDone: (state, {channelId}) => state.subscriptions.get(channelId)?.color === '#112233',
  },
  {
    name: 'changing a setting',
    path: '/settings',
    action: () => ({kind: 'setting', name: 'twenty_four_hour_time', value: true}),
    isDone: (state) => state.settings.twentyFourHourTime === true,
  },
  {
    name: 'becoming invisible',
    isBranching: true,
    path: '/',
    action: () => ({kind: 'setting', name: 'presence_enabled', value: false}),
    isDone: (state, {meg}) => state.statuses.get(meg.id)?.away === true,
  },
  {
    name: 'setting a status',
    isBranching: true,
    path: '/users/me/status',
    prepare: (fixture) => fixture.otherClient().post('/users/me/status', {status_text: 'in a meeting'}),
    action: () => ({
      kind: 'status',
      text: 'out for lunch',
      emojiName: 'tada',
      emojiCode: '1f389',
      reactionType: 'unicode_emoji',
    }),
    isDone: (state, {meg}) => state.statuses.get(meg.id)?.statusText === 'out for lunch',
  },
  {
    name: 'muting a user',
    isBranching: true,
    path: '/users/me/muted_users',
    action: ({otto}) => ({kind: 'mutedUser', userId: otto.id, isMuted: true}),
    isDone: (state, {otto}) => state.mutedUsers.has(otto.id) && state.unreads.byId.size === 0,
  },
  {
    name: 'adding alert words',
    path: '/users/me/alert_words',
    prepare: (fixture) => fixture.otherClient().post('/users/me/alert_words', {alert_words: ['Lunch']}),
    action: () => ({kind: 'alertWords', op: 'add', words: ['lunch', 'tea', ' Tea ', '']}),
    isDone: ({alertWords}) => alertWords.length === 2,
  },
  {
    name: 'removing alert words',
    path: '/users/me/alert_words',
    prepare: (fixture) => fixture.otherClient().post('/users/me/alert_words', {alert_words: ['Lunch', 'tea']}),
    action: () => ({kind: 'alertWords', op: 'remove', words: ['lunch']}),
    isDone: ({alertWords}) => alertWords.length === 1,
  },
  {
    name: 'saving a navigation view',
    since: 390,
    path: '/navigation_views',
    method: 'POST',
    action: () => ({
      kind: 'navigationView',
      fragment: 'narrow/is/alerted',
      view: {isPinned: true, name: 'Alerts'},
    }),
    isDone: ({navigationViews}) => navigationViews.get('narrow/is/alerted')?.isPinned === true,
  },
  {
    name: 'changing a navigation view',
    since: 390,
    path: '/navigation_views',
    prepare: (fixture) =>
      fixture.otherClient().post('/navigation_views', {fragment: 'x/y', is_pinned: false, name: 'Why'}),
    action: () => ({kind: 'navigationView', fragment: 'x/y', view: {isPinned: true, name: 'Because'}}),
    isDone: ({navigationViews}) => navigationViews.get('x/y')?.name === 'Because',
  },
  {
    name: 'removing a navigation view',
    since: 390,
    path: '/navigation_views',
    prepare: (fixture) => fixture.otherClient().post('/navigation_views', {fragment: 'inbox', is_pinned: true}),
    action: () => ({kind: 'navigationView', fragment: 'inbox'}),
    isDone: ({navigationViews}) => !navigationViews.has('inbox'),
  },
  {
    name: 'changing the full name',
    path: '/settings',
    action: () => ({kind: 'fullName', fullName: 'Margaret'}),
    isDone: (state, {meg}) => state.users.get(meg.id)?.fullName === 'Margaret',
  },
  {
    name: 'setting a profile field',
    path: '/users/me/profile_data',
    prepare: (fixture) => createField(fixture, 1),
    action: () => ({kind: 'profileField', fieldId: 1, value: 'keeps bees'}),
    isDone: (state, {meg}) => state.users.get(meg.id)?.profile[1]?.value === 'keeps bees',
  },
  {
    name: 'setting a profile field of users',
    path: '/users/me/profile_data',
    prepare: (fixture) => createField(fixture, 6),
    action: ({otto}) => ({kind: 'profileField', fieldId: 1, value: `[${otto.id}]`}),
    isDone: (state, {meg, otto}) => state.users.get(meg.id)?.profile[1]?.value === `[${otto.id}]`,
  },
];

/** Creates a fixture in which the action is possible. */
export async function prepareCase(actionCase: ActionCase, level: number): Promise<ActionsFixture> {
  const fixture = await actionsFixture({level});
  await actionCase.prepare?.(fixture);
  await fixture.client.pollEvents();
  return fixture;
}
