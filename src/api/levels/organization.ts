import type {Connection} from '#api/connection.ts';
import type {CallOptions} from '#api/connection-options.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {invalidCallFailure, isRefusal, serverTooOldFailure} from '#wire/failure.ts';
import {levels} from '#wire/levels.ts';
import {videoProviders} from '#wire/objects/organization.ts';
import type {WireRealm} from '#wire/objects/realm.ts';
import {featureLevel} from '#wire/objects/server-settings.ts';
import {type AdaptedCall, unlessRefused} from './adapted-call.ts';

/** Changes settings of the organization. Two of them had other names and fewer values on older servers. */
export const updateRealm: AdaptedCall<'updateRealm'> = async (connection, args = {}, options = {}) => {
  const {level} = connection;
  const {topics_policy: topics, message_edit_history_visibility_policy: history, ...rest} = args;
  const params: ArgsOf<typeof endpoints.updateRealm> = rest;
  if (level >= levels.topicsPolicy) params.topics_policy = topics;
  else if (topics !== undefined) params.mandatory_topics = topics === 'disable_empty_topic';
  if (level >= levels.historyVisibility) params.message_edit_history_visibility_policy = history;
  else if (history !== undefined) params.allow_edit_history = history !== 'none';
  return connection.call(endpoints.updateRealm, params, options);
};

/** Deactivates a group. Below level 290 it can only be deleted. */
export const deactivateGroup: AdaptedCall<'deactivateGroup'> = async (connection, args, options = {}) => {
  const canDeactivate = connection.level >= levels.groupDeactivated;
  return connection.call(canDeactivate ? endpoints.deactivateGroup : endpoints.deleteGroup, args, options);
};

/** Returns a bot's API key. Below level 463 it is part of the list of own bots. */
export const getBotApiKey: AdaptedCall<'getBotApiKey'> = async (connection, args, options = {}) => {
  const {level} = connection;
  if (level >= levels.botApiKey) return connection.call(endpoints.getBotApiKey, args, options);
  const {bots} = await connection.call(endpoints.getBots, {}, options);
  const found = await unlessRefused(connection.call(endpoints.getUser, {user_id: args.bot_id}, options));
  const bot = bots.find(({user_id, username}) => user_id === args.bot_id || username === found?.user.email);
  if (bot?.api_key !== undefined) return {api_key: bot.api_key};
  throw serverTooOldFailure(endpoints.getBotApiKey.id, "the key of another user's bot", levels.botApiKey, level);
};

/** Fetches the server settings and sets the connection's feature level. */
export const getServerSettings: AdaptedCall<'getServerSettings'> = async (connection, args = {}, options = {}) => {
  const settings = await connection.call(endpoints.getServerSettings, args, options);
  connection.level = featureLevel(settings);
  return settings;
};

/** Registers an event queue and sets the connection's feature level. A large organization's snapshot takes long. */
export const register: AdaptedCall<'register'> = async (connection, args = {}, options = {}) => {
  const snapshot = await connection.call(endpoints.register, args, {timeoutMs: 90_000, ...options});
  connection.level = featureLevel(snapshot);
  return snapshot;
};

interface VideoCallRequest {
  /** The organization, as the snapshot describes it. */
  readonly realm: Pick<
    WireRealm,
    'realm_video_chat_provider' | 'realm_jitsi_server_url' | 'server_jitsi_server_url' | 'jitsi_server_url'
  >;
  /** The call's name, for providers that show one. */
  readonly name: string;
  readonly audioOnly?: boolean | undefined;
  readonly random: () => number;
}

/** Starts a call with the organization's provider and returns its URL. */
export async function startVideoCall(
  connection: Connection,
  request: VideoCallRequest,
  options: CallOptions = {},
): Promise<{url: string}> {
  const {name, audioOnly = false} = request;
  switch (request.realm.realm_video_chat_provider) {
    case videoProviders.jitsi:
      return {url: jitsiUrl(request)};
    case videoProviders.zoom:
    case videoProviders.zoomServerToServer:
      return connection.call(endpoints.createCall, {segment: 'zoom', is_video_call: !audioOnly}, options);
    case videoProviders.bigBlueButton: {
      const args = {meeting_name: name, voice_only: audioOnly};
      const {url} = await connection.call(endpoints.createBigBlueButtonCall, args, options);
      return {url: connection.webUrl(url) ?? url};
    }
    case videoProviders.constructorGroups:
      return connection.call(endpoints.createCall, {segment: 'constructorgroups'}, options);
    case videoProviders.nextcloudTalk:
      return connection.call(endpoints.createCall, {segment: 'nextcloud_talk', room_name: name}, options);
    case videoProviders.conference:
      return conferenceCall(connection, options);
    default:
      throw videoFailure('This organization has no video call provider that Parley supports.');
  }
}

const videoFailure = (text: string) => invalidCallFailure(endpoints.createCall.id, text);

/** Starts a call of a provider that has two names; a server knows one of them or both. */
async function conferenceCall(connection: Connection, options: CallOptions): Promise<{url: string}> {
  try {
    return await connection.call(endpoints.createCall, {segment: 'conference'}, options);
  } catch (error) {
    if (!isRefusal(error) || error.status !== 404) throw error;
    return connection.call(endpoints.createCall, {segment: 'webex'}, options);
  }
}

/** Returns a Jitsi URL. The call needs no request; the random number in the URL is the room. */
function jitsiUrl({realm, audioOnly, random}: VideoCallRequest): string {
  const base = realm.realm_jitsi_server_url ?? realm.server_jitsi_server_url ?? realm.jitsi_server_url;
  if (base === null || base === undefined || URL.parse(base) === null) {
    throw videoFailure('This organization has no Jitsi server configured.');
  }
  const digits = Array.from({length: 15}, () => Math.floor(random() * 10)).join('');
  return `${base.replace(/\/+$/, '')}/${digits}${audioOnly === true ? '#config.startWithVideoMuted=true' : ''}`;
}
