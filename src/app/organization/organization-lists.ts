import {administrationList, exportList} from './data-exports.ts';
import {defaultChannelList} from './default-channels.ts';
import {domainList} from './domains.ts';
import {emojiList} from './emoji-form.ts';
import {folderList} from './folders.ts';
import {linkifierList} from './linkifier-form.ts';
import type {OrganizationList} from './organization-list.ts';
import {profileFieldList} from './profile-field-form.ts';

/** The lists of the organization, in the order of its menu. */
export const organizationLists: readonly OrganizationList[] = [
  linkifierList,
  domainList,
  profileFieldList,
  emojiList,
  folderList,
  defaultChannelList,
  exportList,
  administrationList,
];
