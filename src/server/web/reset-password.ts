import type {ServerContext} from '#server/context.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {isSameOrigin} from '#server/http/request-address.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/http/route.ts';
import {passwordMail} from '#server/mail/mails.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {html, htmlPage} from './html-page.ts';

const path = '/accounts/password/reset';

/** The page for people who forgot their password: a mail with a link, or whom to ask for one. */
export const resetPasswordWebRoutes: readonly WebRoute[] = [
  {method: 'GET', path, run: async ({server}) => formPage(server)},
  {method: 'POST', path, run: async (request) => sendLink(request), limit: 'byAddress'},
];

function formPage(server: ServerContext): WebResponse {
  const {name} = organization({server});
  if (server.mail === undefined) return noMailPage(name);
  const body = html`<h1>A new password for ${name}</h1>
<form method="post">
<label for="email">E-mail address of your account</label>
<input id="email" name="email" required type="email" autocomplete="username">
<button>Send me a link</button>
</form>`;
  return htmlPage(200, `A new password for ${name}`, body);
}

function noMailPage(name: string): WebResponse {
  const body = html`<h1>This server sends no e-mail</h1>
<p>Ask the people who run ${name} for a link with which you can set a new password. They get it with:</p>
<pre>parley serve user link EMAIL --data DIR</pre>`;
  return htmlPage(501, 'This server sends no e-mail', body);
}

/** A user gets at most one mail in this time, whoever asks for it. */
const pauseMs = 300_000;
const lastSentByServer = new WeakMap<ServerContext, Map<number, number>>();

/** The answer is the same whether there is such an account. */
function sendLink({server, headers, body}: WebRequest): WebResponse {
  const {name} = organization({server});
  if (server.mail === undefined) return noMailPage(name);
  if (!isSameOrigin(server, headers)) {
    return htmlPage(403, 'Not sent', html`<h1>This form was sent from another site</h1><p>Open the page again.</p>`);
  }
  const email = new URLSearchParams(body).get('email')?.trim() ?? '';
  const user = findUserByEmail(server.db, email);
  const lastSent = lastSentByServer.get(server) ?? new Map<number, number>();
  lastSentByServer.set(server, lastSent);
  const now = server.clock.monotonic();
  if (user?.is_active === 1 && user.is_bot === 0 && now - (lastSent.get(user.id) ?? -pauseMs) >= pauseMs) {
    lastSent.set(user.id, now);
    server.mail.send(passwordMail(server, user));
  }
  const text = html`<h1>Look into your mailbox</h1>
<p>If ${email} has an account at ${name}, a link to set a new password is on its way.</p>`;
  return htmlPage(200, 'Look into your mailbox', text);
}
