import {channelName, userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {roles} from '#wire/objects/user.ts';

export type AdministrationPage = ResultOf<Endpoints['getAdministrationLog']>;
export type AdministrationEntry = AdministrationPage['entries'][number];

/** What an action did, by the last part of its name. */
const verbs: Readonly<Record<string, string>> = {
  add: 'Added',
  archive: 'Archived',
  'change-channels': 'Changed the channels of',
  create: 'Created',
  'create-link': 'Created a link of',
  deactivate: 'Deactivated',
  delete: 'Deleted',
  reactivate: 'Reactivated',
  'regenerate-key': 'Made a new API key of',
  remove: 'Removed',
  reorder: 'Changed the order of',
  request: 'Requested',
  resend: 'Sent again',
  revoke: 'Revoked',
  'revoke-link': 'Revoked a link of',
  send: 'Sent',
  update: 'Changed',
  'update-by-email': 'Changed',
  'update-members': 'Changed the members of',
  'update-other': 'Changed',
  'update-subgroups': 'Changed the subgroups of',
};

/** What it was done to, by the first part. */
const nouns: Readonly<Record<string, string>> = {
  bot: 'a bot',
  channel: 'a channel',
  'default-channel': 'default channels',
  'default-channel-group': 'a group of default channels',
  domain: 'an allowed email domain',
  emoji: 'a custom emoji',
  export: 'a data export',
  folder: 'channel folders',
  group: 'a group',
  invite: 'an invitation',
  linkifier: 'linkifiers',
  playground: 'a code playground',
  'profile-field': 'custom profile fields',
  realm: 'settings of the organization',
  status: 'the status of a user',
  topic: 'a topic',
  user: 'a user',
};

const sentences: Readonly<Record<string, string>> = {
  'operator.copyDatabase': 'Copied the database, for a backup, an export or a check',
  'operator.createUser': 'Created',
  'operator.deactivateUser': 'Deactivated',
  'operator.deleteUser': 'Deleted the account of',
  'operator.retryMails': 'Tried to send e-mail again',
  'operator.signOutUser': 'Signed out everywhere',
  'operator.testMail': 'Tried the mail server',
  'operator.importUsers': 'Created',
  'operator.inviteUser': 'Sent an invitation',
  'operator.newUserKey': 'Made a new API key of',
  'operator.passwordLink': 'Made a link to set the password of',
  'operator.reactivateUser': 'Reactivated',
  'operator.restoreMessages': 'Restored messages from the archive',
  'operator.rotateSecret': 'Replaced the secret of the organization',
  'operator.setSetting': 'Changed settings of the organization',
  'operator.setUserPassword': 'Set the password of',
  'operator.setUserRole': 'Changed the role of',
  'realm.deactivate': 'Deactivated the organization',
  'realm.remove-icon': 'Removed the icon of the organization',
  'realm.remove-logo': 'Removed a logo of the organization',
  'realm.test-welcome': 'Tried the words that welcome new users',
  'realm.update-setting-defaults': 'Changed the settings of new users',
  'realm.upload-icon': 'Changed the icon of the organization',
  'realm.upload-logo': 'Changed a logo of the organization',
};

/** The fields say which settings; of other actions, they are much the same each time. */
const withFields = /^(?:realm\.update|channel\.update|group\.update|user\.update|bot\.update|operator\.setSetting)/;

/** Returns what an entry of the administration log says, such as `Changed Otto Other (role)`. */
export function administrationText(state: AccountState, entry: AdministrationEntry): string {
  const {action, target, fields, changes = {}} = entry;
  const [noun = '', verb = ''] = action.split('.');
  const name = targetName(state, target);
  const values = changesText(changes);
  const others = withFields.test(action) ? fields.filter((field) => !Object.hasOwn(changes, field)) : [];
  const parts = [...others, ...(values === '' ? [] : [values])];
  const details = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  const sentence = sentences[action];
  if (sentence !== undefined) return [sentence, ...(name === undefined ? [] : [name])].join(' ') + details;
  const known = verbs[verb];
  if (known === undefined || nouns[noun] === undefined) return action;
  if (noun === 'topic') return composed`${known} ${nouns[noun]}${name === undefined ? '' : composed` of ${name}`}`;
  return composed`${known} ${name ?? nouns[noun]}${details}`;
}

/** Returns the old and new values of a change, such as `role: member → administrator`. */
export function changesText(changes: Readonly<Record<string, readonly unknown[]>>): string {
  const known = Object.entries(changes).filter(([name]) => name !== 'key_generation');
  return known
    .map(([name, [before, after]]) => {
      const old = before == null ? '' : `${valueText(name, before)} → `;
      return `${name}: ${old}${valueText(name, after)}`;
    })
    .join(', ');
}

const roleNames = new Map<unknown, string>(Object.entries(roles).map(([name, role]) => [role, name]));

function valueText(name: string, value: unknown): string {
  const role = name === 'role' ? roleNames.get(value) : undefined;
  return role ?? (typeof value === 'string' ? value : JSON.stringify(value));
}

function targetName(state: AccountState, target: AdministrationEntry['target']): string | undefined {
  const {user_id: userId = target.bot_id, stream_id: channelId, user_group_id: groupId} = target;
  if (userId !== undefined) return userName(state, userId);
  if (channelId !== undefined) return composed`#${channelName(state, channelId)}`;
  return groupId === undefined ? undefined : state.groups.get(groupId)?.name;
}
