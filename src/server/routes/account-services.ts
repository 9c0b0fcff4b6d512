import {markOnboardingStep} from '#server/actions/personal/onboarding-steps.ts';
import {botStorage, removeBotStorage, updateBotStorage} from '#server/actions/users/bots.ts';
import {
  addPushToken,
  checkPushToken,
  registerDevice,
  removeDevice,
  removePushToken,
} from '#server/actions/users/devices.ts';
import {ApiError, badRequest} from '#server/http/errors.ts';
import {asyncRoute, type Route, route} from '#server/http/route.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

const storageRoutes: readonly Route[] = [
  route(otherEndpoints.getBotStorage, (call, {keys}) => ({storage: botStorage(call, call.actor, keys)})),
  route(otherEndpoints.updateBotStorage, (call, {storage}) => updateBotStorage(call, call.actor, storage)),
  route(otherEndpoints.removeBotStorage, (call, {keys}) => removeBotStorage(call, call.actor, keys)),
];

const pushRoutes: readonly Route[] = [
  route(otherEndpoints.addApplePushToken, (call, {token, appid}) => {
    if (!/^[.a-zA-Z0-9-]+$/.test(appid)) throw badRequest('appid has invalid format');
    addPushToken(call, call.actor, 'apple', token);
  }),
  route(otherEndpoints.removeApplePushToken, (call, {token}) => removePushToken(call, call.actor, 'apple', token)),
  route(otherEndpoints.addAndroidPushToken, (call, {token}) => addPushToken(call, call.actor, 'android', token)),
  route(otherEndpoints.removeAndroidPushToken, (call, {token}) => removePushToken(call, call.actor, 'android', token)),
  route(otherEndpoints.registerPushDevice, () => {
    throw new ApiError('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.');
  }),
  route(otherEndpoints.testPush, (call, {token}) => {
    if (token !== undefined) checkPushToken(call, call.actor, token);
  }),
  route(otherEndpoints.testEncryptedPush, () => {
    throw new ApiError('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device');
  }),
];

/** What clients ask for beside conversations: a bot's storage, devices, notifications, other ways to log in. */
export const accountServicesRoutes: readonly Route[] = [
  ...storageRoutes,
  ...pushRoutes,
  route(otherEndpoints.registerDevice, (call) => ({device_id: registerDevice(call, call.actor)})),
  route(otherEndpoints.removeDevice, (call, {device_id}) => removeDevice(call, call.actor, device_id)),
  route(otherEndpoints.markOnboardingStep, (call, {onboarding_step}) =>
    markOnboardingStep(call, call.actor, onboarding_step),
  ),
  route(otherEndpoints.getMessagesSummary, () => {
    throw badRequest('AI features are not enabled on this server.');
  }),
  asyncRoute(otherEndpoints.fetchJwtApiKey, async () => {
    throw badRequest('JWT authentication is not enabled for this organization');
  }),
];
