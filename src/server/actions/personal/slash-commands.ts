import {type UserSettings, userSettings} from '#server/accounts/user-settings.ts';
import {changeUserSettings} from '#server/actions/users/update-account.ts';
import type {RequestContext} from '#server/context.ts';
import {check, required} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';

export const slashCommandRoutes: readonly Route[] = [
  route(endpoints.runSlashCommand, 'account', (call, params) => runSlashCommand(call, params.command)),
];

interface ModeCommand {
  readonly setting: 'color_scheme' | 'fluid_layout_width';
  readonly value: UserSettings['color_scheme'] | UserSettings['fluid_layout_width'];
  /** The words of the two responses. */
  readonly changed: string;
  readonly unchanged: string;
  readonly opposite: string;
}

/** The commands that change how Zulip's web app looks; the response says so. */
const modeCommands: Readonly<Record<string, ModeCommand>> = {
  dark: {setting: 'color_scheme', value: 2, changed: 'dark theme', unchanged: 'dark theme', opposite: 'light'},
  light: {setting: 'color_scheme', value: 3, changed: 'light theme', unchanged: 'light theme', opposite: 'dark'},
  'fluid-width': {
    setting: 'fluid_layout_width',
    value: true,
    changed: 'fluid-width mode',
    unchanged: 'fluid width mode',
    opposite: 'fixed-width',
  },
  'fixed-width': {
    setting: 'fluid_layout_width',
    value: false,
    changed: 'fixed-width mode',
    unchanged: 'fixed width mode',
    opposite: 'fluid-width',
  },
};

/** Runs a slash command that is not sent as a message. */
function runSlashCommand(act: RequestContext, text: string): {msg?: string} {
  check(text.startsWith('/'), 'There should be a leading slash in the zcommand.');
  const name = text.slice(1);
  if (name === 'ping') return {};
  const command = required(
    Object.hasOwn(modeCommands, name) ? modeCommands[name] : undefined,
    `No such command: ${name}`,
  );
  const {setting, value, changed, unchanged, opposite} = command;
  if (userSettings(act.actor)[setting] === value) return {msg: `You are still in ${unchanged}.`};
  changeUserSettings(act, act.actor, {[setting]: value});
  return {msg: `Changed to ${changed}! To revert ${changed}, type \`/${opposite}\`.`};
}
