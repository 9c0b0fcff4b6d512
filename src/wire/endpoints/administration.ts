import {
  alias,
  endpoint,
  fallback,
  flag,
  json,
  limitedText,
  optional,
  pathId,
  pathText,
  since,
  text,
} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {dataExport} from '#wire/objects/data-export.ts';
import {int, nullableInt, object, s, strings} from '#wire/schema.ts';
import {settingParams} from './settings.ts';

export const addPlayground = endpoint('playground.add', 'POST /realm/playgrounds', {
  params: {
    name: text,
    pygments_language: text,
    url_template: alias(since(levels.playgroundTemplates, text), 'url_prefix'),
  },
  result: object({id: int}),
});

export const removePlayground = endpoint('playground.remove', 'DELETE /realm/playgrounds/{playground_id}', {
  params: {playground_id: pathId},
});

export const getExports = endpoint('export.list', 'GET /export/realm', {
  result: object({exports: s.array(dataExport)}),
});

export const requestExport = endpoint('export.request', 'POST /export/realm', {
  params: {export_type: since(levels.exportTypes, fallback(text, 'public'))},
  result: object({id: int}),
});

export const deleteExport = endpoint('export.delete', 'DELETE /export/realm/{export_id}', {
  params: {export_id: pathId},
});

export const getExportConsents = endpoint('export.consents', 'GET /export/realm/consents', {
  since: levels.exportConsents,
  result: object({export_consents: s.array(object({user_id: int, consented: s.boolean()}))}),
});

export const createDefaultChannelGroup = endpoint(
  'default-channel-group.create',
  'POST /default_stream_groups/create',
  {
    params: {description: text, group_name: text, stream_names: json(strings)},
  },
);

export const updateDefaultChannelGroup = endpoint(
  'default-channel-group.update',
  'PATCH /default_stream_groups/{group_id}',
  {params: {group_id: pathId, new_group_name: optional(text), new_description: optional(text)}},
);

export const removeDefaultChannelGroup = endpoint(
  'default-channel-group.remove',
  'DELETE /default_stream_groups/{group_id}',
  {params: {group_id: pathId}},
);

export const changeDefaultChannelGroup = endpoint(
  'default-channel-group.change-channels',
  'PATCH /default_stream_groups/{group_id}/streams',
  {params: {group_id: pathId, op: text, stream_names: json(strings)}},
);

const icon = object({icon_url: s.string()});

export const uploadIcon = endpoint('realm.upload-icon', 'POST /realm/icon', {upload: true, result: icon});
export const removeIcon = endpoint('realm.remove-icon', 'DELETE /realm/icon', {result: icon});

export const uploadLogo = endpoint('realm.upload-logo', 'POST /realm/logo', {upload: true, params: {night: flag}});
export const removeLogo = endpoint('realm.remove-logo', 'DELETE /realm/logo', {params: {night: flag}});

// Each person chooses these.
const {
  timezone,
  default_language,
  enable_login_emails,
  enable_marketing_emails,
  allow_private_data_export,
  ...defaultParams
} = settingParams;

/** Changes the settings that new accounts start with. */
export const updateSettingDefaults = endpoint('realm.update-setting-defaults', 'PATCH /realm/user_settings_defaults', {
  params: defaultParams,
});

export const testWelcomeMessage = endpoint('realm.test-welcome', 'POST /realm/test_welcome_bot_custom_message', {
  since: levels.welcomeMessage,
  params: {welcome_message_custom_text: limitedText(8000)},
  result: object({message_id: int}),
});

export const deactivateRealm = endpoint('realm.deactivate', 'POST /realm/deactivate', {
  params: {deletion_delay_days: since(levels.deletionDelay, optional(json(nullableInt)))},
});

/** Says in `msg` whether a new organization could have this subdomain. */
export const checkSubdomain = endpoint('subdomain.check', 'GET /realm/subdomain/{subdomain}', {
  auth: 'none',
  params: {subdomain: pathText},
  result: object({}, {msg: s.string()}),
});
