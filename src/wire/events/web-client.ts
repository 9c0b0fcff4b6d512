import {dataExport} from '#wire/objects/data-export.ts';
import {onboardingStep} from '#wire/objects/web-client-fields.ts';
import {int, object, s} from '#wire/schema.ts';
import {eventFields, eventFieldsWithOp} from './event-fields.ts';

/** The schemas of events that Zulip's web application reads and this client does not request. */
export const webClientEventSchemas = {
  device: {
    add: object({...eventFieldsWithOp('device', 'add'), device_id: int}),
    remove: object({...eventFieldsWithOp('device', 'remove'), device_id: int}),
  },
  onboarding_steps: object({...eventFields('onboarding_steps'), onboarding_steps: s.array(onboardingStep)}),
  realm_export: object({...eventFields('realm_export'), exports: s.array(dataExport)}),
  realm_user_settings_defaults: {
    update: object({
      ...eventFieldsWithOp('realm_user_settings_defaults', 'update'),
      property: s.string(),
      value: s.unknown(),
    }),
  },
  realm_export_consent: object({...eventFields('realm_export_consent'), user_id: int, consented: s.boolean()}),
};
