import type {ServerContext} from '#server/context.ts';
import type {Downgrade, Json, SentEvent} from '#server/downgrade.ts';
import {JsonText} from '#server/json-text.ts';
import type {OrganizationSettings} from '#server/organization/organization-settings.ts';
import {levels} from '#wire/levels.ts';
import {eventChanges} from './event-changes.ts';
import {type DowngradeContext, type LevelChange, type ObjectName, objectChanges, without} from './object-changes.ts';
import {requestChanges} from './request-changes.ts';
import {errorChanges, responseChanges, settingChanges} from './response-changes.ts';

/** Returns the rewrites that make this server look like one of `level`. */
export function downgradeTo(level: number, server: () => ServerContext): Downgrade {
  const changes = levelChanges.filter((change) => change.level > level);
  const context = (): DowngradeContext => ({server: server(), level});
  const fixedCapabilities = Object.fromEntries(
    changes.filter((change) => change.kind === 'capability').map((change) => [change.name, change.before]),
  );
  const settings = Object.assign({}, ...changes.map((change) => (change.kind === 'setting' ? change.before : {})));
  const changesByEndpoint = new Map<string, readonly LevelChange[]>();
  const changesOf = (id: string) => {
    const found = changesByEndpoint.get(id) ?? changes.filter((change) => changesResponse(change, id));
    changesByEndpoint.set(id, found);
    return found;
  };
  // Cached until the settings change: most requests read them.
  let cachedSettings: {current: OrganizationSettings; older: OrganizationSettings} | undefined;
  return {
    reportsIgnoredParams: level >= levels.ignoredParameters,
    unknownEventTypes: new Set(changes.filter((change) => change.kind === 'eventType').map((change) => change.type)),
    capabilities: (sent) => ({...sent, ...fixedCapabilities}),
    organization(current) {
      if (cachedSettings?.current !== current) cachedSettings = {current, older: {...current, ...settings}};
      return cachedSettings.older;
    },
    actor(id, actor) {
      const roleChange = changes.find((change) => change.kind === 'role' && change.endpoint === id);
      if (roleChange?.kind !== 'role' || actor.role > roleChange.role) return actor;
      return {...actor, role: Math.min(actor.role, roleChange.now)};
    },
    response: (id, body) =>
      // Copied once: a snapshot has hundreds of fields, and most changes remove some of them.
      body instanceof JsonText
        ? body
        : changesOf(id).reduce((older, change) => olderResponse(change, id, older, context()), {...body}),
    error: (error) =>
      changes.reduce(
        (current, change) =>
          change.kind === 'error' && change.error === current.kind ? change.before(current) : current,
        error,
      ),
    request(id, params, actor) {
      for (const change of changes)
        if (change.kind === 'request' && change.endpoint === id) change.before(params, {...context(), actor});
    },
    event: (type, body) =>
      changes.reduce<readonly SentEvent[]>(
        (events, change) => events.flatMap((sent) => olderEvent(change, sent, context())),
        [{type, body}],
      ),
  };
}

function changesResponse(change: LevelChange, id: string): boolean {
  switch (change.kind) {
    case 'responseFields':
    case 'reshape':
      return change.endpoint === id;
    case 'fields':
    case 'object':
      return (responseObjectLocations[id] ?? []).some(([, object]) => object === change.object);
    default:
      return false;
  }
}

/** Returns the response before a change of this endpoint. It may change the fields of `body`, but not their values. */
function olderResponse(
  change: LevelChange,
  id: string,
  body: Record<string, unknown>,
  context: DowngradeContext,
): Record<string, unknown> {
  switch (change.kind) {
    case 'responseFields':
      for (const name of change.without) delete body[name];
      return body;
    case 'reshape':
      return change.before(body, context);
    case 'fields':
    case 'object':
      return mapObjects(body, responseObjectLocations[id] ?? [], change, context);
    default:
      return body;
  }
}

function olderEvent(change: LevelChange, sent: SentEvent, context: DowngradeContext): readonly SentEvent[] {
  const locations = eventObjectLocations[sent.type] ?? [];
  switch (change.kind) {
    case 'eventType':
      return change.type === sent.type ? [] : [sent];
    case 'event':
      return change.type === sent.type ? change.before(sent.body, context) : [sent];
    case 'fields':
    case 'object':
      return [{...sent, body: mapObjects(sent.body, locations, change, context)}];
    default:
      return [sent];
  }
}

/**
 * Every difference of older servers that a client can notice, newest first. Endpoints and parameters that older servers
 * do not have follow from the `since` levels of the endpoint table and are not repeated here.
 */
export const levelChanges: readonly LevelChange[] = [
  ...objectChanges,
  ...settingChanges,
  ...responseChanges,
  ...eventChanges,
  ...errorChanges,
  ...requestChanges,
].sort((a, b) => b.level - a.level);

/** A key of a response or event that contains an object, or a list of objects; 'self' means the whole value. */
type ObjectLocation = readonly [key: string, object: ObjectName, shape: 'one' | 'list' | 'self'];

const users: readonly ObjectLocation[] = [
  ['realm_users', 'user', 'list'],
  ['realm_non_active_users', 'user', 'list'],
  ['cross_realm_bots', 'user', 'list'],
];
const channels: readonly ObjectLocation[] = [
  ['subscriptions', 'channel', 'list'],
  ['unsubscribed', 'channel', 'list'],
  ['never_subscribed', 'channel', 'list'],
  ['streams', 'channel', 'list'],
];

/** The locations of objects in responses, by endpoint id. */
export const responseObjectLocations: Readonly<Record<string, readonly ObjectLocation[]>> = {
  'queue.register': [
    ...users,
    ...channels,
    ['realm_user_groups', 'group', 'list'],
    ['realm_linkifiers', 'linkifier', 'list'],
    ['custom_profile_fields', 'profileField', 'list'],
    ['realm_bots', 'bot', 'list'],
    ['user_settings', 'settings', 'one'],
    ['realm_user_settings_defaults', 'settings', 'one'],
    ['realm_playgrounds', 'playground', 'list'],
  ],
  'user.list': [['members', 'user', 'list']],
  'user.get': [['user', 'user', 'one']],
  'user.get-by-email': [['user', 'user', 'one']],
  'user.own': [['', 'user', 'self']],
  'channel.list': channels,
  'channel.get': [['stream', 'channel', 'one']],
  'subscription.list': channels,
  'message.list': [['messages', 'message', 'list']],
  'message.get': [['message', 'message', 'one']],
  'message.edit': [['detached_uploads', 'attachment', 'list']],
  'group.list': [['user_groups', 'group', 'list']],
  'linkifier.list': [['linkifiers', 'linkifier', 'list']],
  'attachment.list': [['attachments', 'attachment', 'list']],
  'export.list': [['exports', 'export', 'list']],
  'profile-field.list': [['custom_fields', 'profileField', 'list']],
};

/** The locations of objects in events, by event type. */
const eventObjectLocations: Readonly<Record<string, readonly ObjectLocation[]>> = {
  message: [['message', 'message', 'one']],
  stream: [['streams', 'channel', 'list']],
  subscription: [['subscriptions', 'channel', 'list']],
  realm_user: [['person', 'user', 'one']],
  user_group: [['group', 'group', 'one']],
  realm_linkifiers: [['realm_linkifiers', 'linkifier', 'list']],
  custom_profile_fields: [['fields', 'profileField', 'list']],
  attachment: [['attachment', 'attachment', 'one']],
  reaction: [['', 'reaction', 'self']],
  realm_bot: [['bot', 'bot', 'one']],
  realm_playgrounds: [['realm_playgrounds', 'playground', 'list']],
  realm_export: [['exports', 'export', 'list']],
};

/** Applies the change to every occurrence of its object; copies only the values that contain one. */
function mapObjects(
  value: Json,
  locations: readonly ObjectLocation[],
  change: Extract<LevelChange, {kind: 'fields' | 'object'}>,
  context: DowngradeContext,
): Json {
  const older = (occurrence: Json) =>
    change.kind === 'fields' ? without(occurrence, change.names) : change.before(occurrence, context);
  let result = value;
  for (const [key, name, shape] of locations) {
    if (name !== change.object) continue;
    if (shape === 'self') {
      result = older(result);
      continue;
    }
    const content = result[key];
    if (content === undefined || content === null) continue;
    result = {...result, [key]: shape === 'list' ? (content as Json[]).map(older) : older(content as Json)};
  }
  return result;
}
