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

const daySeconds = 86_400;
const botTypes = {generic: 1, incoming_webhook: 2, outgoing: 3, embedded: 4} as const;
/** The time since the last activity of idle and of offline people. */
const idleSeconds = 20 * 60;
const offlineSeconds = 2 * daySeconds;

const positionOf = (path: string): SourcePosition => ({file: 'world.json', position: path});

export function insertPeople(act: ActionContext, world: WorldFile, rows: DemoRows): void {
  for (const person of world.people) {
    const source = positionOf(`people.${person.key}`);
    rows.addUser(person.key, insertPerson(act, person, source), source, person.you);
  }
  for (const bot of world.bots) {
    const source = positionOf(`bots.${bot.key}`);
    rows.addUser(bot.key, bot.system ? systemBot(act, bot.email, source) : insertBot(act, bot, rows), source);
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
    act.now - person.joined_days_ago * daySeconds,
  );
}

function insertBot(act: ActionContext, bot: WorldFile['bots'][number], rows: DemoRows): number {
  const source = positionOf(`bots.${bot.key}`);
  const owner = rows.user(bot.owner ?? '', source);
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

/** Returns the id of a system bot, which the server has already created. */
function systemBot(act: ActionContext, email: string, source: SourcePosition): number {
  const user = findUserByEmail(act.db, email);
  if (user?.is_system_bot !== 1) throw new DemoDataError(source, `no system bot has the address ${email}`);
  return user.id;
}

/** Inserts profiles, statuses and presence; the profile fields and custom emoji must exist. */
export function insertProfiles(
  act: ActionContext,
  {people}: WorldFile,
  rows: DemoRows,
  fieldIds: ReadonlyMap<string, number>,
): void {
  for (const person of people) {
    const source = positionOf(`people.${person.key}`);
    const user = rows.user(person.key, source);
    const data = Object.entries(person.profile).map(([key, value]) => {
      const id = fieldIds.get(key);
      if (id === undefined) throw new DemoDataError(source, `there is no profile field “${key}”`);
      return {id, value: typeof value === 'string' ? value : value.map((name) => rows.user(name, source).id)};
    });
    withSourcePosition(source, () => setProfileData(act, user, user, data));
    insertStatus(act, person, user.id, source);
    insertPresence(act, person, user.id);
  }
}

function insertStatus(act: ActionContext, {status}: PersonEntry, userId: number, source: SourcePosition): void {
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
        ? [now - idleSeconds, now]
        : presence === 'offline'
          ? [now - offlineSeconds, now - offlineSeconds]
          : [now - presence * 60, now - presence * 60];
  act.db.run(
    `INSERT INTO presence (user_id, active_at, idle_at, update_id)
     SELECT ?, ?, ?, COALESCE(MAX(update_id), 0) + 1 FROM presence`,
    userId,
    activeAt,
    idleAt,
  );
}
