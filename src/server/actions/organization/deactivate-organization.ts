import type {ActionContext, ServerContext} from '#server/context.ts';
import {storeOrganizationSetting} from './update-organization.ts';

/** The only organization of this server. */
const organizationId = 1;

/** Ends the use of the organization: everybody is logged out, and nothing is deleted. */
export function deactivateOrganization(act: ActionContext): void {
  storeOrganizationSetting(act, 'is_deactivated', true);
  act.emit({type: 'realm', to: 'everyone', body: {op: 'deactivated', realm_id: organizationId}});
}

/** Makes a deactivated organization usable again. Nobody could ask for it, so only the server's operator can. */
export function reactivateOrganization(server: ServerContext): void {
  server.runAction((act) => storeOrganizationSetting(act, 'is_deactivated', false));
}
