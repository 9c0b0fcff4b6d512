import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import type {Api} from '#api/api.ts';
import type {ExportWriter} from '#server/context.ts';
import {directoryFileStore} from '#server/uploads/file-store.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {newKeyLine} from '#test/support/ssh-key-line.ts';
import type {EndpointName} from '#wire/endpoints.ts';
import {clientOf} from './client.ts';

/** The state shared by the calls: earlier ones create what later ones need. */
interface EndpointCallContext {
  readonly server: TestServer;
  readonly api: Api;
  /** That of another owner, because requests of one user are limited. */
  readonly otherApi: Api;
  readonly owner: Person;
  readonly meg: Person;
  readonly channel: number;
  readonly messages: readonly number[];
  readonly ids: Record<string, number>;
  queueId: string;
  url: string;
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const picture = () => ({name: 'dot.png', size: png.length, type: 'image/png', data: new Blob([png])});

export async function endpointCallContext(level: number): Promise<EndpointCallContext> {
  const archive = join(scratchDirectory(), 'zulip-export.tar.gz');
  const writeExport: ExportWriter = async () => {
    writeFileSync(archive, 'packed');
    return {archive, remove: () => rmSync(archive)};
  };
  const files = directoryFileStore(scratchDirectory());
  const server = await testServer({level, demo: true, writeExport, files});
  const {people} = server;
  const [owner, meg] = [people.owner(), people.member()];
  const channel = people.channel('general', [owner, meg]);
  people.setting('video_chat_provider', 8);
  people.setting('moderation_request_channel_id', channel);
  server.context.db.run('UPDATE user SET video_token = 1');
  const messages: number[] = [];
  for (const content of ['one', 'two', 'three', 'four']) {
    const {id} = await server.as(meg).post('/messages', {type: 'stream', to: channel, topic: 'talk', content});
    messages.push(id);
  }
  const [api, otherApi] = [clientOf(server, owner), clientOf(server, people.owner('Other Owner'))];
  return {server, api, otherApi, owner, meg, channel, messages, ids: {}, queueId: '', url: ''};
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
const draft = {type: 'stream', to: [], topic: 'talk', content: 'half a thought'} as const;

/** A call of every endpoint, in an order in which each finds what it needs. */
export const endpointCalls: readonly [EndpointName, (context: EndpointCallContext) => Promise<unknown>][] = [
  ['getServerSettings', ({api}) => api.getServerSettings()],
  ['devListUsers', ({api}) => api.devListUsers()],
  ['devFetchApiKey', ({api, meg}) => api.devFetchApiKey({username: meg.email})],
  [
    'createUser',
    async (context) => {
      const user = {email: 'new@example.com', password: 'correct horse battery', full_name: 'New Person'};
      context.ids.user = (await context.api.createUser(user)).user_id;
    },
  ],
  ['fetchApiKey', ({api}) => api.fetchApiKey({username: 'new@example.com', password: 'correct horse battery'})],
  [
    'register',
    async (context) => {
      const snapshot = await context.api.register({
        client_capabilities: {notification_settings_null: true},
        include_subscribers: 'partial',
        slim_presence: true,
        idle_queue_timeout: 'mobile',
        presence_history_limit_days: 3,
        narrow: [['channel', context.channel]],
      });
      context.queueId = snapshot.queue_id ?? '';
    },
  ],
  [
    'sendMessage',
    async (context) => {
      const to = context.channel;
      context.ids.sent = (await context.api.sendMessage({type: 'channel', to, topic: 'talk', content: 'mine'})).id;
      await context.api.sendMessage({type: 'direct', to: [context.meg.id], content: 'psst'});
    },
  ],
  ['getEvents', ({api, queueId}) => api.getEvents({queue_id: queueId, last_event_id: -1})],
  ['deleteQueue', ({api, queueId}) => api.deleteQueue({queue_id: queueId})],
  ['getMessages', ({api}) => api.getMessages({anchor: 'newest', num_before: 10, narrow: [['is', 'dm']]})],
  ['getMessage', ({api, messages: [id = 0]}) => api.getMessage({message_id: id})],
  ['editMessage', ({api, ids}) => api.editMessage({message_id: ids.sent ?? 0, content: 'changed'})],
  ['getMessageHistory', ({api, ids}) => api.getMessageHistory({message_id: ids.sent ?? 0})],
  ['renderMessage', ({api}) => api.renderMessage({content: '**bold**'})],
  ['updateFlags', ({api, messages}) => api.updateFlags({messages: [...messages], op: 'add', flag: 'starred'})],
  [
    'updateFlagsForNarrow',
    ({api, channel}) =>
      api.updateFlagsForNarrow({
        anchor: 'oldest',
        num_before: 0,
        num_after: 2,
        narrow: [{operator: 'channel', operand: channel}],
        op: 'add',
        flag: 'read',
      }),
  ],
  ['markTopicAsRead', ({api, channel}) => api.markTopicAsRead({stream_id: channel, topic_name: 'talk'})],
  ['markChannelAsRead', ({api, channel}) => api.markChannelAsRead({stream_id: channel})],
  ['markAllAsRead', ({api}) => api.markAllAsRead()],
  ['addReaction', ({api, messages: [id = 0]}) => api.addReaction({message_id: id, emoji_name: 'tada'})],
  ['removeReaction', ({api, messages: [id = 0]}) => api.removeReaction({message_id: id, emoji_name: 'tada'})],
  ['getReadReceipts', ({api, messages: [id = 0]}) => api.getReadReceipts({message_id: id})],
  ['matchNarrow', ({api, messages}) => api.matchNarrow({msg_ids: [...messages], narrow: [['search', 'two']]})],
  ['sendTyping', ({api, channel}) => api.sendTyping({type: 'channel', op: 'start', stream_id: channel, topic: 'talk'})],
  ['sendEditTyping', ({api, ids}) => api.sendEditTyping({message_id: ids.sent ?? 0, op: 'start'})],
  ['reportMessage', ({api, messages: [id = 0]}) => api.reportMessage({message_id: id, report_type: 'spam'})],
  [
    'sendSubmessage',
    async ({api, channel}) => {
      const poll = {type: 'channel', to: channel, topic: 'poll', content: '/poll Tea?\nyes\nno'} as const;
      const {id} = await api.sendMessage(poll);
      const content = JSON.stringify({type: 'vote', key: 'canned,0', vote: 1});
      return api.sendSubmessage({message_id: id, msg_type: 'widget', content});
    },
  ],
  ['runSlashCommand', ({api}) => api.runSlashCommand({command: '/ping'})],
  [
    'uploadFile',
    async (context) => {
      context.url = (await context.api.uploadFile({file: picture()})).url;
    },
  ],
  ['getTemporaryUrl', ({api, url}) => api.getTemporaryUrl(uploadParts(url))],
  ['getThumbnailStatus', ({api, url}) => api.getThumbnailStatus(uploadParts(url))],
  [
    'getAttachments',
    async (context) => {
      context.ids.attachment = (await context.api.getAttachments()).attachments[0]?.id ?? 0;
    },
  ],
  ['deleteAttachment', ({api, ids}) => api.deleteAttachment({attachment_id: ids.attachment ?? 0})],
  [
    'createDrafts',
    async (context) => {
      const drafts = [{...draft, to: [context.channel]}];
      context.ids.draft = (await context.api.createDrafts({drafts})).ids[0] ?? 0;
    },
  ],
  ['getDrafts', ({api}) => api.getDrafts()],
  [
    'editDraft',
    ({api, channel, ids}) =>
      api.editDraft({draft_id: ids.draft ?? 0, draft: {...draft, to: [channel], content: 'a whole one'}}),
  ],
  ['deleteDraft', ({api, ids}) => api.deleteDraft({draft_id: ids.draft ?? 0})],
  [
    'createSnippet',
    async (context) => {
      context.ids.snippet = (await context.api.createSnippet({title: 'Hi', content: 'Hello!'})).saved_snippet_id;
    },
  ],
  ['getSnippets', ({api}) => api.getSnippets()],
  ['editSnippet', ({api, ids}) => api.editSnippet({saved_snippet_id: ids.snippet ?? 0, title: 'Ho'})],
  ['deleteSnippet', ({api, ids}) => api.deleteSnippet({saved_snippet_id: ids.snippet ?? 0})],
  [
    'createScheduledMessage',
    async (context) => {
      const later = {type: 'channel', to: context.channel, topic: 'talk', content: 'later'} as const;
      const answer = await context.api.createScheduledMessage({
        ...later,
        scheduled_delivery_timestamp: inAnHour(),
      });
      context.ids.scheduled = answer.scheduled_message_id;
    },
  ],
  ['getScheduledMessages', ({api}) => api.getScheduledMessages()],
  [
    'editScheduledMessage',
    ({api, ids}) => api.editScheduledMessage({scheduled_message_id: ids.scheduled ?? 0, content: 'even later'}),
  ],
  ['deleteScheduledMessage', ({api, ids}) => api.deleteScheduledMessage({scheduled_message_id: ids.scheduled ?? 0})],
  [
    'createReminder',
    async (context) => {
      const [id = 0] = context.messages;
      const answer = await context.api.createReminder({
        message_id: id,
        scheduled_delivery_timestamp: inAnHour(),
        note: 'look',
      });
      context.ids.reminder = answer.reminder_id;
    },
  ],
  ['getReminders', ({api}) => api.getReminders()],
  ['deleteReminder', ({api, ids}) => api.deleteReminder({reminder_id: ids.reminder ?? 0})],
  ['addNavigationView', ({api}) => api.addNavigationView({fragment: 'narrow/is/alerted', is_pinned: true, name: 'A'})],
  ['getNavigationViews', ({api}) => api.getNavigationViews()],
  ['editNavigationView', ({api}) => api.editNavigationView({fragment: 'narrow/is/alerted', is_pinned: false})],
  ['removeNavigationView', ({api}) => api.removeNavigationView({fragment: 'narrow/is/alerted'})],
  ['getTopics', ({api, channel}) => api.getTopics({stream_id: channel})],
  ['setUserTopic', ({api, channel}) => api.setUserTopic({stream_id: channel, topic: 'talk', visibility_policy: 1})],
  ['muteTopic', ({api, channel}) => api.muteTopic({stream_id: channel, topic: 'talk', op: 'remove'})],
  ['getChannels', ({api}) => api.getChannels({include_all: true})],
  ['getChannel', ({api, channel}) => api.getChannel({stream_id: channel})],
  ['getChannelId', ({api}) => api.getChannelId({stream: 'general'})],
  ['getSubscribers', ({api, channel}) => api.getSubscribers({stream_id: channel})],
  ['getChannelEmail', ({api, channel}) => api.getChannelEmail({stream_id: channel})],
  [
    'createChannel',
    async (context) => {
      const channel = {name: 'fresh', description: 'new', subscribers: [context.owner.id]};
      context.ids.channel = (await context.api.createChannel(channel)).id;
    },
  ],
  ['updateChannel', ({api, ids}) => api.updateChannel({stream_id: ids.channel ?? 0, description: 'newer'})],
  ['addDefaultChannel', ({api, channel}) => api.addDefaultChannel({stream_id: channel})],
  ['removeDefaultChannel', ({api, channel}) => api.removeDefaultChannel({stream_id: channel})],
  [
    'createFolder',
    async (context) => {
      context.ids.folder = (await context.api.createFolder({name: 'Work', description: ''})).channel_folder_id;
    },
  ],
  ['getFolders', ({api}) => api.getFolders()],
  ['reorderFolders', ({api, ids}) => api.reorderFolders({order: [ids.folder ?? 0]})],
  ['updateFolder', ({api, ids}) => api.updateFolder({channel_folder_id: ids.folder ?? 0, name: 'Play'})],
  ['getSubscriptions', ({api}) => api.getSubscriptions({include_subscribers: 'partial'})],
  ['subscribe', ({api, meg}) => api.subscribe({subscriptions: [{name: 'fresh'}], principals: [meg.id]})],
  ['unsubscribe', ({api, meg}) => api.unsubscribe({subscriptions: ['fresh'], principals: [meg.id]})],
  ['changeSubscriptions', ({api}) => api.changeSubscriptions({add: [{name: 'fresh'}], delete: []})],
  [
    'updateSubscription',
    ({api, channel}) => api.updateSubscription({stream_id: channel, property: 'pin_to_top', value: true}),
  ],
  [
    'updateSubscriptions',
    ({api, channel}) =>
      api.updateSubscriptions({
        subscription_data: [{stream_id: channel, property: 'color', value: '#112233'}],
      }),
  ],
  ['getSubscriptionStatus', ({api, meg, channel}) => api.getSubscriptionStatus({user_id: meg.id, stream_id: channel})],
  ['getUserChannels', ({api, meg}) => api.getUserChannels({user_id: meg.id})],
  ['archiveChannel', ({api, ids}) => api.archiveChannel({stream_id: ids.channel ?? 0})],
  ['deleteTopic', ({api, channel}) => api.deleteTopic({stream_id: channel, topic_name: 'poll'})],
  ['getUsers', ({api, meg}) => api.getUsers({user_ids: [meg.id, 999_999]})],
  ['getOwnUser', ({api}) => api.getOwnUser()],
  ['getUser', ({api, meg}) => api.getUser({user_id: meg.id})],
  ['getUserByEmail', ({api, meg}) => api.getUserByEmail({email: meg.email})],
  ['updateUser', ({api, meg}) => api.updateUser({user_id: meg.id, full_name: 'Meg M.'})],
  ['updateUserByEmail', ({api, meg}) => api.updateUserByEmail({email: meg.email, full_name: 'Meg N.'})],
  ['deactivateUser', ({api, ids}) => api.deactivateUser({user_id: ids.user ?? 0})],
  ['reactivateUser', ({api, ids}) => api.reactivateUser({user_id: ids.user ?? 0})],
  ['muteUser', ({api, meg}) => api.muteUser({muted_user_id: meg.id})],
  ['unmuteUser', ({api, meg}) => api.unmuteUser({muted_user_id: meg.id})],
  [
    'createProfileField',
    async (context) => {
      context.ids.field = (await context.api.createProfileField({name: 'Motto', field_type: 1})).id;
    },
  ],
  ['getProfileFields', ({api}) => api.getProfileFields()],
  ['updateProfileData', ({api, ids}) => api.updateProfileData({data: [{id: ids.field ?? 0, value: 'Onward'}]})],
  ['removeProfileData', ({api, ids}) => api.removeProfileData({data: [ids.field ?? 0]})],
  ['updateProfileField', ({api, ids}) => api.updateProfileField({field_id: ids.field ?? 0, hint: 'short'})],
  ['reorderProfileFields', ({api, ids}) => api.reorderProfileFields({order: [ids.field ?? 0]})],
  ['removeProfileField', ({api, ids}) => api.removeProfileField({field_id: ids.field ?? 0})],
  [
    'addSshKey',
    async (context) => {
      context.ids.sshKey = (await context.api.addSshKey({key: newKeyLine()})).ssh_key.id;
    },
  ],
  ['getSshKeys', ({api}) => api.getSshKeys()],
  ['removeSshKey', ({api, ids}) => api.removeSshKey({key_id: ids.sshKey ?? 0})],
  ['addAlertWords', ({api}) => api.addAlertWords({alert_words: ['parley']})],
  ['getAlertWords', ({api}) => api.getAlertWords()],
  ['removeAlertWords', ({api}) => api.removeAlertWords({alert_words: ['parley']})],
  ['uploadAvatar', ({api}) => api.uploadAvatar({file: picture()})],
  ['deleteAvatar', ({api}) => api.deleteAvatar()],
  ['updatePresence', ({api}) => api.updatePresence({status: 'active', last_update_id: -1, new_user_input: true})],
  ['getUserPresence', ({api, owner}) => api.getUserPresence({user_id: owner.id})],
  ['getUserPresenceByEmail', ({api, owner}) => api.getUserPresenceByEmail({email: owner.email})],
  ['getRealmPresence', ({api}) => api.getRealmPresence()],
  ['updateStatus', ({api}) => api.updateStatus({status_text: 'busy'})],
  ['getUserStatus', ({api, owner}) => api.getUserStatus({user_id: owner.id})],
  ['updateUserStatus', ({api, meg}) => api.updateUserStatus({user_id: meg.id, status_text: 'out'})],
  ['updateSettings', ({api}) => api.updateSettings({presence_enabled: true, color_scheme: 2})],
  [
    'createGroup',
    async (context) => {
      const {api, owner} = context;
      await api.createGroup({name: 'crew', description: 'all hands', members: [owner.id]});
      const {user_groups: groups} = await api.getGroups();
      context.ids.group = groups.find(({name}) => name === 'crew')?.id ?? 0;
    },
  ],
  ['getGroups', ({api}) => api.getGroups({include_deactivated_groups: true})],
  ['updateGroup', ({api, ids}) => api.updateGroup({user_group_id: ids.group ?? 0, name: 'Crew'})],
  ['updateGroupMembers', ({api, ids, meg}) => api.updateGroupMembers({user_group_id: ids.group ?? 0, add: [meg.id]})],
  ['getGroupMembers', ({api, ids}) => api.getGroupMembers({user_group_id: ids.group ?? 0})],
  ['isGroupMember', ({api, ids, meg}) => api.isGroupMember({user_group_id: ids.group ?? 0, user_id: meg.id})],
  [
    'updateSubgroups',
    async (context) => {
      const {api, ids} = context;
      await api.createGroup({name: 'sub', description: '', members: []});
      const {user_groups: groups} = await api.getGroups();
      ids.subgroup = groups.find(({name}) => name === 'sub')?.id ?? 0;
      return api.updateSubgroups({user_group_id: ids.group ?? 0, add: [ids.subgroup]});
    },
  ],
  ['getSubgroups', ({api, ids}) => api.getSubgroups({user_group_id: ids.group ?? 0})],
  ['deactivateGroup', ({api, ids}) => api.deactivateGroup({user_group_id: ids.group ?? 0})],
  [
    'deleteGroup',
    async ({api}) => {
      await api.createGroup({name: 'doomed', description: '', members: []});
      const {user_groups: groups} = await api.getGroups();
      return api.deleteGroup({user_group_id: groups.find(({name}) => name === 'doomed')?.id ?? 0});
    },
  ],
  ['updateRealm', ({api}) => api.updateRealm({topics_policy: 'disable_empty_topic', description: 'ours'})],
  [
    'addLinkifier',
    async (context) => {
      const linkifier = {pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/a%20b/{id}'};
      context.ids.linkifier = (await context.api.addLinkifier(linkifier)).id;
    },
  ],
  ['getLinkifiers', ({api}) => api.getLinkifiers()],
  [
    'updateLinkifier',
    ({api, ids}) =>
      api.updateLinkifier({
        filter_id: ids.linkifier ?? 0,
        pattern: 'T(?P<id>[0-9]+)',
        url_template: 'https://tickets.example/{id}',
      }),
  ],
  ['reorderLinkifiers', ({api, ids}) => api.reorderLinkifiers({ordered_linkifier_ids: [ids.linkifier ?? 0]})],
  ['removeLinkifier', ({api, ids}) => api.removeLinkifier({filter_id: ids.linkifier ?? 0})],
  ['addDomain', ({api}) => api.addDomain({domain: 'corp.example', allow_subdomains: false})],
  ['getDomains', ({api}) => api.getDomains()],
  ['updateDomain', ({api}) => api.updateDomain({domain: 'corp.example', allow_subdomains: true})],
  ['removeDomain', ({api}) => api.removeDomain({domain: 'corp.example'})],
  ['addEmoji', ({api}) => api.addEmoji({emoji_name: 'dot', file: picture()})],
  ['getEmoji', ({api}) => api.getEmoji()],
  ['removeEmoji', ({api}) => api.removeEmoji({emoji_name: 'dot'})],
  ['sendInvites', ({api}) => api.sendInvites({invitee_emails: 'guest@example.com', stream_ids: []})],
  [
    'getInvites',
    async (context) => {
      context.ids.invite = (await context.api.getInvites()).invites[0]?.id ?? 0;
    },
  ],
  ['resendInvite', ({api, ids}) => api.resendInvite({invite_id: ids.invite ?? 0})],
  ['revokeInvite', ({api, ids}) => api.revokeInvite({invite_id: ids.invite ?? 0})],
  ['createInviteLink', ({api}) => api.createInviteLink()],
  [
    'revokeInviteLink',
    async ({api}) => {
      const {invites} = await api.getInvites();
      return api.revokeInviteLink({invite_id: invites.find(({is_multiuse: many}) => many)?.id ?? 0});
    },
  ],
  [
    'createBot',
    async (context) => {
      context.ids.bot = (await context.api.createBot({full_name: 'Robo', short_name: 'robo'})).user_id;
    },
  ],
  ['getBots', ({api}) => api.getBots()],
  ['getBotApiKey', ({api, ids}) => api.getBotApiKey({bot_id: ids.bot ?? 0})],
  ['regenerateBotApiKey', ({api, ids}) => api.regenerateBotApiKey({bot_id: ids.bot ?? 0})],
  [
    'updateBot',
    async ({api, ids}) => {
      await api.uploadBotAvatar({bot_id: ids.bot ?? 0, file: picture()});
      return api.updateBot({bot_id: ids.bot ?? 0, full_name: 'Robo II'});
    },
  ],
  ['deactivateBot', ({api, ids}) => api.deactivateBot({bot_id: ids.bot ?? 0})],
  ['createCall', ({api}) => api.createCall({segment: 'conference'})],
  ['createBigBlueButtonCall', ({api}) => api.createBigBlueButtonCall({meeting_name: 'x'})],
  ['deleteMessage', ({api, ids}) => api.deleteMessage({message_id: ids.sent ?? 0})],
  ['deactivateOwnUser', ({server, meg}) => clientOf(server, meg).deactivateOwnUser()],
  ['uploadIcon', ({otherApi}) => otherApi.uploadIcon({file: picture()})],
  ['removeIcon', ({otherApi}) => otherApi.removeIcon()],
  ['getAdministrationLog', ({otherApi}) => otherApi.getAdministrationLog()],
  [
    'requestExport',
    async (context) => {
      await context.otherApi.requestExport();
      const latest = async () => (await context.otherApi.getExports()).exports.at(-1);
      await expect.poll(async () => (await latest())?.pending).toBe(false);
      context.ids.export = (await latest())?.id ?? 0;
    },
  ],
  ['getExports', ({otherApi}) => otherApi.getExports()],
  ['deleteExport', ({otherApi, ids}) => otherApi.deleteExport({export_id: ids.export ?? 0})],
  ['regenerateApiKey', ({api}) => api.regenerateApiKey()],
  ['deactivateRealm', ({otherApi}) => otherApi.deactivateRealm()],
];

function uploadParts(url: string): {realm_id: number; filename: string} {
  const [, realm = '', filename = ''] = /^\/user_uploads\/(\d+)\/(.*)$/.exec(url) ?? [];
  return {realm_id: Number(realm), filename};
}
