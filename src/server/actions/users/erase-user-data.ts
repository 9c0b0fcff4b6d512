import {emitUserUpdate} from '#server/actions/events/user-events.ts';
import {deleteMessages} from '#server/actions/messages/delete-message.ts';
import type {ActionContext} from '#server/context.ts';
import {fold, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {setAvatar} from './avatars.ts';
import {reloadUser} from './create-user.ts';
import {clearAllProfileData} from './profile-data.ts';
import {setUserStatus} from './user-status.ts';

/** The data that can be erased when an account is deactivated, by request parameter. */
const erasures = {
  delete_profile: eraseProfile,
  delete_public_channel_messages: (act: ActionContext, user: UserRow) => eraseMessages(act, user, 'c.invite_only = 0'),
  delete_private_channel_messages: (act: ActionContext, user: UserRow) => eraseMessages(act, user, 'c.invite_only = 1'),
  delete_direct_messages: (act: ActionContext, user: UserRow) => eraseMessages(act, user, 'm.dm_id IS NOT NULL'),
};

/** Runs the requested erasures. */
export function eraseUserData(act: ActionContext, user: UserRow, requested: Readonly<Record<string, unknown>>): void {
  for (const [name, run] of Object.entries(erasures)) if (requested[name] === true) run(act, user);
}

function eraseProfile(act: ActionContext, user: UserRow): void {
  const fullName = 'Deleted user';
  act.db.run('UPDATE user SET full_name = ?, name_key = ? WHERE id = ?', fullName, fold(fullName), user.id);
  emitUserUpdate(act, user, {full_name: fullName});
  if (user.avatar_file !== null) setAvatar(act, reloadUser(act, user.id), undefined);
  clearAllProfileData(act, user);
  setUserStatus(act, user, {status_text: '', emoji_name: ''});
}

function eraseMessages(act: ActionContext, user: UserRow, where: string): void {
  const messages = act.db.all<MessageRow & Record<string, unknown>>(
    `SELECT m.* FROM message AS m LEFT JOIN channel AS c ON c.id = m.channel_id
     WHERE m.sender_id = ? AND ${where} ORDER BY m.id`,
    user.id,
  );
  const conversations = Map.groupBy(
    messages,
    (message) => `${message.channel_id} ${message.dm_id} ${message.topic_key}`,
  );
  for (const conversation of conversations.values()) deleteMessages(act, conversation);
}
