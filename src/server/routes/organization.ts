import {addCustomEmoji, deactivateCustomEmoji} from '#server/actions/organization/custom-emoji.ts';
import {addDomain, removeDomain, updateDomain} from '#server/actions/organization/domains.ts';
import {
  addLinkifier,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from '#server/actions/organization/linkifiers.ts';
import {
  createProfileField,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from '#server/actions/organization/profile-fields.ts';
import {updateOrganization} from '#server/actions/organization/update-organization.ts';
import {createVideoCall, invalidVideoTokenError} from '#server/actions/organization/video-calls.ts';
import {listDomains} from '#server/db/domains.ts';
import {badRequest} from '#server/http/errors.ts';
import {asyncRoute, type Route, route} from '#server/http/route.ts';
import {customEmojiTable} from '#server/views/custom-emoji.ts';
import {domainView} from '#server/views/domain.ts';
import {linkifierViews} from '#server/views/linkifier.ts';
import {profileFieldViews} from '#server/views/profile-field.ts';
import {endpoints} from '#wire/endpoints.ts';

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
