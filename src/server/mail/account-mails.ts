import {passwordLink} from '#server/accounts/password.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {organization} from '#server/permissions/has-permission.ts';
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
