import type {OrganizationSettings} from '#server/organization/organization-settings.ts';

/** The path of the icon of organizations that uploaded none; `web/images.ts` serves it. */
export const iconPath = '/static/images/organization-icon.svg';

/** The folder of the organization's icon and logos in the file store. */
export const imageFolder = '1/realm';

/** Returns where an image of the organization is, and whether it was uploaded (`U`). */
export function organizationImage(settings: OrganizationSettings, image: 'icon' | 'logo' | 'night_logo') {
  const file = settings[`${image}_file`];
  if (file !== null) return {url: `/user_avatars/${file}`, source: 'U'};
  return {url: iconPath, source: image === 'icon' ? 'G' : 'D'};
}
