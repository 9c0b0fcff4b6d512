import {isAdministrator, isOwner} from '#state/selectors/permissions/permission.ts';
import type {Frame} from '#ui/core/frame.ts';
import {sinceProblem} from '#wire/server-features.ts';

/** Returns why the user may not change something that only administrators may change. */
export function administratorReason({account}: Frame): string | undefined {
  return isAdministrator(account) ? undefined : 'Only administrators can change this';
}

/** Returns why the user may not change something that only owners may change. */
export function ownerReason({account}: Frame): string | undefined {
  return isOwner(account) ? undefined : 'Only owners can change this';
}

/** Returns why the server does not have an endpoint, a parameter or something else that a level introduced. */
export function serverReason({account}: Frame, feature: {readonly since: number}): string | undefined {
  return sinceProblem(account.server.level, feature);
}
