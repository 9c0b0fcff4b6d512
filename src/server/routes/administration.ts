import {
  changeDefaultChannelGroup,
  createDefaultChannelGroup,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
} from '#server/actions/channels/default-channel-groups.ts';
import {dataExports, deleteExport, exportConsents, requestExport} from '#server/actions/organization/data-exports.ts';
import {removeOrganizationImage, uploadOrganizationImage} from '#server/actions/organization/organization-images.ts';
import {addPlayground, removePlayground} from '#server/actions/organization/playgrounds.ts';
import {
  deactivateOrganization,
  sendTestWelcome,
  updateSettingDefaults,
} from '#server/actions/organization/update-organization.ts';
import {asyncRoute, type Route, route} from '#server/http/route.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {organizationImage} from '#server/views/organization-image.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

const defaultChannelGroupRoutes: readonly Route[] = [
  route(otherEndpoints.createDefaultChannelGroup, (call, {group_name, description, stream_names}) =>
    createDefaultChannelGroup(call, call.actor, {name: group_name, description, channelNames: stream_names}),
  ),
  route(otherEndpoints.updateDefaultChannelGroup, (call, {group_id, new_group_name, new_description}) =>
    updateDefaultChannelGroup(call, group_id, {name: new_group_name, description: new_description}),
  ),
  route(otherEndpoints.removeDefaultChannelGroup, (call, {group_id}) => removeDefaultChannelGroup(call, group_id)),
  route(otherEndpoints.changeDefaultChannelGroup, (call, {group_id, op, stream_names}) =>
    changeDefaultChannelGroup(call, call.actor, group_id, {op, channelNames: stream_names}),
  ),
];

const imageRoutes: readonly Route[] = [
  asyncRoute(otherEndpoints.uploadIcon, async (request) => {
    await uploadOrganizationImage(request, 'icon');
    return {icon_url: organizationImage(organization(request), 'icon').url};
  }),
  route(otherEndpoints.removeIcon, (call) => {
    removeOrganizationImage(call, 'icon');
    return {icon_url: organizationImage(organization(call), 'icon').url};
  }),
  asyncRoute(
    otherEndpoints.uploadLogo,
    async (request, {night}) => await uploadOrganizationImage(request, night ? 'night_logo' : 'logo'),
  ),
  route(otherEndpoints.removeLogo, (call, {night}) => removeOrganizationImage(call, night ? 'night_logo' : 'logo')),
];

const exportRoutes: readonly Route[] = [
  route(otherEndpoints.getExports, ({server}) => ({exports: dataExports(server)})),
  route(otherEndpoints.requestExport, (call, {export_type}) => ({id: requestExport(call, call.actor, export_type)})),
  route(otherEndpoints.deleteExport, (call, {export_id}) => deleteExport(call, export_id)),
  route(otherEndpoints.getExportConsents, ({db}) => ({export_consents: exportConsents(db)})),
];

export const administrationRoutes: readonly Route[] = [
  ...defaultChannelGroupRoutes,
  ...imageRoutes,
  ...exportRoutes,
  route(otherEndpoints.addPlayground, (call, params) => ({id: addPlayground(call, params)})),
  route(otherEndpoints.removePlayground, (call, {playground_id}) => removePlayground(call, playground_id)),
  route(otherEndpoints.updateSettingDefaults, (call, params) => updateSettingDefaults(call, params)),
  route(otherEndpoints.testWelcomeMessage, (call, {welcome_message_custom_text}) => ({
    message_id: sendTestWelcome(call, call.actor, welcome_message_custom_text),
  })),
  route(otherEndpoints.deactivateRealm, (call) => deactivateOrganization(call)),
  asyncRoute(otherEndpoints.checkSubdomain, async (_request, {subdomain}) => ({msg: subdomainProblem(subdomain)})),
];

/** Returns why no organization can get this subdomain. This server has one organization, so all are taken. */
function subdomainProblem(subdomain: string): string {
  if (/^-|-$/.test(subdomain)) return "Subdomain cannot start or end with a '-'.";
  if (!/^[a-z0-9-]*$/.test(subdomain)) return "Subdomain can only have lowercase letters, numbers, and '-'s.";
  if (subdomain.length < 3) return 'Subdomain needs to have length 3 or greater.';
  return 'Subdomain is already in use. Please choose a different one.';
}
