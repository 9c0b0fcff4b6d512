import {
  changeDefaultChannelGroup,
  createDefaultChannelGroup,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
} from '#server/actions/channels/default-channels.ts';
import {dataExports, deleteExport, exportConsents, requestExport} from '#server/actions/organization/data-exports.ts';
import {
  addCustomEmoji,
  deactivateCustomEmoji,
  removeOrganizationImage,
  uploadOrganizationImage,
} from '#server/actions/organization/organization-images.ts';
import {
  addDomain,
  addLinkifier,
  addPlayground,
  removeDomain,
  removeLinkifier,
  removePlayground,
  reorderLinkifiers,
  updateDomain,
  updateLinkifier,
} from '#server/actions/organization/organization-lists.ts';
import {
  createProfileField,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from '#server/actions/organization/profile-fields.ts';
import {
  deactivateOrganization,
  sendTestWelcome,
  updateOrganization,
  updateSettingDefaults,
} from '#server/actions/organization/update-organization.ts';
import {createVideoCall, invalidVideoTokenError} from '#server/actions/organization/video-calls.ts';
import {listDomains} from '#server/db/organization-items.ts';
import {badRequest} from '#server/http/errors.ts';
import {asyncRoute, type Route, route} from '#server/http/route.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {
  customEmojiTable,
  domainView,
  linkifierViews,
  organizationImage,
  profileFieldViews,
} from '#server/views/organization-items.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

const linkifierRoutes: readonly Route[] = [
  route(endpoints.getLinkifiers, ({server}) => ({linkifiers: linkifierViews(server)})),
  route(endpoints.addLinkifier, (call, params) => ({id: addLinkifier(call, params)})),
  route(endpoints.updateLinkifier, (call, params) => updateLinkifier(call, params.filter_id, params)),
  route(endpoints.removeLinkifier, (call, params) => removeLinkifier(call, params.filter_id)),
  route(endpoints.reorderLinkifiers, (call, params) => reorderLinkifiers(call, params.ordered_linkifier_ids)),
];

const domainRoutes: readonly Route[] = [
  route(endpoints.getDomains, ({db}) => ({domains: listDomains(db).map(domainView)})),
  route(endpoints.addDomain, (call, params) => {
    const {id, domain} = addDomain(call, params.domain, params.allow_subdomains);
    const added: [number, string] = [id, domain];
    return {new_domain: added};
  }),
  route(endpoints.updateDomain, (call, params) => updateDomain(call, params.domain, params.allow_subdomains)),
  route(endpoints.removeDomain, (call, params) => removeDomain(call, params.domain)),
];

const profileFieldRoutes: readonly Route[] = [
  route(endpoints.getProfileFields, ({db}) => ({custom_fields: profileFieldViews(db)})),
  route(endpoints.createProfileField, (call, params) => ({
    id: createProfileField(call, params.field_type, params),
  })),
  route(endpoints.reorderProfileFields, (call, params) => reorderProfileFields(call, params.order)),
  route(endpoints.updateProfileField, (call, params) => updateProfileField(call, params.field_id, params)),
  route(endpoints.removeProfileField, (call, params) => removeProfileField(call, params.field_id)),
];

const emojiRoutes: readonly Route[] = [
  route(endpoints.getEmoji, ({server}) => ({emoji: customEmojiTable(server)})),
  asyncRoute(endpoints.addEmoji, async (request, params) => await addCustomEmoji(request, params.emoji_name)),
  route(endpoints.removeEmoji, (call, params) => deactivateCustomEmoji(call, call.actor, params.emoji_name)),
];

const callRoutes: readonly Route[] = [
  // Thrown after the transaction: a rollback would discard the event.
  asyncRoute(endpoints.createCall, async (request, params) => {
    const url = request.runAction((call) => createVideoCall(call, call.actor, params.segment));
    if (url === undefined) throw invalidVideoTokenError();
    return {url};
  }),
  route(endpoints.createBigBlueButtonCall, () => {
    throw badRequest('BigBlueButton is not configured.');
  }),
];

export const organizationRoutes: readonly Route[] = [
  route(endpoints.updateRealm, (call, params) => updateOrganization(call, call.actor, params)),
  ...linkifierRoutes,
  ...domainRoutes,
  ...profileFieldRoutes,
  ...emojiRoutes,
  ...callRoutes,
];

const defaultChannelGroupRoutes: readonly Route[] = [
  route(otherEndpoints.createDefaultChannelGroup, (call, params) =>
    createDefaultChannelGroup(call, call.actor, params),
  ),
  route(otherEndpoints.updateDefaultChannelGroup, (call, params) => updateDefaultChannelGroup(call, params)),
  route(otherEndpoints.removeDefaultChannelGroup, (call, {group_id}) => removeDefaultChannelGroup(call, group_id)),
  route(otherEndpoints.changeDefaultChannelGroup, (call, params) =>
    changeDefaultChannelGroup(call, call.actor, params),
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
