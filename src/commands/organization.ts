import {changeProblem} from '#ui/actions/server-request.ts';
import {openDefaultChannelList} from '#ui/organization/default-channel-list.ts';
import {openDomainList} from '#ui/organization/domain-list.ts';
import {addEmojiReason, openEmojiForm} from '#ui/organization/emoji-form.ts';
import {openEmojiList} from '#ui/organization/emoji-list.ts';
import {openFolderList} from '#ui/organization/folder-list.ts';
import {openLinkifierList} from '#ui/organization/linkifier-list.ts';
import {foldersReason, openOrganizationMenu} from '#ui/organization/organization-menu.ts';
import {openProfileFieldList} from '#ui/organization/profile-field-list.ts';
import type {Command} from './command.ts';

/** Everyone may look at the settings of the organization; the forms say who may change them. */
export const organizationCommands: readonly Command[] = [
  {
    id: 'organization.settings',
    title: 'Organization settings',
    aliases: [
      'administration',
      'admin',
      'realm settings',
      'permissions',
      'who can',
      'message retention',
      'edit time limit',
      'video call provider',
      'announcement channel',
      'organization name',
    ],
    contexts: ['nav'],
    run: openOrganizationMenu,
  },
  {
    id: 'linkifiers.list',
    title: 'Linkifiers',
    aliases: ['linkifier', 'link patterns', 'issue links', 'ticket links', 'realm filters', 'add linkifier'],
    contexts: ['nav'],
    run: openLinkifierList,
  },
  {
    id: 'domains.list',
    title: 'Allowed email domains',
    aliases: ['domains', 'add domain', 'restrict domains', 'who can join'],
    contexts: ['nav'],
    run: openDomainList,
  },
  {
    id: 'profile-fields.list',
    title: 'Custom profile fields',
    aliases: ['profile fields', 'add profile field', 'user fields'],
    contexts: ['nav'],
    run: openProfileFieldList,
  },
  {
    id: 'emoji.list',
    title: 'Custom emoji',
    aliases: ['emoji list', 'manage emoji', 'remove emoji', 'deactivate emoji'],
    contexts: ['nav'],
    run: openEmojiList,
  },
  {
    id: 'emoji.new',
    title: 'Add a custom emoji',
    aliases: ['new emoji', 'upload emoji', 'create emoji'],
    contexts: ['nav'],
    opensTextField: true,
    disabledReason: (app) => changeProblem(app) ?? addEmojiReason(app.frame),
    run: openEmojiForm,
  },
  {
    id: 'folders.list',
    title: 'Channel folders',
    aliases: ['folders', 'new folder', 'create folder', 'archive folder', 'channel sections'],
    contexts: ['nav'],
    disabledReason: (app) => foldersReason(app.frame),
    run: openFolderList,
  },
  {
    id: 'default-channels.list',
    title: 'Default channels',
    aliases: ['default streams', 'channels for new users'],
    contexts: ['nav'],
    run: openDefaultChannelList,
  },
];
