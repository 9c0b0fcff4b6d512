import {openAccountPicker, showAccount} from '#ui/settings/account-picker.ts';
import {openAddAccountForm} from '#ui/settings/add-account-form.ts';
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
