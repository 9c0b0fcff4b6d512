import type {ActionContext} from '#server/context.ts';
import {storeOrganizationSetting} from './update-organization.ts';

/** The only organization of this server. */
const organizationId = 1;

/** Ends the use of the organization: everybody is logged out, and nothing is deleted. */
export function deactivateOrganization(act: ActionContext): void {
  storeOrganizationSetting(act, 'is_deactivated', true);
  act.emit({type: 'realm', to: 'everyone', body: {op: 'deactivated', realm_id: organizationId}});
}
