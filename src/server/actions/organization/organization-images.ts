import {randomUUID} from 'node:crypto';
import type {ActionContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';
import type {AsyncRequestContext} from '#server/http/route.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {checkedImageFormat} from '#server/uploads/image.ts';
import {imageFolder, organizationImage} from '#server/views/organization-image.ts';
import {storeOrganizationSetting} from './update-organization.ts';

export type OrganizationImage = 'icon' | 'logo' | 'night_logo';

/** Stores an uploaded icon or logo under a new name, so that caches do not show the old one. */
export async function uploadOrganizationImage(request: AsyncRequestContext, image: OrganizationImage): Promise<void> {
  const {upload, server} = request;
  if (upload === undefined) {
    throw badRequest(`You must upload exactly one ${image === 'icon' ? 'icon' : 'logo'}.`);
  }
  const file = `${imageFolder}/${randomUUID()}.${checkedImageFormat(upload).extension}`;
  await upload.file.keep(file);
  try {
    request.runAction((call) => setImage(call, image, file));
  } catch (error) {
    await server.files.delete(file);
    throw error;
  }
}

export function removeOrganizationImage(act: ActionContext, image: OrganizationImage): void {
  setImage(act, image, null);
}

function setImage(act: ActionContext, image: OrganizationImage, file: string | null): void {
  const before = organization(act)[`${image}_file`];
  storeOrganizationSetting(act, `${image}_file`, file);
  if (before !== null) act.afterCommit(() => void act.server.files.delete(before).catch(() => {}));
  const {url, source} = organizationImage(organization(act), image);
  const data = {[`${image}_url`]: url, [`${image}_source`]: source};
  act.emit({type: 'realm', to: 'everyone', body: {op: 'update_dict', property: image, data}});
}
