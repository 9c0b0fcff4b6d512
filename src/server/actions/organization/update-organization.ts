import {changedSettings, languageName, type UserSettings, userSettingDefaults} from '#server/accounts/user-settings.ts';
import {trackFullMembers, trackUserAccess} from '#server/actions/events/user-events.ts';
import {forbiddenInNames} from '#server/actions/inputs.ts';
import {sendPersonalNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext, ServerAccess, ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest, check, invalidValue} from '#server/errors.ts';
import {
  availableVideoProviders,
  gifRatings,
  type OrganizationSettings,
  organizationDefaults,
} from '#server/organization/organization-settings.ts';
import {realmPermissionRules} from '#server/organization/permission-rules.ts';
import {canSeeChannel} from '#server/permissions/channel.ts';
import {changedGroupSetting} from '#server/permissions/group.ts';
import {organization, requireOwner, storeOrganizationSetting} from '#server/permissions/has-permission.ts';
import {asyncRoute, type Route, route} from '#server/route.ts';
import {realmId} from '#server/uploads/upload-path.ts';
import {allowedMethods, authenticationMethodStates} from '#server/views/server-settings.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {OutgoingBody} from '#wire/events.ts';
import {groupSettingChange} from '#wire/objects/group.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';
import {decode} from '#wire/schema.ts';

type SettingValues = Readonly<Record<string, unknown>>;

export const organizationRoutes: readonly Route[] = [
  route(endpoints.updateRealm, 'admin', (call, params) => updateOrganization(call, call.actor, params)),
  route(otherEndpoints.updateSettingDefaults, 'admin', updateSettingDefaults),
  // Sends an administrator the words of the organization that new users would get.
  route(otherEndpoints.testWelcomeMessage, 'admin', (call, {welcome_message_custom_text: text}) => {
    check(text !== '', 'Message must not be empty');
    return {message_id: sendPersonalNotice(call, call.actor.id, text, {from: 'welcome'})};
  }),
  // Ends the use of the organization: everybody is logged out, and nothing is deleted.
  route(endpoints.deactivateRealm, 'owner', (call) => {
    storeOrganizationSetting(call, 'is_deactivated', true);
    call.emit('realm', 'everyone', {op: 'deactivated', realm_id: realmId});
  }),
  asyncRoute(otherEndpoints.checkSubdomain, 'public', async (_request, {subdomain}) => ({
    msg: subdomainProblem(subdomain),
  })),
];

/** Returns why no organization can get this subdomain. This server has one organization, so all are taken. */
function subdomainProblem(subdomain: string): string {
  if (/^-|-$/.test(subdomain)) return "Subdomain cannot start or end with a '-'.";
  if (!/^[a-z0-9-]*$/.test(subdomain)) return "Subdomain can only have lowercase letters, numbers, and '-'s.";
  if (subdomain.length < 3) return 'Subdomain needs to have length 3 or greater.';
  return 'Subdomain is already in use. Please choose a different one.';
}

/** Settings about joining and permissions that only owners may change. */
const ownersOnly: ReadonlySet<string> = new Set([
  'authentication_methods',
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'string_id',
  'waiting_period_threshold',
]);

/** Settings whose changes are emitted first, in this order; the others follow in the order of their names. */
const emittedFirst: readonly string[] = [
  'message_content_delete_limit_seconds',
  'message_content_edit_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
];

/** Settings that are emitted as `update_dict`, with those that follow from them. */
const emittedAsDict: Readonly<Record<string, readonly string[]>> = {
  allow_message_editing: [],
  authentication_methods: [],
  description: ['rendered_description'],
  message_content_edit_limit_seconds: [],
  topics_policy: ['mandatory_topics'],
};

/** Settings that are not emitted, because others imply them. */
const implied: ReadonlySet<string> = new Set(['allow_edit_history', 'mandatory_topics', 'rendered_description']);

/** The numbers of values that responses have as numbers, and events as texts. */
const answerNumbers: Readonly<Record<string, readonly string[]>> = {
  topics_policy: ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'],
  message_edit_history_visibility_policy: ['all', 'moves', 'none'],
};

/** Settings that are answered and emitted even if they had the value, unless it is the id of a channel. */
const alwaysChanged: ReadonlySet<string> = new Set([
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'org_type',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
]);

/** Changes settings and returns those that changed, as the response shows them. */
export function updateOrganization(act: ActionContext, actor: UserRow, input: SettingValues): SettingValues {
  const names = Object.keys(input).filter((name) => input[name] !== undefined);
  if (names.some((name) => ownersOnly.has(name))) requireOwner(actor);
  const values: Record<string, unknown> = {};
  for (const name of names) values[name] = checkedValue(act, actor, name, input[name]);
  const changes = changedValues(organization(act), withLegacyTwins(values));
  if (Object.keys(changes).length === 0) return {};
  const affectsUserAccess = changes.can_access_all_users_group !== undefined;
  const storeChanges = () => store(act, changes);
  // A change of the waiting period also changes who is a full member.
  const change =
    changes.waiting_period_threshold === undefined ? storeChanges : () => trackFullMembers(act, storeChanges);
  trackUserAccess(act, change, affectsUserAccess);
  const named = Object.entries(changes).filter(([name]) => names.includes(name));
  return Object.fromEntries(named.map(([name, value]) => [name, answerValue(name, value)]));
}

/** Responses have the number of a policy, and do not repeat texts. */
function answerValue(name: string, value: unknown): unknown {
  const number = answerNumbers[name]?.indexOf(String(value));
  if (number !== undefined) return number + 1;
  return typeof value === 'string' ? 'updated' : value;
}

function checkedValue(act: ActionContext, actor: UserRow, name: string, value: unknown): unknown {
  const rule = realmPermissionRules[name];
  // A check may return null as the value to store.
  if (rule === undefined)
    return settingChecks[name]?.(value, name, act, actor) ?? (Object.hasOwn(settingChecks, name) ? null : value);
  const change = decode(groupSettingChange, value);
  if (!change.ok) throw new Error(`${name} reached the action unchecked`);
  const current = organization(act)[name as 'can_create_groups'];
  return changedGroupSetting(act, name, change.value, current, rule);
}

/** Adds the legacy twin of two settings, so that both names always agree. */
function withLegacyTwins(values: SettingValues): SettingValues {
  const twins: Record<string, unknown> = {};
  if (typeof values.mandatory_topics === 'boolean') {
    twins.topics_policy = values.mandatory_topics ? 'disable_empty_topic' : 'allow_empty_topic';
  }
  if (typeof values.allow_edit_history === 'boolean') {
    twins.message_edit_history_visibility_policy = values.allow_edit_history ? 'all' : 'none';
  }
  const all: SettingValues = {...twins, ...values};
  return {
    ...all,
    ...(all.topics_policy === undefined ? {} : {mandatory_topics: all.topics_policy === 'disable_empty_topic'}),
    ...(all.message_edit_history_visibility_policy === undefined
      ? {}
      : {allow_edit_history: all.message_edit_history_visibility_policy !== 'none'}),
  };
}

function changedValues(current: OrganizationSettings, values: SettingValues): SettingValues {
  const entries = Object.entries(values).filter(([name, value]) => {
    if (alwaysChanged.has(name) && (value === noChannel || name === 'org_type')) return true;
    return JSON.stringify(Reflect.get(current, name)) !== JSON.stringify(value);
  });
  return Object.fromEntries(entries);
}

function store(act: ActionContext, changes: SettingValues): void {
  for (const [name, value] of Object.entries(changes)) {
    // The endpoint's parameters and the defaults have the same names; the setting's own rule checked the value.
    if (Object.hasOwn(organizationDefaults, name))
      storeOrganizationSetting(act, name as keyof OrganizationSettings, value as never);
  }
  emitChanges(act, changes);
}

function emitChanges(act: ActionContext, changes: SettingValues): void {
  const {description, authentication_methods} = changes;
  const shown: SettingValues = {
    ...changes,
    ...(typeof description === 'string' && {rendered_description: act.server.renderer.descriptionHtml(description)}),
    ...(authentication_methods !== undefined && {authentication_methods: authenticationMethodStates(act.server)}),
  };
  const emit = (body: OutgoingBody<'realm'>) => act.emit('realm', 'everyone', body);
  for (const property of emitOrder(Object.keys(shown))) {
    const others = emittedAsDict[property] ?? (isPermission(property) ? [] : undefined);
    const names = [property, ...(others ?? [])];
    if (others === undefined) emit({op: 'update', property, value: shown[property]});
    else
      emit({
        op: 'update_dict',
        property: 'default',
        data: Object.fromEntries(names.map((name) => [name, shown[name]])),
      });
  }
}

const isPermission = (name: string) => Object.hasOwn(realmPermissionRules, name);

/** Returns the names in the order in which Zulip's servers emit changes: permissions are almost last. */
function emitOrder(names: readonly string[]): string[] {
  const last = ['authentication_methods', ...alwaysChanged].filter((name) => name !== 'org_type');
  const order = [...Object.keys(realmPermissionRules), ...last, 'org_type'];
  const others = names.filter((name) => !order.includes(name) && !emittedFirst.includes(name) && !implied.has(name));
  return [...emittedFirst, ...others.sort(), ...order].filter((name) => names.includes(name));
}

/** Makes a deactivated organization usable again. Nobody could ask for it, so only the server's operator can. */
export function reactivateOrganization(server: ServerContext): void {
  server.runAction((act) => storeOrganizationSetting(act, 'is_deactivated', false));
}

/** Returns the settings that new accounts of this organization start with. */
export function settingDefaults(act: ServerAccess): UserSettings {
  return {...userSettingDefaults, ...organization(act).user_setting_defaults};
}

function updateSettingDefaults(act: ActionContext, input: SettingValues): void {
  const changes = changedSettings(settingDefaults(act), input);
  if (changes.length === 0) return;
  const stored = {...organization(act).user_setting_defaults, ...Object.fromEntries(changes)};
  storeOrganizationSetting(act, 'user_setting_defaults', stored);
  for (const [property, value] of changes) {
    act.emit('realm_user_settings_defaults', 'everyone', {op: 'update', property, value});
  }
}

/** The id that means no channel. */
const noChannel = -1;

type SettingCheck = (value: unknown, name: string, act: ActionContext, actor: UserRow) => unknown;

/**
 * A check per organization setting that returns the value to store or throws. The request decoder has already checked
 * the type; settings without a check accept every value of their type.
 */
const settingChecks: Readonly<Record<string, SettingCheck>> = {
  name: (value) => {
    const name = String(value).trim();
    check(!forbiddenInNames.test(name), 'Invalid character in organization name.');
    return name;
  },
  description: (value) => String(value).trim(),
  default_language: (value) => {
    const language = String(value);
    check(languageName(language) !== undefined, `Invalid language '${language}'`);
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
    check(isAvailable, `Invalid video_chat_provider ${value}`);
    return value;
  },
  gif_rating_policy: (value, name) => {
    check(
      Object.values(gifRatings).some(({id}) => id === value),
      `Invalid ${name} ${value}`,
    );
    return value;
  },
  jitsi_server_url: (value, name) => {
    const url = String(value);
    if (url === 'default') return null;
    check(/^https?:\/\//.test(url) && URL.canParse(url) && url.length <= 200, `${name} is not an allowed_type`);
    return url;
  },
  new_stream_announcements_stream_id: channelOrNone,
  signup_announcements_stream_id: channelOrNone,
  zulip_update_announcements_stream_id: channelOrNone,
  moderation_request_channel_id: (value, name, act, actor) => {
    const id = channelOrNone(value, name, act, actor);
    check(id === -1 || findChannel(act.db, id)?.invite_only !== 0, 'Moderation request channel must be private.');
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
  check(Object.values(allowed).includes(true), 'At least one authentication method must be enabled.');
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
  check(channel !== undefined && channel.is_archived !== 1 && canSeeChannel(act, actor, channel), 'Invalid channel ID');
  return channel.id;
}
