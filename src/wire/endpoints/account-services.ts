import {endpoint, fallback, json, number, optional, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {narrow} from '#wire/narrow.ts';
import {int, object, s, strings} from '#wire/schema.ts';
import {accountParams} from './settings.ts';

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
