import type {AccountState} from '#state/state.ts';
import {allowedIf, isAdministrator, isOwner, type Permission, refused} from './permission.ts';

/** Most settings of the organization are for administrators, some for owners only. */
export function canChangeRealm(
  state: AccountState,
  by: 'administrator' | 'owner' = 'administrator',
): Permission {
  const may = by === 'owner' ? isOwner(state) : isAdministrator(state);
  return allowedIf(may, `Only ${by}s may change this setting of the organization.`);
}

/** Servers below level 137 have none. */
export function canSeeReadReceipts(state: AccountState): Permission {
  if (state.realm.enableReadReceipts === undefined) {
    return refused('This server is too old to tell who has read a message.');
  }
  return allowedIf(state.realm.enableReadReceipts, 'Read receipts are turned off in this organization.');
}

/** `moves` shows where a message has been, not what it said. */
export function editHistoryVisibility({realm}: AccountState): 'all' | 'moves' | 'none' {
  const policy = realm.messageEditHistoryVisibilityPolicy;
  if (policy === undefined) return realm.allowEditHistory === false ? 'none' : 'all';
  if (policy === 'none') return 'none';
  return policy === 'moves' ? 'moves' : 'all';
}

export function canSeeEditHistory(state: AccountState): Permission {
  return allowedIf(
    editHistoryVisibility(state) !== 'none',
    'The history of messages is hidden in this organization.',
  );
}
