import {dataExport, onboardingStep} from '#wire/objects/web-client-fields.ts';
import {int, object, s} from '#wire/schema.ts';
import {event, eventsByOp} from './event-schema.ts';

const device = object({device_id: int});

/** The schemas of events that Zulip's web application reads and this client does not request. */
export const webClientEventSchemas = {
  device: eventsByOp('device', {add: device, remove: device}),
  onboarding_steps: event('onboarding_steps', {onboarding_steps: s.array(onboardingStep)}),
  realm_export: event('realm_export', {exports: s.array(dataExport)}),
  realm_user_settings_defaults: eventsByOp('realm_user_settings_defaults', {
    update: object({property: s.string(), value: s.unknown()}),
  }),
  realm_export_consent: event('realm_export_consent', {user_id: int, consented: s.boolean()}),
};
