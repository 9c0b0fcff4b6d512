import {passwordLink} from '#server/accounts/password.ts';
import type {ActionContext} from '#server/context.ts';
import {findInvite} from '#server/db/organization-items.ts';
import {findUser} from '#server/db/users.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {inviteUrl} from '#server/views/organization-items.ts';
import type {Mail, QueuedMail} from './mailer.ts';

/** Returns the mail of an invitation that is still valid. */
export function invitationMail(
  {db, server, now}: ActionContext,
  {invite_id: id = 0}: QueuedMail['about'],
): Mail | undefined {
  const invite = findInvite(db, id, now);
  const inviter = findUser(db, invite?.invited_by ?? 0);
  if (invite?.email == null || inviter === undefined) return undefined;
  const {name} = organization({server});
  return {
    to: invite.email,
    subject: `${inviter.full_name} invited you to ${name}`,
    text: `Hello,

${inviter.full_name} (${inviter.delivery_email}) invited you to ${name}, which talks with Parley.

To join, open this page and choose a name and a password:

${inviteUrl(server, invite.link_key)}

If you do not know what this is about, ignore this e-mail.
`,
  };
}

/** Returns the mail with a link to set a password. */
export function passwordMail({db, server}: ActionContext, {user_id: id = 0}: QueuedMail['about']): Mail | undefined {
  const user = findUser(db, id);
  if (user === undefined || user.is_active === 0) return undefined;
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
