import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import {settingsFromWire} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import {settingsPatch, type UserSettingsEvent} from '#wire/events/user-settings.ts';

export function applyUserSettings(state: AccountState, event: UserSettingsEvent): AccountState {
  const patch = settingsPatch(event);
  if (patch === undefined) return state;
  const settings = {...state.settings, ...settingsFromWire(patch)};
  return withSlices(state, {settings: keepIfEqual(state.settings, settings)});
}
