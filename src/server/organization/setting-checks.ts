import {languageName} from '#server/accounts/user-setting-values.ts';
import {forbiddenInNames} from '#server/actions/inputs/name-characters.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest, invalidValue} from '#server/http/errors.ts';
import {canSeeChannel} from '#server/permissions/channel.ts';
import {allowedMethods} from '#server/views/server-settings.ts';
import {gifRatings} from './organization-settings.ts';
import {availableVideoProviders} from './video-providers.ts';

/** The id that means no channel. */
export const noChannel = -1;

type SettingCheck = (value: unknown, name: string, act: ActionContext, actor: UserRow) => unknown;

/**
 * A check per organization setting that returns the value to store or throws. The request decoder has already checked
 * the type; settings without a check accept every value of their type.
 */
export const settingChecks: Readonly<Record<string, SettingCheck>> = {
  name: (value) => {
    const name = String(value).trim();
    if (forbiddenInNames.test(name)) throw badRequest('Invalid character in organization name.');
    return name;
  },
  description: (value) => String(value).trim(),
  default_language: (value) => {
    const language = String(value);
    if (languageName(language) === undefined) throw badRequest(`Invalid language '${language}'`);
    return language;
  },
  authentication_methods: (value, _name, {server}) => checkedMethods(server, value as Record<string, unknown>),
  string_id: () => {
    throw badRequest('Must be a demo organization.');
  },
  message_content_edit_limit_seconds: secondsOrUnlimited,
  message_content_delete_limit_seconds: secondsOrUnlimited,
  move_messages_within_stream_limit_seconds: secondsOrUnlimited,
  move_messages_between_streams_limit_seconds: secondsOrUnlimited,
  message_retention_days: (value, name) => secondsOrUnlimited(value, name) ?? -1,
  waiting_period_threshold: (value, name) => {
    if (typeof value !== 'number' || value > 36_500) throw invalidValue(name, value);
    return value;
  },
  default_code_block_language: (value, name) => {
    if (!/^[\w+#./-]{0,50}$/.test(String(value))) throw invalidValue(name, value);
    return value;
  },
  video_chat_provider: (value) => {
    const isAvailable = Object.values(availableVideoProviders).some(({id}) => id === value);
    if (!isAvailable) throw badRequest(`Invalid video_chat_provider ${value}`);
    return value;
  },
  gif_rating_policy: (value, name) => {
    if (!Object.values(gifRatings).some(({id}) => id === value)) throw badRequest(`Invalid ${name} ${value}`);
    return value;
  },
  jitsi_server_url: (value, name) => {
    const url = String(value);
    if (url === 'default') return null;
    if (!/^https?:\/\//.test(url) || !URL.canParse(url) || url.length > 200) {
      throw badRequest(`${name} is not an allowed_type`);
    }
    return url;
  },
  new_stream_announcements_stream_id: channelOrNone,
  signup_announcements_stream_id: channelOrNone,
  zulip_update_announcements_stream_id: channelOrNone,
  moderation_request_channel_id: (value, name, act, actor) => {
    const id = channelOrNone(value, name, act, actor);
    if (id !== -1 && findChannel(act.db, id)?.invite_only === 0) {
      throw badRequest('Moderation request channel must be private.');
    }
    return id;
  },
};

function checkedMethods(server: ServerContext, input: Readonly<Record<string, unknown>>): Record<string, boolean> {
  const known = Object.keys(allowedMethods(server)).sort();
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const list = known.map((name) => `'${name}'`).join(', ');
    throw badRequest(`Invalid authentication method: ${unknown}. Valid methods are: [${list}]`);
  }
  const allowed = Object.fromEntries(known.map((name) => [name, input[name] === true]));
  if (!Object.values(allowed).includes(true)) throw badRequest('At least one authentication method must be enabled.');
  return allowed;
}

/** Returns a positive number, or null for `unlimited`. */
function secondsOrUnlimited(value: unknown, name: string): number | null {
  if (value === 'unlimited') return null;
  if (typeof value !== 'number' || value <= 0) throw invalidValue(name, value);
  return value;
}

function channelOrNone(value: unknown, _name: string, act: ActionContext, actor: UserRow): number {
  if (typeof value !== 'number' || value < 0) return noChannel;
  const channel = findChannel(act.db, value);
  if (channel === undefined || channel.is_archived === 1 || !canSeeChannel(act, actor, channel)) {
    throw badRequest('Invalid channel ID');
  }
  return channel.id;
}
