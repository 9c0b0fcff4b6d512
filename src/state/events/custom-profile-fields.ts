import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import {profileFieldFromWire} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import type {CustomProfileFieldsEvent} from '#wire/events/custom-profile-fields.ts';

export function applyCustomProfileFields(state: AccountState, event: CustomProfileFieldsEvent): AccountState {
  const profileFields = event.fields.map(profileFieldFromWire);
  return withSlices(state, {profileFields: keepIfEqual(state.profileFields, profileFields)});
}
