import {languageName} from '#server/accounts/user-settings.ts';
import {availableVideoProviders, organizationDefaults} from '#server/organization/organization-settings.ts';
import {
  commonCodes,
  groupsByCode,
  legacyPolicies,
  realmPermissionRules,
  SystemGroup,
} from '#server/organization/permission-rules.ts';
import {topicsPolicies} from '#wire/objects/channel.ts';
import {type ImportContext, importedRows, type Row} from './import-context.ts';
import {permissionsOf, personalSettings} from './import-people.ts';

type Settings = Record<string, unknown>;

/** Facts about the server that an export comes from. */
const notCarriedOver: ReadonlySet<string> = new Set([
  'authentication_methods',
  'is_deactivated',
  'plan_type',
  'push_notifications_enabled',
  'push_notifications_enabled_end_timestamp',
]);

/** Settings that may be without a limit, which is null. */
const limits = /_seconds$/;

const commonGroups = groupsByCode(commonCodes);
const botPolicyGroups = {1: SystemGroup.members, 2: SystemGroup.administrators, 3: SystemGroup.administrators};
const webhookPolicyGroups = {1: SystemGroup.members, 2: SystemGroup.members, 3: SystemGroup.administrators};

/** The name that each permission had as a number on servers before Zulip 10, and the groups of its values. */
const formerPolicies: Readonly<Record<string, readonly [string, Readonly<Record<number, number>>]>> = {
  ...Object.fromEntries(
    legacyPolicies.map(([, name, policy, codes]) => [name, [policy, codes ? groupsByCode(codes) : commonGroups]]),
  ),
  can_manage_all_groups: ['user_group_edit_policy', commonGroups],
  can_create_bots_group: ['bot_creation_policy', botPolicyGroups],
  can_create_write_only_bots_group: ['bot_creation_policy', webhookPolicyGroups],
  direct_message_permission_group: ['private_message_policy', {1: SystemGroup.everyone, 2: SystemGroup.nobody}],
};

/** The channels of the server's announcements: our name, then the names in the export, the newest first. */
const announcementChannels: readonly (readonly [string, ...string[]])[] = [
  ['new_stream_announcements_stream_id', 'new_stream_announcements_stream', 'notifications_stream'],
  ['signup_announcements_stream_id', 'signup_announcements_stream', 'signup_notifications_stream'],
  ['zulip_update_announcements_stream_id', 'zulip_update_announcements_stream'],
  ['moderation_request_channel_id', 'moderation_request_channel'],
];

/** Imports the settings of the organization; the groups and channels must exist. */
export function importOrganization(context: ImportContext): void {
  let count = 0;
  for (const row of importedRows(context, 'realm')) {
    if (++count > 1) row.fail('an export has one organization.');
    const settings = {
      ...specialSettings(context, row),
      ...permissions(context, row),
      user_setting_defaults: [...importedRows(context, 'realmuserdefault')].map(personalSettings).at(-1) ?? {},
    };
    const changed = Object.entries(settings).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(organizationDefaults, name)),
    );
    for (const [name, value] of Object.entries({...plainSettings(row, settings), ...Object.fromEntries(changed)})) {
      context.db.insertRow('realm_setting', {name, value: JSON.stringify(value)});
    }
    context.db.run(`UPDATE meta SET value = ? WHERE key = 'created_at'`, String(row.time('date_created')));
  }
}

/** Returns the settings that have the same name and type here, except the given ones. */
function plainSettings(row: Row, others: Settings): Settings {
  const settings: Settings = {};
  for (const [name, standard] of Object.entries(organizationDefaults)) {
    const value = row.value(name) ?? null;
    if (notCarriedOver.has(name) || Object.hasOwn({...others, ...realmPermissionRules}, name)) continue;
    if (typeof value === 'string') row.optionalText(name, 10_000);
    if (typeof value === 'number') row.optionalNumber(name);
    if (typeof value === typeof standard && value !== null) settings[name] = value;
    else if (value === null && limits.test(name) && row.isNull(name)) settings[name] = null;
  }
  return settings;
}

function specialSettings({channels}: ImportContext, row: Row): Settings {
  const language = row.optionalText('default_language', 50) ?? 'en';
  const provider = row.optionalNumber('video_chat_provider');
  const isAvailable = Object.values(availableVideoProviders).some(({id}) => id === provider);
  const jitsiUrl = row.optionalText('jitsi_server_url', 200) ?? '';
  const quota = row.optionalNumber('custom_upload_quota_gb');
  const policy = topicsPolicies[(row.optionalNumber('topics_policy') ?? 0) - 1];
  const requiresTopic = policy === undefined ? row.flag('mandatory_topics') : policy === 'disable_empty_topic';
  const edits =
    ['all', 'moves', 'none'][(row.optionalNumber('message_edit_history_visibility_policy') ?? 0) - 1] ??
    (row.flag('allow_edit_history', true) ? 'all' : 'none');
  return {
    topics_policy: requiresTopic ? 'disable_empty_topic' : 'allow_empty_topic',
    mandatory_topics: requiresTopic,
    message_edit_history_visibility_policy: edits,
    allow_edit_history: edits !== 'none',
    default_language: languageName(language) === undefined ? 'en' : language,
    video_chat_provider: isAvailable ? provider : organizationDefaults.video_chat_provider,
    jitsi_server_url: /^https?:\/\/\S+$/.test(jitsiUrl) ? jitsiUrl : null,
    upload_quota_mib: quota === undefined ? null : quota * 1024,
    ...Object.fromEntries(
      announcementChannels.map(([name, ...keys]) => [
        name,
        keys.map((key) => channels.optional(row, key)).find((id) => id !== null) ?? -1,
      ]),
    ),
  };
}

function permissions(context: ImportContext, row: Row): Settings {
  const settings: Settings = permissionsOf(context, row, realmPermissionRules);
  for (const [name, [former, values]] of Object.entries(formerPolicies)) {
    settings[name] ??= values[row.optionalNumber(former) ?? 0];
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Imports linkifiers, domains, code playgrounds and groups of default channels. */
export function importOrganizationObjects(context: ImportContext): void {
  const {db} = context;
  for (const row of importedRows(context, 'realmfilter')) {
    const alternatives = row.value('alternative_url_templates');
    db.insertNewRow('linkifier', {
      pattern: row.text('pattern', 10_000),
      url_template: row.text('url_template', 10_000),
      example_input: row.optionalText('example_input', 10_000) ?? null,
      reverse_template: row.optionalText('reverse_template', 10_000) ?? null,
      alternative_url_templates: JSON.stringify(Array.isArray(alternatives) ? alternatives.map(String) : []),
      sort_order: row.optionalNumber('order') ?? row.number('id'),
    });
    if (db.value('SELECT changes()') === 0) row.fail('two linkifiers have the same pattern.');
  }
  for (const row of importedRows(context, 'realmdomain')) {
    db.insertNewRow('realm_domain', {
      domain: row.text('domain', 80).toLowerCase(),
      allow_subdomains: row.bit('allow_subdomains'),
    });
  }
  for (const row of importedRows(context, 'realmplayground')) {
    const template = row.optionalText('url_template', 10_000) ?? `${row.text('url_prefix', 10_000)}{code}`;
    db.insertNewRow('playground', {
      name: row.name('name', 1000),
      pygments_language: row.text('pygments_language', 40),
      url_template: template,
    });
  }
  for (const row of importedRows(context, 'defaultstreamgroup')) {
    const id = db.insertNewRow('default_channel_group', {
      name: row.name('name', 60),
      description: row.optionalText('description', 1024) ?? '',
    });
    for (const stream of row.numbers('streams')) {
      const channel = context.channels.get(stream);
      if (channel === undefined) continue;
      db.insertNewRow('default_channel_group_channel', {group_id: id, channel_id: channel});
    }
  }
}
