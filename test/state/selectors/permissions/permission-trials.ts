import {
  canAddSubscribers,
  canAdministerChannel,
  canCreateChannel,
  canCreateTopic,
  canMentionAll,
  canMentionGroup,
  canPost,
  canRemoveSubscribers,
  canSendDirect,
  canSubscribe,
} from '#state/selectors/permissions/channel-permissions.ts';
import {
  canDeleteMessage,
  canDeleteTopic,
  canEditContent,
  canMoveToChannel,
  canMoveToTopic,
  canResolveTopic,
} from '#state/selectors/permissions/message-permissions.ts';
import {
  canChangeGroup,
  canChangeOwnName,
  canChangeUser,
  canCreateBot,
  canCreateGroup,
  canCreateInviteLink,
  canDeactivateUser,
  canGiveRole,
  canInviteAs,
  canSeeReadReceipts,
} from '#state/selectors/permissions/people-permissions.ts';
import {allowedIf, isAdministrator, type Permission} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {topic} from '#test/state/selectors/selector-builders.ts';
import type {ApiClient, RawReply} from '#test/support/api-client.ts';
import * as eg from '#test/support/state-builders.ts';
import {botTypes, roles} from '#wire/objects/user.ts';
import type {Actor, PermissionFixture, Posted} from './permission-fixture.ts';

/** An attempt: what the client predicts, and the request. */
interface PermissionTrial {
  readonly name: string;
  readonly foresee: (
    state: AccountState,
    actor: Actor,
    fixture: PermissionFixture,
    nowMs: number,
  ) => readonly Permission[];
  readonly attempt: (client: ApiClient, actor: Actor, fixture: PermissionFixture) => Promise<RawReply>;
}

export const send = (client: ApiClient, to: string, name: string, content = 'hi') =>
  client.raw('POST', '/messages', {type: 'stream', to, topic: name, content});
const edit = (client: ApiClient, {id}: Posted, change: object) => client.raw('PATCH', `/messages/${id}`, {...change});
const inTown = (fixture: PermissionFixture, posted: Posted) =>
  eg.message({...posted, channelId: fixture.channels.town});
const join = (client: ApiClient, name: string, more: object = {}) =>
  client.raw('POST', '/users/me/subscriptions', {subscriptions: [{name}], ...more});

export const permissionTrials: readonly PermissionTrial[] = [
  {
    name: 'post in a public channel',
    foresee: (state, _actor, {channels}, now) => [canPost(state, topic(channels.town, 'talk'), now)],
    attempt: (client) => send(client, 'town', 'talk'),
  },
  {
    name: 'post in a private channel',
    foresee: (state, _actor, {channels}, now) => [canPost(state, topic(channels.den, 'talk'), now)],
    attempt: (client) => send(client, 'den', 'talk'),
  },
  {
    name: 'post in an archived channel',
    foresee: (state, _actor, {channels}, now) => [canPost(state, topic(channels.attic, 'talk'), now)],
    attempt: (client) => send(client, 'attic', 'talk'),
  },
  {
    name: 'start a topic',
    foresee: (state, actor, {channels}, now) => [
      canPost(state, topic(channels.town, `new ${actor.person.id}`), now),
      canCreateTopic(state, channels.town, now),
    ],
    attempt: (client, actor) => send(client, 'town', `new ${actor.person.id}`),
  },
  {
    name: 'use a wildcard mention',
    foresee: (state, _actor, {channels}, now) => [
      canPost(state, topic(channels.town, 'talk'), now),
      canMentionAll(state, topic(channels.town, 'talk'), now),
    ],
    attempt: (client) => send(client, 'town', 'talk', 'hi @**all**'),
  },
  {
    name: 'mention a group',
    foresee: (state, _actor, {channels, groupId}, now) => [
      canPost(state, topic(channels.town, 'talk'), now),
      ...(groupId === undefined ? [] : [canMentionGroup(state, groupId, now)]),
    ],
    attempt: (client) => send(client, 'town', 'talk', 'hi @*crew*'),
  },
  {
    name: 'send a direct message',
    foresee: (state, _actor, {friend}, now) => [canSendDirect(state, [friend.id], now)],
    attempt: (client, _actor, {friend}) =>
      client.raw('POST', '/messages', {type: 'private', to: [friend.id], content: 'hi'}),
  },
  {
    name: 'edit an own message',
    foresee: (state, {own}, fixture, now) => [canEditContent(state, inTown(fixture, own.edit), now)],
    attempt: (client, {own}) => edit(client, own.edit, {content: 'changed'}),
  },
  {
    name: "edit another user's message",
    foresee: (state, {foreign}, fixture, now) => [canEditContent(state, inTown(fixture, foreign.retitle), now)],
    attempt: (client, {foreign}) => edit(client, foreign.retitle, {content: 'changed'}),
  },
  {
    name: 'delete an own message',
    foresee: (state, {own}, fixture, now) => [canDeleteMessage(state, inTown(fixture, own.delete), now)],
    attempt: (client, {own}) => client.raw('DELETE', `/messages/${own.delete.id}`),
  },
  {
    name: "delete another user's message",
    foresee: (state, {foreign}, fixture, now) => [canDeleteMessage(state, inTown(fixture, foreign.delete), now)],
    attempt: (client, {foreign}) => client.raw('DELETE', `/messages/${foreign.delete.id}`),
  },
  {
    name: 'move an own message to another topic',
    foresee: (state, {own}, fixture, now) => [canMoveToTopic(state, inTown(fixture, own.retitle), now)],
    attempt: (client, {own}) => edit(client, own.retitle, {topic: 'talk'}),
  },
  {
    name: "move another user's message to another topic",
    foresee: (state, {foreign}, fixture, now) => [canMoveToTopic(state, inTown(fixture, foreign.retitle), now)],
    attempt: (client, {foreign}) => edit(client, foreign.retitle, {topic: 'talk'}),
  },
  {
    name: 'move an own message to another channel',
    foresee: (state, {own}, fixture, now) => [
      canMoveToChannel(state, inTown(fixture, own.move), now, fixture.channels.news),
      // The topic is new there.
      canCreateTopic(state, fixture.channels.news, now),
    ],
    attempt: (client, {own}, {channels}) => edit(client, own.move, {stream_id: channels.news}),
  },
  {
    name: 'resolve a topic',
    foresee: (state, {own}, {channels}, now) => [canResolveTopic(state, channels.town, own.resolve.topic, now)],
    attempt: (client, {own}) =>
      edit(client, own.resolve, {topic: `✔ ${own.resolve.topic}`, propagate_mode: 'change_all'}),
  },
  {
    name: 'change a channel',
    foresee: (state, _actor, {channels}, now) => [canAdministerChannel(state, channels.town, now)],
    attempt: (client, {person}, {channels}) =>
      client.raw('PATCH', `/streams/${channels.town}`, {description: `by ${person.id}`}),
  },
  {
    name: 'add a subscriber',
    foresee: (state, _actor, {channels}, now) => [canAddSubscribers(state, channels.town, now)],
    attempt: (client, {outsider}) => join(client, 'town', {principals: [outsider.id]}),
  },
  {
    name: 'remove a subscriber',
    foresee: (state, {insider}, {channels}, now) => [canRemoveSubscribers(state, channels.town, now, insider.id)],
    attempt: (client, {insider}) =>
      client.raw('DELETE', '/users/me/subscriptions', {subscriptions: ['town'], principals: [insider.id]}),
  },
  {
    name: 'create a public channel',
    foresee: (state, _actor, _stage, now) => [canCreateChannel(state, 'public', now)],
    attempt: (client, {person}) => join(client, `public ${person.id}`),
  },
  {
    name: 'create a private channel',
    foresee: (state, _actor, _stage, now) => [canCreateChannel(state, 'private', now)],
    attempt: (client, {person}) => join(client, `private ${person.id}`, {invite_only: true}),
  },
  {
    name: 'create a web-public channel',
    foresee: (state, _actor, _stage, now) => [canCreateChannel(state, 'webPublic', now)],
    attempt: (client, {person}) => join(client, `web ${person.id}`, {is_web_public: true}),
  },
  {
    name: 'join a public channel',
    foresee: (state, _actor, {channels}, now) => [canSubscribe(state, channels.hall, now)],
    attempt: (client) => join(client, 'hall'),
  },
  {
    name: 'join a private channel',
    foresee: (state, _actor, {channels}, now) => [canSubscribe(state, channels.den, now)],
    attempt: (client) => join(client, 'den'),
  },
];

const members = (client: ApiClient, groupId: number | undefined, change: object) =>
  client.raw('POST', `/user_groups/${groupId}/members`, {...change});
const rename = ({person}: Actor) => ({full_name: `Renamed ${person.id}`});
const bot = (client: ApiClient, {person}: Actor, type: number) =>
  client.raw('POST', '/bots', {
    full_name: `Bot ${type} ${person.id}`,
    short_name: `b${type}-${person.id}`,
    bot_type: type,
  });

/** Attempts about groups, people and the organization, for servers whose groups have permissions. */
export const administrationTrials: readonly PermissionTrial[] = [
  {
    name: 'delete a topic',
    foresee: (state, _actor, {channels}, now) => [canDeleteTopic(state, channels.town, now)],
    attempt: (client, {foreign}, {channels}) =>
      client.raw('POST', `/streams/${channels.town}/delete_topic`, {topic_name: foreign.topic.topic}),
  },
  {
    name: 'create a group',
    foresee: (state, _actor, _fixture, now) => [canCreateGroup(state, now)],
    attempt: (client, {person}) =>
      client.raw('POST', '/user_groups/create', {name: `group ${person.id}`, description: '', members: []}),
  },
  {
    name: 'change a group',
    foresee: (state, _actor, {groupId = 0}, now) => [canChangeGroup(state, 'manage', groupId, now)],
    attempt: (client, {person}, {groupId}) =>
      client.raw('PATCH', `/user_groups/${groupId}`, {description: `by ${person.id}`}),
  },
  {
    name: 'add a member to a group',
    foresee: (state, _actor, {groupId = 0}, now) => [canChangeGroup(state, 'add', groupId, now)],
    attempt: (client, {outsider}, {groupId}) => members(client, groupId, {add: [outsider.id]}),
  },
  {
    name: 'remove a member from a group',
    foresee: (state, _actor, {clubId = 0}, now) => [canChangeGroup(state, 'remove', clubId, now)],
    attempt: (client, {insider}, {clubId}) => members(client, clubId, {delete: [insider.id]}),
  },
  {
    name: 'join a group',
    foresee: (state, _actor, {groupId = 0}, now) => [canChangeGroup(state, 'join', groupId, now)],
    attempt: (client, {person}, {groupId}) => members(client, groupId, {add: [person.id]}),
  },
  ...[roles.member, roles.administrator, roles.owner].map((role) => ({
    name: `create an invitation link for role ${role}`,
    foresee: (state: AccountState, _actor: Actor, _fixture: PermissionFixture, now: number) => [
      canCreateInviteLink(state, now),
      canInviteAs(state, role),
    ],
    attempt: (client: ApiClient) => client.raw('POST', '/invites/multiuse', {invite_as: role, stream_ids: []}),
  })),
  ...[botTypes.generic, botTypes.incomingWebhook].map((type) => ({
    name: `create a bot of type ${type}`,
    foresee: (state: AccountState, _actor: Actor, _fixture: PermissionFixture, now: number) => [
      canCreateBot(state, now, type),
    ],
    attempt: (client: ApiClient, actor: Actor) => bot(client, actor, type),
  })),
  {
    name: 'see who read a message',
    foresee: (state) => [canSeeReadReceipts(state)],
    attempt: (client, {own}) => client.raw('GET', `/messages/${own.resolve.id}/read_receipts`),
  },
  {
    name: 'change the organization',
    foresee: (state) => [allowedIf(isAdministrator(state), 'not an administrator')],
    attempt: (client, {person}) => client.raw('PATCH', '/realm', {description: `by ${person.id}`}),
  },
  {
    name: "change another user's name",
    foresee: (state, {outsider}) => [canChangeUser(state, outsider.id)],
    attempt: (client, actor) => client.raw('PATCH', `/users/${actor.outsider.id}`, rename(actor)),
  },
  ...[roles.moderator, roles.owner].map((role) => ({
    name: `give somebody role ${role}`,
    foresee: (state: AccountState, {insider}: Actor) => {
      const user = state.users.get(insider.id);
      return user === undefined ? [] : [canGiveRole(state, user, role)];
    },
    attempt: (client: ApiClient, {insider}: Actor) => client.raw('PATCH', `/users/${insider.id}`, {role}),
  })),
  {
    name: 'change the own name',
    foresee: (state) => [canChangeOwnName(state)],
    attempt: (client, {person}) => client.raw('PATCH', '/settings', {full_name: `Self ${person.id}`}),
  },
  {
    name: 'deactivate somebody',
    foresee: (state, {outsider}) => [canDeactivateUser(state, outsider.id)],
    attempt: (client, {outsider}) => client.raw('DELETE', `/users/${outsider.id}`),
  },
  // The last, because permissions may belong to this group.
  {
    name: 'leave a group',
    foresee: (state, _actor, {clubId = 0}, now) => [canChangeGroup(state, 'leave', clubId, now)],
    attempt: (client, {person}, {clubId}) => members(client, clubId, {delete: [person.id]}),
  },
];
