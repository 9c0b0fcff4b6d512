import {settingSql, userSettings} from '#server/accounts/user-settings.ts';
import {BackgroundTask, type Log} from '#server/background-task.ts';
import type {ActionContext, SentMessage, ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {Flag, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {flagsByUserSql, flagsSql} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import {organization, topicDisplayName} from '#server/permissions/has-permission.ts';
import {canReadMessage} from '#server/permissions/read-message.ts';
import {canAccessUser} from '#server/permissions/user-access.ts';
import {messageLinks} from '#server/views/message-details.ts';
import {unknownUserName} from '#server/views/user.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import type {Mail, Mailer, QueuedMail} from './mailer.ts';

/** Who was active within this time sees the message without a mail, as on Zulip's servers. */
const idleAfterSeconds = 140;
const maxSleepMs = 60_000;

const {muted, unmuted, followed} = visibilityPolicies;
const isMutedSql = `(coalesce(t.policy, 0) = ${muted}
  OR (s.is_muted = 1 AND coalesce(t.policy, 0) NOT IN (${unmuted}, ${followed})))`;

/**
 * Notes the users who are to be told by mail about the message ?1: those who have it unread, are away, and whose settings
 * ask for it. The mail waits for the user's own time, so that it has what follows too.
 */
const noteSql = /* sql */ `
  INSERT OR IGNORE INTO missed_message (user_id, message_id, due_at)
  SELECT user.id, ?1, ?2 + ${settingSql('email_notifications_batching_period_seconds')}
  FROM ${flagsByUserSql} AS f
  JOIN message AS m ON m.id = ?1
  JOIN user ON user.id = f.user_id
  LEFT JOIN subscription AS s ON s.user_id = user.id AND s.channel_id = m.channel_id
  LEFT JOIN user_topic AS t ON t.user_id = user.id AND t.channel_id = m.channel_id AND t.topic_key = m.topic_key
  LEFT JOIN presence AS p ON p.user_id = user.id
  WHERE f.flags & ${Flag.unread} AND user.is_active = 1 AND user.is_bot = 0 AND user.id <> m.sender_id
    AND coalesce(p.active_at, 0) < ?2 - ${idleAfterSeconds}
    AND (
      (${settingSql('enable_offline_email_notifications')} AND (
        m.dm_id IS NOT NULL
        OR f.flags & ${Flag.mentioned}
        OR (f.flags & ${Flag.channelWildcard | Flag.topicWildcard} AND NOT ${isMutedSql}
          AND coalesce(s.wildcard_mentions_notify, ${settingSql('wildcard_mentions_notify')}))
      ))
      OR (t.policy = ${followed} AND ${settingSql('enable_followed_topic_email_notifications')})
      OR (coalesce(s.email_notifications, ${settingSql('enable_stream_email_notifications')}) AND NOT ${isMutedSql})
    )`;

/** Mails people who are away their unread messages, by their settings. What waits is on disk, so a restart loses nothing. */
export function startMissedMessageMail(server: ServerContext, mailer: Mailer, log: Log): {stop(): void} {
  const {clock} = server;

  function nextDelay(): number | undefined {
    const dueAt = server.db.value<number | null>('SELECT MIN(due_at) FROM missed_message');
    return dueAt == null ? undefined : Math.min(Math.max(0, dueAt * 1000 - clock.now()), maxSleepMs);
  }

  const task = new BackgroundTask({clock, log, name: 'Mail about missed messages'}, () => {
    const now = Math.floor(clock.now() / 1000);
    const due = server.db.pluck('SELECT DISTINCT user_id FROM missed_message WHERE due_at <= ?', now);
    for (const id of due) server.runAction((act) => mailMissed(act, mailer, id));
    return nextDelay();
  });
  const listener = ({row}: SentMessage) =>
    task.attempt(() => {
      server.runAction((act) => act.db.run(noteSql, row.id, act.now));
      return nextDelay();
    });
  server.messageListeners.add(listener);
  task.schedule(nextDelay());
  return {
    stop() {
      task.stop();
      server.messageListeners.delete(listener);
    },
  };
}

/** Queues mails to a user about the noted messages that are still unread, one for each conversation. */
function mailMissed(act: ActionContext, mailer: Mailer, userId: number): void {
  const {db} = act;
  const sql = `SELECT m.* FROM missed_message AS x JOIN message AS m ON m.id = x.message_id
    WHERE x.user_id = ?1 AND ${flagsSql('?1')} & ${Flag.unread} ORDER BY m.id`;
  const rows = db.all<MessageRow>(sql, userId);
  db.deleteRows('missed_message', {user_id: userId});
  const user = findUser(db, userId);
  if (user === undefined || user.is_active === 0) return;
  const readable = rows.filter((row) => canReadMessage(act, user, row));
  const conversations = Map.groupBy(
    readable,
    ({channel_id, dm_id, topic_key}) => `${channel_id} ${dm_id} ${topic_key}`,
  );
  for (const messages of conversations.values()) {
    const about = {user_id: userId, message_ids: messages.map(({id}) => id)};
    mailer.queue(act, {kind: 'missed', recipient: user.delivery_email, about});
  }
}

/** Returns the mail about messages of one conversation, as far as the user still has them unread. */
export function missedMessageMail(act: ActionContext, about: QueuedMail['about']): Mail | undefined {
  const {server, db} = act;
  const {user_id: userId = 0, message_ids: ids = []} = about;
  const user = findUser(db, userId);
  if (user === undefined || user.is_active === 0) return undefined;
  const sql = `SELECT m.* FROM json_each(?2) AS x JOIN message AS m ON m.id = x.value
    WHERE ${flagsSql('?1')} & ${Flag.unread} ORDER BY m.id`;
  const messages = db.all<MessageRow>(sql, userId, JSON.stringify(ids)).filter((row) => canReadMessage(act, user, row));
  const [first] = messages;
  if (first === undefined) return undefined;
  const hasContent =
    userSettings(user).message_content_in_email_notifications &&
    organization(act).message_content_allowed_in_email_notifications;
  const senderOf = (row: MessageRow) => {
    const sender = findUser(server.db, row.sender_id);
    return sender !== undefined && canAccessUser(act, user, sender) ? sender.full_name : unknownUserName;
  };
  const place = placeOf(server, user, first);
  const text = hasContent
    ? messages.map((row) => `${senderOf(row)}:\n\n${row.content}\n`).join('\n')
    : `You have ${messages.length === 1 ? 'an unread message' : `${messages.length} unread messages`} there. This e-mail has no texts, by a setting of yours or of the organization.\n`;
  return {
    to: user.delivery_email,
    subject: place,
    text: `${text}
--
${organization({server}).name}: ${place}
${messageLinks(server, first).message_url}

You get this e-mail because you were away. “parley settings” has “enable_offline_email_notifications” to end it.
`,
  };
}

function placeOf(server: ServerContext, user: UserRow, row: MessageRow): string {
  if (row.channel_id !== null) {
    const topic = topicDisplayName({server}, row.topic, false);
    return `#${findChannel(server.db, row.channel_id)?.name ?? ''} > ${topic}`;
  }
  const sql = `SELECT u.full_name FROM dm_member AS d JOIN user AS u ON u.id = d.user_id
    WHERE d.dm_id = ? AND u.id <> ? ORDER BY u.name_key`;
  return `Direct messages with ${server.db.pluck<string>(sql, row.dm_id, user.id).join(', ')}`;
}
