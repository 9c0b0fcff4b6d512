import {exportTypes} from '#server/actions/organization/data-exports.ts';
import {userTopicsOf} from '#server/actions/topics/user-topics.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import {fold} from '#server/db/rows.ts';
import type {RequestParams} from '#server/downgrade.ts';
import {ApiError, badNarrow, badRequest} from '#server/errors.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {levels} from '#wire/levels.ts';
import {operands, operatorName, operators} from '#wire/narrow.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import type {LevelChange, RequestDowngradeContext, RequestRewrite} from './object-changes.ts';
import {videoProviderLevels} from './response-changes.ts';

function request(level: number, endpoint: string, before: RequestRewrite): LevelChange {
  return {kind: 'request', level, endpoint, before};
}

/** Makes the change for a value that a parameter accepts only from its level on. */
function newValue(level: number, endpoint: string, name: string, value: unknown): LevelChange {
  return request(level, endpoint, (params) => {
    if (params[name] === value) throw badRequest(`Invalid ${name}`);
  });
}

/** Video providers by their path segment, with the level that added each. */
const callSegmentLevels: Readonly<Record<string, number>> = {
  constructorgroups: levels.videoConstructor,
  nextcloud_talk: levels.videoNextcloud,
  conference: levels.conferenceCalls,
  webex: levels.conferenceCalls,
};

const narrowEndpoints = ['message.list', 'flag.update-narrow', 'message.match-narrow', 'queue.register'];

/** The changes for narrow operators and operands that have a level, at every endpoint with a narrow. */
const narrowChanges = narrowEndpoints.flatMap((endpoint) => [
  ...Object.entries(operators)
    .filter(([, {since}]) => since > 0)
    .map(([operator, {since}]) =>
      request(since, endpoint, (params) => rejectTerm(params, (name) => name === operator)),
    ),
  ...Object.entries(operands).flatMap(([operator, values]) =>
    Object.entries(values)
      .filter(([, since]) => since > 0)
      .map(([value, since]) =>
        request(since, endpoint, (params) =>
          rejectTerm(params, (name, operand) => operatorName(name) === operator && operand === value),
        ),
      ),
  ),
  request(levels.integerIdOperand, endpoint, (params) =>
    rejectTerm(params, (name, operand) => name === 'id' && typeof operand === 'number'),
  ),
]);

function rejectTerm(params: RequestParams, isRejected: (operator: string, operand: unknown) => boolean): void {
  const terms = Array.isArray(params.narrow) ? params.narrow : [];
  for (const term of terms) {
    const [operator, operand] = Array.isArray(term) ? term : [term.operator, term.operand];
    if (isRejected(String(operator), operand)) throw badNarrow(`unknown operator ${operator}`);
  }
}

export const requestChanges: readonly LevelChange[] = [
  ...narrowChanges,
  request(levels.exportTypeNames, 'export.request', (params) => {
    const names = Object.entries(exportTypes);
    params.export_type = names.find(([, type]) => String(type) === params.export_type)?.[0] ?? params.export_type;
  }),
  newValue(levels.typeDirect, 'message.send', 'type', 'direct'),
  newValue(levels.typeChannel, 'message.send', 'type', 'channel'),
  request(levels.typeDirect, 'typing.send', (params) => {
    if (params.type === 'direct') throw badRequest('Invalid type');
    if (params.type === 'private') params.type = 'direct';
  }),
  newValue(levels.typeChannel, 'typing.send', 'type', 'channel'),
  newValue(levels.typeChannel, 'scheduled-message.create', 'type', 'channel'),
  newValue(levels.typeChannel, 'scheduled-message.edit', 'type', 'channel'),
  request(levels.playgroundTemplates, 'playground.add', (params) => {
    params.url_template = `${params.url_template}{code}`;
  }),
  newValue(levels.partialSubscribers, 'queue.register', 'include_subscribers', 'partial'),
  newValue(levels.partialSubscribers, 'subscription.list', 'include_subscribers', 'partial'),
  newValue(levels.localeTime, 'settings.update', 'twenty_four_hour_time', null),
  newValue(levels.pronounsField, 'profile-field.create', 'field_type', 8),
  ...videoProviderLevels.map(([level, provider]) => newValue(level, 'realm.update', 'video_chat_provider', provider)),
  newValue(levels.anchorDate, 'message.list', 'anchor', 'date'),
  newValue(levels.followed, 'user-topic.set', 'visibility_policy', 3),
  // One path serves all providers, so its level is here and not in the endpoint table.
  ...Object.entries(callSegmentLevels).map(([segment, level]) =>
    request(level, 'call.create', (params) => {
      if (params.segment === segment) throw new ApiError('BAD_REQUEST', 'Not found', 404);
    }),
  ),
  request(480, 'topic.list', rejectArchivedChannel),
  request(480, 'channel.subscribers', rejectArchivedChannel),
  request(476, 'profile-field.create', ({field_type, display_in_profile_summary}) => {
    if (field_type === 2 && display_in_profile_summary === true)
      throw badRequest('Field type not supported for display in profile summary.');
  }),
  // The value was called `recent_topics`.
  request(454, 'settings.update', (params) => {
    if (params.web_home_view === 'recent') throw badRequest('Invalid web_home_view');
    if (params.web_home_view === 'recent_topics') params.web_home_view = 'recent';
  }),
  // Typing in a channel named the channel in `to` before `stream_id` existed.
  request(215, 'typing.send', (params) => {
    if (params.type !== 'stream' || !Array.isArray(params.to)) return;
    params.stream_id = params.to[0];
    params.to = undefined;
  }),
  request(190, 'emoji.remove', ({emoji_name}, {server}) => {
    const sql = 'SELECT 1 FROM realm_emoji WHERE name = ? AND deactivated = 0';
    if (server.db.get(sql, String(emoji_name)) === undefined) throw badRequest(`Emoji '${emoji_name}' does not exist`);
  }),
  request(176, 'linkifier.add', templateFromFormat),
  request(176, 'linkifier.update', templateFromFormat),
  request(169, 'user-topic.mute', rejectRepeatedMute),
  request(152, 'message.edit', (params) => {
    params.send_notification_to_old_thread ??= true;
  }),
  ...['domain.add', 'domain.update', 'domain.remove'].map(
    (endpoint): LevelChange => ({
      kind: 'role',
      level: levels.domainsByOwners,
      endpoint,
      role: Role.admin,
      now: Role.owner,
    }),
  ),
];

function rejectArchivedChannel(params: RequestParams, {server}: RequestDowngradeContext): void {
  if (findChannel(server.db, Number(params.stream_id))?.is_archived === 1) throw badRequest('Invalid channel ID');
}

/** Turns a URL format into a template: `https://tickets.example/%(id)s` → `https://tickets.example/{id}`. */
function templateFromFormat(params: RequestParams): void {
  params.url_template = String(params.url_template)
    .replaceAll(/%\((\w+)\)s/g, '{$1}')
    .replaceAll('%%', '%');
}

function rejectRepeatedMute(
  {stream_id, stream, topic, op}: RequestParams,
  {server, actor}: RequestDowngradeContext,
): void {
  const {db} = server;
  const channel = stream_id === undefined ? findChannelByName(db, String(stream)) : findChannel(db, Number(stream_id));
  if (channel === undefined || actor === undefined) return;
  const isMuted = userTopicsOf(db, actor.id).some(
    (row) =>
      row.channel_id === channel.id &&
      row.policy === visibilityPolicies.muted &&
      fold(row.topic_name) === fold(String(topic)),
  );
  if (isMuted === (op === 'add')) throw badRequest(isMuted ? 'Topic already muted' : 'Topic is not muted');
}
