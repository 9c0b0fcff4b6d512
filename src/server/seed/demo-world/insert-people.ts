import {checkedSetting, isSettingName} from '#server/accounts/user-setting-values.ts';
import {resolveEmoji} from '#server/actions/inputs/resolve-emoji.ts';
import {setProfileData} from '#server/actions/users/profile-data.ts';
import type {ActionContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {Role} from '#server/permissions/system-groups.ts';
import {DemoDataError, type SourcePosition, withSourcePosition} from './demo-data-error.ts';
import type {DemoRows} from './demo-rows.ts';
import type {PersonEntry, WorldFile} from './world-file.ts';

const dayS = 86_400;
const botTypes = {generic: 1, incoming_webhook: 2, outgoing: 3, embedded: 4} as const;
/** How long ago people were active who are away from the keyboard, and who are gone for days. */
const idleForS = 20 * 60;
const goneForS = 2 * dayS;

const at = (part: string): SourcePosition => ({file: 'world.json', place: part});

export function insertPeople(act: ActionContext, world: WorldFile, cast: DemoRows): void {
  for (const person of world.people) {
    const source = at(`people.${person.key}`);
    cast.addUser(person.key, insertPerson(act, person, source), source, person.you);
  }
  for (const bot of world.bots) {
    const source = at(`bots.${bot.key}`);
    cast.addUser(bot.key, bot.system ? systemBot(act, bot.email, source) : insertBot(act, bot, cast), source);
  }
}

function insertPerson(act: ActionContext, person: PersonEntry, source: SourcePosition): number {
  for (const [name, value] of Object.entries(person.settings)) {
    if (!isSettingName(name)) throw new DemoDataError(source, `“${name}” is not a setting`);
    withSourcePosition(source, () => checkedSetting(name, value));
  }
  return act.db.insert(
    `INSERT INTO user (delivery_email, email_key, full_name, name_key, role, is_active, timezone, settings, joined_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    person.email,
    fold(person.email),
    person.full_name,
    fold(person.full_name),
    Role[person.role],
    person.deactivated ? 0 : 1,
    person.timezone,
    JSON.stringify(person.settings),
    act.now - person.joined_days_ago * dayS,
  );
}

function insertBot(act: ActionContext, bot: WorldFile['bots'][number], cast: DemoRows): number {
  const source = at(`bots.${bot.key}`);
  const owner = cast.user(bot.owner ?? '', source);
  return act.db.insert(
    `INSERT INTO user (delivery_email, email_key, full_name, name_key, is_bot, bot_type, bot_owner_id, joined_at)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?)`,
    bot.email,
    fold(bot.email),
    bot.full_name,
    fold(bot.full_name),
    botTypes[bot.kind],
    owner.id,
    owner.joined_at,
  );
}

/** The server has its own already. */
function systemBot(act: ActionContext, email: string, source: SourcePosition): number {
  const user = findUserByEmail(act.db, email);
  if (user?.is_system_bot !== 1) throw new DemoDataError(source, `no system bot has the address ${email}`);
  return user.id;
}

/** What people say about themselves; needs the profile fields and custom emoji to be there. */
export function insertProfiles(
  act: ActionContext,
  {people}: WorldFile,
  cast: DemoRows,
  fieldIds: ReadonlyMap<string, number>,
): void {
  for (const person of people) {
    const source = at(`people.${person.key}`);
    const user = cast.user(person.key, source);
    const data = Object.entries(person.profile).map(([key, value]) => {
      const id = fieldIds.get(key);
      if (id === undefined) throw new DemoDataError(source, `there is no profile field “${key}”`);
      return {id, value: typeof value === 'string' ? value : value.map((name) => cast.user(name, source).id)};
    });
    withSourcePosition(source, () => setProfileData(act, user, user, data));
    insertStatus(act, person, user.id, source);
    insertPresence(act, person, user.id);
  }
}

function insertStatus(
  act: ActionContext,
  {status}: PersonEntry,
  userId: number,
  source: SourcePosition,
): void {
  if (status === undefined) return;
  const emoji = withSourcePosition(source, () => resolveEmoji(act, {emoji_name: status.emoji_name}));
  act.db.run(
    `INSERT INTO user_status (user_id, status_text, emoji_name, emoji_code, reaction_type) VALUES (?, ?, ?, ?, ?)`,
    userId,
    status.text,
    emoji.emoji_name,
    emoji.emoji_code,
    emoji.reaction_type,
  );
}

function insertPresence(act: ActionContext, {presence, deactivated}: PersonEntry, userId: number): void {
  if (deactivated) return;
  const {now} = act;
  const [activeAt, idleAt] =
    presence === 'active'
      ? [now, now]
      : presence === 'idle'
        ? [now - idleForS, now]
        : presence === 'offline'
          ? [now - goneForS, now - goneForS]
          : [now - presence * 60, now - presence * 60];
  act.db.run(
    `INSERT INTO presence (user_id, active_at, idle_at, update_id)
     SELECT ?, ?, ?, COALESCE(MAX(update_id), 0) + 1 FROM presence`,
    userId,
    activeAt,
    idleAt,
  );
}
