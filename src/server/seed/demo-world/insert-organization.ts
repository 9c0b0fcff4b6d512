import {addLinkifier} from '#server/actions/organization/linkifiers.ts';
import type {ActionContext} from '#server/context.ts';
import {fold, type UserRow} from '#server/db/rows.ts';
import {organizationDefaults} from '#server/organization/organization-settings.ts';
import {emojiFolder} from '#server/views/custom-emoji.ts';
import {DemoDataError, type SourcePosition, withSourcePosition} from './demo-data-error.ts';
import type {DemoRows} from './demo-rows.ts';
import type {WorldFile} from './world-file.ts';

const dayS = 86_400;
const at = (part: string): SourcePosition => ({file: 'world.json', place: part});

export function insertSettings(act: ActionContext, {organization}: WorldFile): void {
  const createdAt = act.now - organization.created_days_ago * dayS;
  act.db.run(`UPDATE meta SET value = ? WHERE key = 'created_at'`, String(createdAt));
  act.db.run('UPDATE user SET joined_at = ? WHERE is_system_bot = 1', createdAt);
  for (const [name, value] of Object.entries(organization.settings)) {
    if (!Object.hasOwn(organizationDefaults, name)) {
      throw new DemoDataError(at('organization.settings'), `“${name}” is not a setting`);
    }
    insertSetting(act, name, value);
  }
}

/** Which channels the server announces things in; needs the channels. */
export function insertAnnouncementChannels(
  act: ActionContext,
  {organization}: WorldFile,
  cast: DemoRows,
): void {
  const source = at('organization');
  const idOf = (key: string) => cast.channelByKey(key, source).id;
  insertSetting(act, 'new_stream_announcements_stream_id', idOf(organization.new_channel_announcements));
  insertSetting(act, 'signup_announcements_stream_id', idOf(organization.signup_announcements));
}

function insertSetting(act: ActionContext, name: string, value: unknown): void {
  act.db.run('INSERT OR REPLACE INTO realm_setting (name, value) VALUES (?, ?)', name, JSON.stringify(value));
}

/** Ids of the custom profile fields by their key in the data. */
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

/** Where the picture of a custom emoji lies in the file store. */
export function emojiPath(file: string): string {
  return `${emojiFolder}/${file}`;
}

export function insertCustomEmoji(act: ActionContext, {custom_emoji}: WorldFile, cast: DemoRows): void {
  for (const {name, file, author} of custom_emoji) {
    const authorId = cast.user(author, at(`custom_emoji.${name}`)).id;
    act.db.run(
      'INSERT INTO realm_emoji (name, author_id, file) VALUES (?, ?, ?)',
      name,
      authorId,
      emojiPath(file),
    );
  }
}

export function insertLinkifiers(act: ActionContext, {linkifiers}: WorldFile, owner: UserRow): void {
  for (const linkifier of linkifiers) {
    withSourcePosition(at(`linkifiers.${linkifier.pattern}`), () =>
      addLinkifier(act, owner, {
        pattern: linkifier.pattern,
        url_template: linkifier.url_template,
        example_input: linkifier.example_input,
        reverse_template: linkifier.reverse_template,
        alternative_url_templates: undefined,
      }),
    );
  }
}

export function insertGroups(act: ActionContext, {groups}: WorldFile, cast: DemoRows, owner: UserRow): void {
  const ids = new Map<string, number>();
  for (const group of groups) {
    const source = at(`groups.${group.key}`);
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
      const userId = cast.user(member, source).id;
      act.db.run('INSERT INTO group_member (group_id, user_id) VALUES (?, ?)', id, userId);
    }
    for (const key of group.subgroups) {
      const subgroup = ids.get(key);
      if (subgroup === undefined) throw new DemoDataError(source, `there is no earlier group “${key}”`);
      act.db.run('INSERT INTO group_subgroup (group_id, subgroup_id) VALUES (?, ?)', id, subgroup);
    }
  }
}
