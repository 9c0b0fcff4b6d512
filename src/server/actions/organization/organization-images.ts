import {randomUUID} from 'node:crypto';
import {keepUpload} from '#server/actions/uploads/attachments.ts';
import type {ActionContext, ServerAccess} from '#server/context.ts';
import {required} from '#server/errors.ts';
import {organization, storeOrganizationSetting} from '#server/permissions/has-permission.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route} from '#server/route.ts';
import {checkedImageFormat} from '#server/uploads/image.ts';
import {imageFolder, organizationImage} from '#server/views/organization-items.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

export const organizationImageRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadIcon, 'admin', async (request) => {
    await uploadOrganizationImage(request, 'icon');
    return iconUrl(request);
  }),
  route(endpoints.removeIcon, 'admin', (call) => {
    setImage(call, 'icon', null);
    return iconUrl(call);
  }),
  asyncRoute(
    otherEndpoints.uploadLogo,
    'admin',
    async (request, {night}) => await uploadOrganizationImage(request, night ? 'night_logo' : 'logo'),
  ),
  route(otherEndpoints.removeLogo, 'admin', (call, {night}) => setImage(call, night ? 'night_logo' : 'logo', null)),
];

type OrganizationImage = 'icon' | 'logo' | 'night_logo';

const iconUrl = (act: ServerAccess) => ({
  icon_url: organizationImage(organization(act), 'icon').url,
});

/** Stores an uploaded icon or logo under a new name, so that caches do not show the old one. */
async function uploadOrganizationImage(request: AsyncRequestContext, image: OrganizationImage): Promise<void> {
  const upload = required(request.upload, `You must upload exactly one ${image === 'icon' ? 'icon' : 'logo'}.`);
  const file = `${imageFolder}/${randomUUID()}.${checkedImageFormat(upload).extension}`;
  await keepUpload(request, upload, file, (call) => setImage(call, image, file));
}

function setImage(act: ActionContext, image: OrganizationImage, file: string | null): void {
  const before = organization(act)[`${image}_file`];
  storeOrganizationSetting(act, `${image}_file`, file);
  if (before !== null) act.afterCommit(() => void act.server.files.delete(before).catch(() => {}));
  const {url, source} = organizationImage(organization(act), image);
  const data = {[`${image}_url`]: url, [`${image}_source`]: source};
  act.emit('realm', 'everyone', {op: 'update_dict', property: image, data});
}
