import {passwordLink} from '#server/accounts/password.ts';
import type {ServerContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {messageLinks} from '#server/views/message-details.ts';
import {inviteUrl} from '#server/views/organization-items.ts';
import type {Mail} from './mailer.ts';

export function invitationMail(server: ServerContext, inviter: UserRow, invite: {email: string; key: string}): Mail {
  const {name} = organization({server});
  return {
    to: invite.email,
    subject: `${inviter.full_name} invited you to ${name}`,
    text: `Hello,

${inviter.full_name} (${inviter.delivery_email}) invited you to ${name}, which talks with Parley.

To join, open this page and choose a name and a password:

${inviteUrl(server, invite.key)}

If you do not know what this is about, ignore this e-mail.
`,
  };
}

export function passwordMail(server: ServerContext, user: UserRow): Mail {
  const {name} = organization({server});
  return {
    to: user.delivery_email,
    subject: `Your password for ${name}`,
    text: `Hello ${user.full_name},

somebody, probably you, asked for a new password for ${user.delivery_email} at ${name}. To choose one, open this page. It works once,
for three days:

${passwordLink(server, user).url}

If it was not you, ignore this e-mail: your password stays as it is.
`,
  };
}

/** Returns the mail about unread messages of one conversation. */
export function missedMessageMail(
  server: ServerContext,
  user: UserRow,
  messages: readonly [MessageRow, ...MessageRow[]],
  hasContent: boolean,
): Mail {
  const [first] = messages;
  const place = placeOf(server, user, first);
  const text = hasContent
    ? messages.map((row) => `${findUser(server.db, row.sender_id)?.full_name ?? ''}:\n\n${row.content}\n`).join('\n')
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
    const topic = row.topic === '' ? organization({server}).empty_topic_display_name : row.topic;
    return `#${findChannel(server.db, row.channel_id)?.name ?? ''} > ${topic}`;
  }
  const sql = `SELECT u.full_name FROM dm_member AS d JOIN user AS u ON u.id = d.user_id
    WHERE d.dm_id = ? AND u.id <> ? ORDER BY u.name_key`;
  return `Direct messages with ${server.db.pluck<string>(sql, row.dm_id, user.id).join(', ')}`;
}
