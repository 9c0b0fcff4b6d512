import type {AccountState} from '#state/state.ts';
import {featureProblem} from '#wire/server-features.ts';
import {allowedIf, isAdministrator, isOwner, type Permission, refused} from './permission.ts';

/** Most organization settings require an administrator, some an owner. */
export function canChangeRealm(state: AccountState, role: 'administrator' | 'owner' = 'administrator'): Permission {
  const isAllowed = role === 'owner' ? isOwner(state) : isAdministrator(state);
  return allowedIf(isAllowed, `Only ${role}s can change this organization setting.`);
}

/** Servers below level 137 have no read receipts. */
export function canSeeReadReceipts(state: AccountState): Permission {
  if (state.realm.enableReadReceipts === undefined) {
    return refused(featureProblem(state.server.level, 'readReceipts') ?? 'This server has no read receipts.');
  }
  return allowedIf(state.realm.enableReadReceipts, 'Read receipts are turned off in this organization.');
}

/** `moves` shows topics and channels, but not earlier content. */
export function editHistoryVisibility({realm}: AccountState): 'all' | 'moves' | 'none' {
  const policy = realm.messageEditHistoryVisibilityPolicy;
  if (policy === undefined) return realm.allowEditHistory === false ? 'none' : 'all';
  if (policy === 'none') return 'none';
  return policy === 'moves' ? 'moves' : 'all';
}

export function canSeeEditHistory(state: AccountState): Permission {
  return allowedIf(editHistoryVisibility(state) !== 'none', 'Edit history is hidden in this organization.');
}
