import {changeProblem} from '#ui/actions/server-request.ts';
import {addEmojiReason, openEmojiForm, openEmojiList} from '#ui/organization/emoji-form.ts';
import {openFolderList} from '#ui/organization/folder-list.ts';
import {openLinkifierList} from '#ui/organization/linkifier-form.ts';
import {openDefaultChannelList, openDomainList} from '#ui/organization/new-user-lists.ts';
import {foldersReason, openOrganizationMenu} from '#ui/organization/organization-menu.ts';
import {openProfileFieldList} from '#ui/organization/profile-field-form.ts';
import {openFileList} from '#ui/personal/file-list.ts';
import {openAlertWordsList, openMutedPeopleList} from '#ui/personal/personal-lists.ts';
import {openSnippetList, snippetProblem} from '#ui/personal/snippet-list.ts';
import {openAccountPicker, openAddAccountForm, showAccount} from '#ui/settings/add-account-form.ts';
import {openSettingsList} from '#ui/settings/settings-list.ts';
import type {Command} from './command.ts';

export const settingCommands: readonly Command[] = [
  {
    id: 'settings.open',
    title: 'Settings',
    aliases: [
      'preferences',
      'options',
      'config',
      'theme',
      'colors',
      'colours',
      'dark',
      'light',
      'dark mode',
      'light mode',
      'notifications',
      'privacy',
      'language',
      'time zone',
      'password',
      'change my name',
      'email address',
    ],
    contexts: ['nav'],
    worksBeforeFirstPaint: true,
    run: openSettingsList,
  },
  {
    id: 'account.pick',
    title: 'Switch account',
    aliases: ['accounts', 'organization', 'workspace'],
    contexts: ['nav'],
    worksBeforeFirstPaint: true,
    run: openAccountPicker,
  },
  {
    id: 'account.add',
    title: 'Add an account',
    aliases: ['add account', 'new account', 'login', 'log in', 'sign in', 'sso', 'another organization'],
    contexts: ['nav'],
    worksBeforeFirstPaint: true,
    run: openAddAccountForm,
  },
  {
    id: 'account.switch',
    title: 'Switch account by number',
    contexts: ['global'],
    isKeyOnly: true,
    run: (app, press) => {
      const nth = Number(press?.key.name);
      if (Number.isInteger(nth) && nth > 0) showAccount(app, nth - 1);
    },
  },
];

/** The lists of the user's own records. */
export const personalCommands: readonly Command[] = [
  {
    id: 'alertwords.open',
    title: 'Alert words',
    aliases: ['highlight words', 'keywords', 'add alert word', 'notify about a word', 'watch words'],
    contexts: ['nav'],
    run: openAlertWordsList,
  },
  {
    id: 'muted.open',
    title: 'Muted people',
    aliases: ['mute a person', 'mute user', 'unmute user', 'block', 'ignore', 'hide a person'],
    contexts: ['nav'],
    run: openMutedPeopleList,
  },
  {
    id: 'snippets.open',
    title: 'Saved snippets',
    aliases: ['snippets', 'templates', 'new snippet', 'edit snippet', 'canned responses'],
    contexts: ['nav'],
    disabledReason: ({state}) => snippetProblem(state),
    run: openSnippetList,
  },
  {
    id: 'files.open',
    title: 'My files',
    aliases: ['attachments', 'uploads', 'uploaded files', 'delete a file', 'storage', 'quota'],
    contexts: ['nav'],
    run: openFileList,
  },
];

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
