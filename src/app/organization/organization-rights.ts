import type {Frame} from '#app/core/frame.ts';
import {isAdministrator, isOwner} from '#state/selectors/permissions/permission.ts';
import {missingFeature} from '#wire/missing-feature.ts';

/** Returns why the user may not change something that only administrators may change. */
export function administratorReason({account}: Frame): string | undefined {
  return isAdministrator(account) ? undefined : 'Only administrators can change this';
}

/** Returns why the user may not change something that only owners may change. */
export function ownerReason({account}: Frame): string | undefined {
  return isOwner(account) ? undefined : 'Only owners can change this';
}

/** Returns why the server does not have an endpoint, a parameter or something else that a level introduced: `This server is too old: needs Zulip 11`. */
export function serverReason({account}: Frame, feature: {readonly since: number}): string | undefined {
  const missing = missingFeature(account.server.level, feature);
  return missing === undefined ? undefined : `This server is too old: ${missing}`;
}
