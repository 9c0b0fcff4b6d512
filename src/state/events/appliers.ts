import type {Appliers} from '#state/state-event.ts';
import {localAppliers} from './local-appliers.ts';
import {messageAppliers} from './message-appliers.ts';
import {organizationAppliers} from './organization-appliers.ts';
import {personalAppliers} from './personal-appliers.ts';

/** Every event type and what it does. */
export const appliers: Appliers = {
  ...messageAppliers,
  ...personalAppliers,
  ...organizationAppliers,
  ...localAppliers,
};
