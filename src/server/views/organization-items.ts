import {basename} from 'node:path';
import type {ServerAccess, ServerContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {
  type AttachmentRow,
  type CustomEmojiRow,
  customEmojiRows,
  type DomainRow,
  type FolderRow,
  type InviteRow,
  linkifierRows,
  linkingMessageIds,
  listProfileFields,
  type ProfileFieldRow,
} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {OrganizationSettings} from '#server/organization/organization-settings.ts';
import {Role} from '#server/organization/permission-rules.ts';
import {isOwner} from '#server/permissions/has-permission.ts';
import type {WireFolder} from '#wire/objects/channel.ts';
import type {Domain, EmojiTable, WireEmoji, WireLinkifier} from '#wire/objects/organization.ts';
import type {WireAttachment} from '#wire/objects/personal.ts';
import {type Invite, profileFieldTypes, type WireProfileField} from '#wire/objects/user.ts';

/** The folder of custom emoji images in the file store. */
export const emojiFolder = '1/emoji/images';
/** The folder, in addresses only, of the first frames of animated images. */
export const stillFolder = `${emojiFolder}/still`;
/** The end of the names of animated GIFs. Of other animated images there is no still one: that would need a decoder. */
export const animatedGif = '-animated.gif';

export function customEmojiView(row: CustomEmojiRow): WireEmoji {
  return {
    id: String(row.id),
    name: row.name,
    source_url: `/user_avatars/${row.file}`,
    still_url: row.file.endsWith(animatedGif) ? `/user_avatars/${stillFolder}/${basename(row.file)}` : null,
    deactivated: row.deactivated === 1,
    author_id: row.author_id,
  };
}

export function customEmojiTable(server: Pick<ServerContext, 'derivedFacts'>): EmojiTable {
  return Object.fromEntries(server.derivedFacts.get(customEmojiRows).map((row) => [row.id, customEmojiView(row)]));
}

export function domainView(row: DomainRow): Domain {
  return {domain: row.domain, allow_subdomains: row.allow_subdomains === 1};
}

export function folderView(act: ServerAccess, folder: FolderRow): WireFolder {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: act.server.renderer.descriptionHtml(folder.description),
    order: folder.sort_order,
    date_created: folder.created_at,
    creator_id: folder.creator_id,
    is_archived: folder.is_archived === 1,
  };
}

export function inviteUrl(server: Pick<ServerContext, 'url'>, key: string): string {
  return `${server.url}/join/${key}`;
}

/** Returns whether the viewer may have the link: with the link of an owner's invitation, anybody becomes an owner. */
export function canHaveLink(viewer: UserRow, {invited_as}: InviteRow): boolean {
  return invited_as !== Role.owner || isOwner(viewer);
}

/**
 * Returns an invitation for the list. The link of an invitation by e-mail is not in it: whoever has the link is taken for
 * the owner of the address.
 */
export function inviteView(server: Pick<ServerContext, 'url'>, viewer: UserRow, invite: InviteRow): Invite {
  const isLink = invite.email === null;
  return {
    id: invite.id,
    invited_by_user_id: invite.invited_by,
    invited: invite.created_at,
    expiry_date: invite.expires_at,
    invited_as: invite.invited_as,
    is_multiuse: isLink,
    ...(isLink && canHaveLink(viewer, invite) && {link_url: inviteUrl(server, invite.link_key)}),
    ...(invite.email === null ? {} : {email: invite.email, notify_referrer_on_join: invite.notify_referrer === 1}),
  };
}

export function linkifierViews(server: Pick<ServerContext, 'derivedFacts'>): WireLinkifier[] {
  const rows = server.derivedFacts.get(linkifierRows);
  return rows.map((row) => ({...row, alternative_url_templates: JSON.parse(row.alternative_url_templates)}));
}

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

/** Returns a custom profile field as the API shows it: two of its flags are present only when they are set. */
function profileFieldView(row: ProfileFieldRow): WireProfileField {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    hint: row.hint,
    field_data: row.field_data,
    order: row.sort_order,
    required: row.required === 1,
    editable_by_user: row.editable_by_user === 1,
    ...(row.display_in_profile_summary === 1 ? {display_in_profile_summary: true} : {}),
    ...(row.use_for_user_matching === 1 ? {use_for_user_matching: true} : {}),
  };
}

export function profileFieldViews(db: Database): WireProfileField[] {
  return listProfileFields(db).map(profileFieldView);
}

/** The field types by the names that the API gives them. */
export const profileFieldTypeNames = {
  SHORT_TEXT: {id: profileFieldTypes.shortText, name: 'Short text'},
  PARAGRAPH: {id: profileFieldTypes.paragraph, name: 'Paragraph'},
  DROPDOWN: {id: profileFieldTypes.dropdown, name: 'Dropdown'},
  DATE: {id: profileFieldTypes.date, name: 'Date'},
  URL: {id: profileFieldTypes.url, name: 'Link'},
  USER: {id: profileFieldTypes.user, name: 'Users'},
  EXTERNAL_ACCOUNT: {id: profileFieldTypes.externalAccount, name: 'External account'},
  PRONOUNS: {id: profileFieldTypes.pronouns, name: 'Pronouns'},
};

/** Returns an uploaded file as the API shows it, with the ids of the messages that link to it. */
export function attachmentView({server}: ServerAccess, row: AttachmentRow): WireAttachment {
  return {
    id: row.id,
    name: row.name,
    path_id: row.path_id,
    size: row.size,
    create_time: row.created_at,
    message_ids: linkingMessageIds(server.db, row.id),
  };
}
