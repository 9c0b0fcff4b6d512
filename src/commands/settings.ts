import {acceptBannerOffer, retryConnection, retryProblem} from '#app/banner/accept-banner-offer.ts';
import {openAboutCard} from '#app/connection/about-card.ts';
import {copyDiagnostics, openConnectionCard, registerAgain, sendOutboxNow} from '#app/connection/connection-card.ts';
import {openDeactivationForm} from '#app/organization/data-exports.ts';
import {addEmojiReason, customEmoji, emojiList} from '#app/organization/emoji-form.ts';
import type {OrganizationList} from '#app/organization/organization-list.ts';
import {organizationLists} from '#app/organization/organization-lists.ts';
import {openOrganizationMenu} from '#app/organization/organization-menu.ts';
import {ownerReason} from '#app/organization/organization-rights.ts';
import {
  openAlertWordsList,
  openFileList,
  openMutedPeopleList,
  openSnippetList,
  snippetProblem,
} from '#app/personal/personal-lists.ts';
import {ownSshKeys, sshKeyProblem} from '#app/personal/ssh-keys.ts';
import {openAccountPicker, openAddAccountForm, openRemoveAccount, showAccount} from '#app/settings/add-account-form.ts';
import {openLocalSettingChoices, openSettingsList} from '#app/settings/settings-list.ts';
import {doNotDisturbForHour, endDoNotDisturb, openDoNotDisturb} from '#app/watchers/quiet-time.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {type Command, command} from './command.ts';

const fontText = 'The terminal chooses the font and its size: in most terminals, Ctrl-+ and Ctrl-- change the size';

export const settingCommands: readonly Command[] = [
  command('settings.open', 'Settings', openSettingsList, {
    aliases: [
      'preferences',
      'options',
      'config',
      'notifications',
      'privacy',
      'language',
      'time zone',
      'password',
      'new api key',
      'change my name',
      'email address',
    ],
    worksBeforeFirstPaint: true,
  }),
  command('settings.theme', 'Theme', (app) => openLocalSettingChoices(app, 'theme'), {
    aliases: ['dark', 'light', 'dark mode', 'light mode', 'night mode', 'day mode', 'colors', 'colours', 'appearance'],
  }),
  command('settings.font', 'Font and text size', (app) => app.toast(fontText), {
    aliases: ['font', 'font size', 'zoom in', 'zoom out', 'bigger text', 'smaller text'],
  }),
  command('notify.pause', 'Do not disturb for an hour', doNotDisturbForHour, {
    aliases: ['dnd', 'pause notifications', 'mute notifications', 'quiet', 'silence', 'focus'],
    worksBeforeFirstPaint: true,
  }),
  command('notify.pause.until', 'Do not disturb until…', openDoNotDisturb, {
    aliases: ['dnd', 'pause notifications', 'snooze notifications', 'quiet hours'],
    opensTextField: true,
  }),
  command('notify.resume', 'Turn off do not disturb', endDoNotDisturb, {
    aliases: ['dnd off', 'resume notifications', 'unmute notifications', 'notifications on'],
  }),
  command('account.pick', 'Switch account', openAccountPicker, {
    aliases: ['accounts', 'organization', 'workspace'],
    worksBeforeFirstPaint: true,
  }),
  command('account.add', 'Add an account', openAddAccountForm, {
    aliases: ['add account', 'new account', 'login', 'log in', 'sign in', 'sso', 'another organization'],
    worksBeforeFirstPaint: true,
  }),
  command('account.remove', 'Remove an account from this machine', openRemoveAccount, {
    aliases: ['log out', 'logout', 'sign out', 'remove account', 'delete account', 'forget account'],
  }),
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
  command('alertwords.open', 'Alert words', openAlertWordsList, {
    aliases: ['highlight words', 'keywords', 'add alert word', 'notify about a word', 'watch words'],
  }),
  command('muted.open', 'Muted people', openMutedPeopleList, {
    aliases: ['mute a person', 'mute user', 'unmute user', 'block', 'ignore', 'hide a person'],
  }),
  command('snippets.open', 'Saved snippets', openSnippetList, {
    aliases: ['snippets', 'templates', 'new snippet', 'edit snippet', 'canned responses'],
    disabledReason: ({state}) => snippetProblem(state),
  }),
  command('files.open', 'My files', openFileList, {
    aliases: ['attachments', 'uploads', 'uploaded files', 'delete a file', 'storage', 'quota'],
  }),
  command('sshkeys.open', 'SSH keys', ownSshKeys.open, {
    aliases: ['ssh', 'public keys', 'add ssh key', 'remove ssh key', 'log in with a key'],
    disabledReason: ({frame}) => sshKeyProblem(frame),
  }),
];

/** Returns the command that opens a list, and those that belong to it. */
function listCommands(list: OrganizationList): readonly Command[] {
  const {id, title, open, aliases, disabledReason} = list;
  const opens = command(`${id}.list`, title, open, {
    aliases,
    ...(disabledReason !== undefined && {disabledReason: ({frame}) => disabledReason(frame)}),
  });
  return list === emojiList ? [opens, newEmojiCommand] : [opens];
}

const newEmojiCommand = command('emoji.new', 'Add a custom emoji', customEmoji.openNew, {
  aliases: ['new emoji', 'upload emoji', 'create emoji'],
  opensTextField: true,
  disabledReason: (app) => changeProblem(app) ?? addEmojiReason(app.frame),
});

/** Everyone may look at the settings of the organization; the forms say who may change them. */
export const organizationCommands: readonly Command[] = [
  command('organization.settings', 'Organization settings', openOrganizationMenu, {
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
      'organization icon',
    ],
  }),
  ...organizationLists.flatMap(listCommands),
  command('organization.deactivate', 'Deactivate the organization', openDeactivationForm, {
    aliases: ['close the organization', 'delete the organization', 'deactivate realm'],
    opensTextField: true,
    disabledReason: (app) => changeProblem(app) ?? ownerReason(app.frame),
  }),
];

export const connectionCommands: readonly Command[] = [
  command('banner.accept', 'Accept banner: reconnect, log in, subscribe', acceptBannerOffer, {
    contexts: ['banner'],
    isKeyOnly: true,
    hint: 'accept',
    hints: {banner: 1},
    worksBeforeFirstPaint: true,
  }),
  command('connection.retry', 'Reconnect now', retryConnection, {
    aliases: ['retry', 'connect', 'online'],
    worksBeforeFirstPaint: true,
    disabledReason: retryProblem,
  }),
  command('server.about', 'About this server', openAboutCard, {
    aliases: [
      'about',
      'server version',
      'feature level',
      'organization info',
      'limits',
      'login methods',
      'parley version',
    ],
  }),
  command('connection.show', 'Connection', openConnectionCard, {
    aliases: ['connection status', 'latency', 'network', 'rate limit', 'event queue', 'diagnostics', 'pending changes'],
  }),
  command('connection.register', 'Reload the account from the server', registerAgain, {
    aliases: ['register again', 're-register', 'new event queue', 'reload', 'refresh', 'sync'],
  }),
  command('outbox.send', 'Send the outbox now', sendOutboxNow, {
    aliases: ['send all', 'flush outbox', 'resend', 'send pending'],
    disabledReason: changeProblem,
  }),
  command('connection.copy', 'Copy connection diagnostics', copyDiagnostics, {
    aliases: ['diagnostics', 'bug report', 'debug info'],
  }),
];
