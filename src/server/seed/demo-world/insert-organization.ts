import {addLinkifier} from '#server/actions/organization/linkifiers.ts';
import type {ActionContext} from '#server/context.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {organizationDefaults} from '#server/organization/organization-settings.ts';
import {emojiFolder} from '#server/views/custom-emoji.ts';
import {DemoDataError, type SourcePosition, withSourcePosition} from './demo-data-error.ts';
import type {DemoRows} from './demo-rows.ts';
import type {WorldFile} from './world-file.ts';

const daySeconds = 86_400;
const positionOf = (path: string): SourcePosition => ({file: 'world.json', position: path});

export function insertSettings(act: ActionContext, {organization}: WorldFile): void {
  const createdAt = act.now - organization.created_days_ago * daySeconds;
  act.db.run(`UPDATE meta SET value = ? WHERE key = 'created_at'`, String(createdAt));
  act.db.run('UPDATE user SET joined_at = ? WHERE is_system_bot = 1', createdAt);
  for (const [name, value] of Object.entries(organization.settings)) {
    if (!Object.hasOwn(organizationDefaults, name)) {
      throw new DemoDataError(positionOf('organization.settings'), `“${name}” is not a setting`);
    }
    insertSetting(act, name, value);
  }
}

/** Sets the channels of the server's announcements; the channels must exist. */
export function insertAnnouncementChannels(act: ActionContext, {organization}: WorldFile, rows: DemoRows): void {
  const source = positionOf('organization');
  const idOf = (key: string) => rows.channelByKey(key, source).id;
  insertSetting(act, 'new_stream_announcements_stream_id', idOf(organization.new_channel_announcements));
  insertSetting(act, 'signup_announcements_stream_id', idOf(organization.signup_announcements));
}

function insertSetting(act: ActionContext, name: string, value: unknown): void {
  act.db.run('INSERT OR REPLACE INTO realm_setting (name, value) VALUES (?, ?)', name, JSON.stringify(value));
}

/** Inserts the custom profile fields and returns their ids by key. */
export function insertProfileFields(act: ActionContext, {profile_fields}: WorldFile): Map<string, number> {
  return new Map(
    profile_fields.map((field, index) => [
      field.key,
      act.db.insert(
        `INSERT INTO profile_field (name, hint, type, field_data, sort_order, display_in_profile_summary)
         VALUES (?, ?, ?, ?, ?, ?)`,
        field.name,
        field.hint,
        field.type,
        field.field_data === '' ? '' : JSON.stringify(field.field_data),
        index + 1,
        field.display_in_profile_summary ? 1 : 0,
      ),
    ]),
  );
}

/** Returns the path of a custom emoji's image in the file store. */
export function emojiPath(file: string): string {
  return `${emojiFolder}/${file}`;
}

export function insertCustomEmoji(act: ActionContext, {custom_emoji}: WorldFile, rows: DemoRows): void {
  for (const {name, file, author} of custom_emoji) {
    const authorId = rows.user(author, positionOf(`custom_emoji.${name}`)).id;
    act.db.run('INSERT INTO realm_emoji (name, author_id, file) VALUES (?, ?, ?)', name, authorId, emojiPath(file));
  }
}

export function insertLinkifiers(act: ActionContext, {linkifiers}: WorldFile): void {
  for (const linkifier of linkifiers) {
    withSourcePosition(positionOf(`linkifiers.${linkifier.pattern}`), () =>
      addLinkifier(act, {
        pattern: linkifier.pattern,
        url_template: linkifier.url_template,
        example_input: linkifier.example_input,
        reverse_template: linkifier.reverse_template,
        alternative_url_templates: undefined,
      }),
    );
  }
}

export function insertGroups(act: ActionContext, {groups}: WorldFile, rows: DemoRows, owner: UserRow): void {
  const ids = new Map<string, number>();
  for (const group of groups) {
    const source = positionOf(`groups.${group.key}`);
    const id = act.db.insert(
      `INSERT INTO user_group (name, name_key, description, created_at, creator_id) VALUES (?, ?, ?, ?, ?)`,
      group.name,
      fold(group.name),
      group.description,
      owner.joined_at,
      owner.id,
    );
    ids.set(group.key, id);
    for (const member of group.members) {
      const userId = rows.user(member, source).id;
      act.db.run('INSERT INTO group_member (group_id, user_id) VALUES (?, ?)', id, userId);
    }
    for (const key of group.subgroups) {
      const subgroup = ids.get(key);
      if (subgroup === undefined) throw new DemoDataError(source, `there is no earlier group “${key}”`);
      act.db.run('INSERT INTO group_subgroup (group_id, subgroup_id) VALUES (?, ?)', id, subgroup);
    }
  }
}
