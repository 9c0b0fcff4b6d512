import {trackUserAccess} from '#server/actions/events/user-events.ts';
import {trackFullMembers} from '#server/actions/groups/full-members.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {unauthorizedPrincipal} from '#server/http/errors.ts';
import {
  type OrganizationSettings,
  organizationDefaults,
  organizationSettings,
} from '#server/organization/organization-settings.ts';
import {noChannel, settingChecks} from '#server/organization/setting-checks.ts';
import {changedGroupSetting} from '#server/permissions/group-setting.ts';
import {isOwner, organization} from '#server/permissions/has-permission.ts';
import {realmPermissionRules} from '#server/permissions/permission-rules.ts';
import {authenticationMethodStates} from '#server/views/server-settings.ts';
import {groupSettingChange} from '#wire/objects/group-setting.ts';
import {decode} from '#wire/schema.ts';

type SettingValues = Readonly<Record<string, unknown>>;

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
  if (names.some((name) => ownersOnly.has(name)) && !isOwner(actor)) {
    throw unauthorizedPrincipal('Must be an organization owner');
  }
  const values: Record<string, unknown> = {};
  for (const name of names) values[name] = checkedValue(act, actor, name, input[name]);
  const changes = changedValues(organization(act), withLegacyTwins(values));
  if (Object.keys(changes).length === 0) return {};
  const affectsUserAccess = changes.can_access_all_users_group !== undefined;
  trackUserAccess(act, () => storeAndTrackFullMembers(act, changes), affectsUserAccess);
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
  if (rule === undefined) return settingChecks[name]?.(value, name, act, actor) ?? withoutCheck(name, value);
  const change = decode(groupSettingChange, value);
  if (!change.ok) throw new Error(`${name} reached the action unchecked`);
  const current = organization(act)[name as 'can_create_groups'];
  return changedGroupSetting(act, name, change.value, current, rule);
}

/** Returns null for a setting with a check, because that check returned null; otherwise the unchecked value. */
function withoutCheck(name: string, value: unknown): unknown {
  return Object.hasOwn(settingChecks, name) ? null : value;
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

/** Stores and emits the changes; a change of the waiting period also changes who is a full member. */
function storeAndTrackFullMembers(act: ActionContext, changes: SettingValues): void {
  if (changes.waiting_period_threshold === undefined) store(act, changes);
  else trackFullMembers(act, () => store(act, changes));
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
  const emit = (body: Readonly<Record<string, unknown>>) => act.emit({type: 'realm', to: 'everyone', body});
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

/** Stores one organization setting. The caller emits the event. */
export function storeOrganizationSetting<K extends keyof OrganizationSettings>(
  act: ActionContext,
  name: K,
  value: OrganizationSettings[K],
): void {
  act.db.run('INSERT OR REPLACE INTO realm_setting (name, value) VALUES (?, ?)', name, JSON.stringify(value));
  act.server.derivedFacts.invalidate(organizationSettings);
}
