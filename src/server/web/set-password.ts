import {passwordMaxLength, passwordMinLength} from '#server/accounts/password.ts';
import {passwordLinkPath, userOfPasswordLink} from '#server/accounts/password-link.ts';
import {updateAccount} from '#server/actions/users/update-account.ts';
import type {ServerContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/http/route.ts';
import {isSameOrigin} from '#server/http/same-origin.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {html, htmlPage} from './html-page.ts';
import {newPassword} from './join.ts';

/** The page on which a user sets a password, with a link that the operator of the server made. */
export const setPasswordWebRoutes: readonly WebRoute[] = [
  {method: 'GET', path: `${passwordLinkPath}/:token`, run: async (request) => showForm(request), limit: 'byAddress'},
  {method: 'POST', path: `${passwordLinkPath}/:token`, run: setPassword, limit: 'byAddress'},
];

function showForm({server, path}: WebRequest): WebResponse {
  const user = userOfPasswordLink(server, path.token ?? '');
  return user === undefined ? invalidLinkPage(server) : formPage(server, user, undefined);
}

async function setPassword({server, path, headers, body}: WebRequest): Promise<WebResponse> {
  if (!isSameOrigin(server, headers)) {
    return htmlPage(403, 'Not set', html`<h1>This form was sent from another site</h1><p>Open your link again.</p>`);
  }
  // Before the password is hashed, which is expensive.
  if (userOfPasswordLink(server, path.token ?? '') === undefined) return invalidLinkPage(server);
  const {hash: passwordHash, problem} = await newPassword(server, new URLSearchParams(body).get('password') ?? '');
  return server.runAction((act) => {
    const user = userOfPasswordLink(server, path.token ?? '');
    if (user === undefined) return invalidLinkPage(server);
    if (problem !== undefined) return formPage(server, user, problem);
    updateAccount(act, user, {settings: {}, fullName: undefined, email: undefined, passwordHash});
    return donePage(server, user);
  });
}

function formPage(server: ServerContext, user: UserRow, problem: string | undefined): WebResponse {
  const {name} = organization({server});
  const shown = html`<p class="problem" role="alert" id="password-problem">⚠ ${problem ?? ''}</p>`;
  const body = html`<h1>Set your password for ${name}</h1>
<form method="post">
<label for="email">E-mail address</label>
<input id="email" type="email" autocomplete="username" readonly value="${user.delivery_email}">
<label for="password">New password</label>
<small id="password-hint">At least ${passwordMinLength} characters.</small>
<input id="password" name="password" required type="password" autocomplete="new-password" minlength="${passwordMinLength}" maxlength="${passwordMaxLength}" aria-describedby="password-hint">
${problem === undefined ? undefined : shown}
<button>Set the password</button>
</form>`;
  return htmlPage(problem === undefined ? 200 : 400, `Set your password for ${name}`, body);
}

function donePage({url}: ServerContext, {delivery_email}: UserRow): WebResponse {
  const body = html`<h1>Your password is set</h1>
<p>Your account is ${delivery_email}. Log in with Parley in a terminal:</p>
<pre>parley login ${url}</pre>`;
  return htmlPage(200, 'Your password is set', body);
}

function invalidLinkPage(server: ServerContext): WebResponse {
  const body = html`<h1>This link is not valid</h1>
<p>It has expired, or was already used. Ask the people who run ${organization({server}).name} for a new one.</p>`;
  return htmlPage(404, 'This link is not valid', body);
}
