import {openAccountPicker, showAccount} from '#app/settings/account-picker.ts';
import {openSettingsList} from '#app/settings/settings-list.ts';
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
    aliases: ['accounts', 'add account', 'login', 'log in', 'sign in', 'organization', 'workspace'],
    contexts: ['nav'],
    worksBeforeFirstPaint: true,
    run: openAccountPicker,
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
