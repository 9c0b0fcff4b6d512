/** The endpoints that other clients call and this one does not. They are apart, so that it does not load them. */

import {alias, endpoint, fallback, flag, json, limitedText, number, optional, since, text} from './endpoint.ts';
import {levels} from './levels.ts';
import {narrow} from './narrow.ts';
import {int, object, s, strings} from './schema.ts';
import {accountParams, settingParams} from './setting-params.ts';

export const registerDevice = endpoint('device.register', 'POST /register_client_device', {
  since: levels.clientDevices,
  result: object({device_id: int}),
});

export const removeDevice = endpoint('device.remove', 'POST /remove_client_device', {
  since: levels.removeClientDevice,
  params: {device_id: number},
});

export const addApplePushToken = endpoint('push.add-apple', 'POST /users/me/apns_device_token', {
  params: {appid: text, token: text},
});
export const removeApplePushToken = endpoint('push.remove-apple', 'DELETE /users/me/apns_device_token', {
  params: {token: text},
});
export const addAndroidPushToken = endpoint('push.add-android', 'POST /users/me/android_gcm_reg_id', {
  params: {token: text},
});
export const removeAndroidPushToken = endpoint('push.remove-android', 'DELETE /users/me/android_gcm_reg_id', {
  params: {token: text},
});

/** Registers a device for encrypted notifications; its other parameters matter to servers with a push service only. */
export const registerPushDevice = endpoint('push.register', 'POST /mobile_push/register', {
  since: levels.encryptedPush,
  params: {device_id: since(levels.clientDevices, number)},
});

export const testPush = endpoint('push.test', 'POST /mobile_push/test_notification', {
  since: levels.testNotification,
  params: {token: optional(text)},
});

export const testEncryptedPush = endpoint('push.test-encrypted', 'POST /mobile_push/e2ee/test_notification', {
  since: levels.encryptedTestNotification,
  params: {device_id: optional(number)},
});

const keys = optional(json(strings));

export const getBotStorage = endpoint('bot-storage.get', 'GET /bot_storage', {
  params: {keys},
  result: object({storage: s.record(s.string(), s.string())}),
});
export const updateBotStorage = endpoint('bot-storage.update', 'PUT /bot_storage', {
  params: {storage: json(s.record(s.string(), s.string()))},
});
export const removeBotStorage = endpoint('bot-storage.remove', 'DELETE /bot_storage', {params: {keys}});

export const markOnboardingStep = endpoint('onboarding.mark', 'POST /users/me/onboarding_steps', {
  since: levels.onboardingSteps,
  params: {onboarding_step: text},
});

/** Logs in with a token of another system. */
export const fetchJwtApiKey = endpoint('key.jwt-fetch', 'POST /jwt/fetch_api_key', {
  auth: 'none',
  params: {token: fallback(text, '')},
});

/** Summarizes the messages of a narrow with a language model. */
export const getMessagesSummary = endpoint('message.summary', 'GET /messages/summary', {
  since: levels.hideAiFeatures,
  params: {narrow: fallback(json(narrow), [])},
});

// The names that `PATCH /settings` had when the settings were two groups; servers still accept them.
export const updateDisplaySettings = endpoint('settings.update-display', 'PATCH /settings/display', {
  params: accountParams,
});
export const updateNotificationSettings = endpoint('settings.update-notifications', 'PATCH /settings/notifications', {
  params: accountParams,
});

export const addPlayground = endpoint('playground.add', 'POST /realm/playgrounds', {
  params: {
    name: text,
    pygments_language: text,
    url_template: alias(since(levels.playgroundTemplates, text), 'url_prefix'),
  },
  result: object({id: int}),
});

export const removePlayground = endpoint('playground.remove', 'DELETE /realm/playgrounds/{playground_id}');

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
  {
    params: {new_group_name: optional(text), new_description: optional(text)},
  },
);

export const removeDefaultChannelGroup = endpoint(
  'default-channel-group.remove',
  'DELETE /default_stream_groups/{group_id}',
  {},
);

export const changeDefaultChannelGroup = endpoint(
  'default-channel-group.change-channels',
  'PATCH /default_stream_groups/{group_id}/streams',
  {params: {op: text, stream_names: json(strings)}},
);

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

/** Says in `msg` whether a new organization could have this subdomain. */
export const checkSubdomain = endpoint('subdomain.check', 'GET /realm/subdomain/{subdomain}', {
  auth: 'none',
  result: object({}, {msg: s.string()}),
});
