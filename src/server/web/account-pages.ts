import {
  hashNewPassword,
  passwordLinkPath,
  passwordMaxLength,
  passwordMinLength,
  userOfPasswordLink,
} from '#server/accounts/password.ts';
import {checkedEmail, checkedFullName} from '#server/actions/inputs.ts';
import {acceptInvite} from '#server/actions/organization/invites.ts';
import {updateAccount} from '#server/actions/users/update-account.ts';
import type {ServerContext} from '#server/context.ts';
import {findInviteByKey, type InviteRow} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findUserByEmail} from '#server/db/users.ts';
import {ApiError} from '#server/errors.ts';
import {isSameOrigin} from '#server/http/request-address.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/route.ts';
import {type Html, html, htmlPage} from './html-page.ts';

const resetPath = '/accounts/password/reset';

export const accountWebRoutes: readonly WebRoute[] = [
  // For people who open the address of the server in a browser.
  {method: 'GET', path: '/', run: async (request) => home(request)},
  // An invitation links to a form that creates an account.
  {method: 'GET', path: '/join/:key', run: async (request) => showForm(request)},
  {method: 'POST', path: '/join/:key', run: join, limit: 'byAddress'},
  // A user sets a password with a link that the operator of the server made.
  {
    method: 'GET',
    path: `${passwordLinkPath}/:token`,
    run: async (request) => showPasswordForm(request),
    limit: 'byAddress',
  },
  {method: 'POST', path: `${passwordLinkPath}/:token`, run: setPassword, limit: 'byAddress'},
  // For people who forgot their password: a mail with a link, or whom to ask for one.
  {method: 'GET', path: resetPath, run: async ({server}) => resetFormPage(server)},
  {method: 'POST', path: resetPath, run: async (request) => sendLink(request), limit: 'byAddress'},
];

interface Values {
  readonly name: string;
  readonly email: string;
}

type FieldName = keyof Values | 'password';
type Problems = Readonly<Partial<Record<FieldName, string | undefined>>>;

function inviteOf({server, path}: WebRequest): InviteRow | undefined {
  if (organization({server}).is_deactivated) return undefined;
  return findInviteByKey(server.db, path.key ?? '', Math.floor(server.clock.now() / 1000));
}

function showForm(request: WebRequest): WebResponse {
  const invite = inviteOf(request);
  if (invite === undefined) return noInvitePage(request.server);
  return formPage(request.server, invite, {name: '', email: ''}, {});
}

async function join(request: WebRequest): Promise<WebResponse> {
  const {server, headers, body} = request;
  if (!isSameOrigin(server, headers)) return otherSitePage('Not joined', 'Open your invitation link again.');
  // Before the password is hashed, which is expensive.
  if (inviteOf(request) === undefined) return noInvitePage(server);
  const form = new URLSearchParams(body);
  const password = await newPassword(server, form.get('password') ?? '');
  return server.runAction((act) => {
    const invite = inviteOf(request);
    if (invite === undefined) return noInvitePage(server);
    const values = {name: form.get('name') ?? '', email: invite.email ?? form.get('email') ?? ''};
    const problems = {
      name: values.name.trim() === '' ? 'Enter your name.' : problemOf(() => checkedFullName(act, values.name)),
      email: problemOf(() => checkedEmail(act, values.email)),
      password: password.problem,
    };
    if (Object.values(problems).some((problem) => problem !== undefined)) {
      return formPage(server, invite, values, problems);
    }
    const {name: fullName, email} = values;
    const user = acceptInvite(act, invite, {fullName, email, passwordHash: password.hash});
    return {...welcomePage(server, user), event: {event: 'join', user: user.id}};
  });
}

function otherSitePage(title: string, advice: string): WebResponse {
  return htmlPage(403, title, html`<h1>This form was sent from another site</h1><p>${advice}</p>`);
}

/** Returns the hash of a password, or why it is refused. */
async function newPassword(
  server: ServerContext,
  text: string,
): Promise<{readonly hash: string; readonly problem?: string}> {
  try {
    return {hash: await hashNewPassword(server, text)};
  } catch (error) {
    if (error instanceof ApiError) return {hash: '', problem: error.message};
    throw error;
  }
}

/** Returns why a check refuses a value. */
function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function formPage(server: ServerContext, invite: InviteRow, values: Values, problems: Problems): WebResponse {
  const {name} = organization({server});
  const hasProblem = Object.values(problems).some((problem) => problem !== undefined);
  const length = html`minlength="${passwordMinLength}" maxlength="${passwordMaxLength}"`;
  const email =
    invite.email === null
      ? html`type="email" autocomplete="email" value="${values.email}"`
      : html`type="email" readonly value="${invite.email}"`;
  const body = html`<h1>Join ${name}</h1>
${hasProblem ? html`<p role="alert">Your account was not created yet. Correct the fields below.</p>` : undefined}
<form method="post">
${field('name', 'Name', html`autocomplete="name" value="${values.name}"`, problems)}
${field('email', 'E-mail address', email, problems)}
${field('password', 'Password', html`type="password" autocomplete="new-password" ${length}`, problems, `At least ${passwordMinLength} characters.`)}
<button>Create the account</button>
</form>`;
  return htmlPage(hasProblem ? 400 : 200, `${hasProblem ? 'Correct the form: ' : ''}Join ${name}`, body);
}

function field(name: FieldName, label: string, attributes: Html, problems: Problems, hint?: string): Html {
  const problem = problems[name];
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(problem === undefined ? [] : [`${name}-problem`]),
  ];
  return html`<label for="${name}">${label}</label>
${hint === undefined ? undefined : html`<small id="${name}-hint">${hint}</small>`}
<input id="${name}" name="${name}" required ${attributes}${
    described.length === 0 ? undefined : html` aria-describedby="${described.join(' ')}"`
  }${problem === undefined ? undefined : html` aria-invalid="true"`}>
${problem === undefined ? undefined : html`<p class="problem" id="${name}-problem">⚠ ${problem}</p>`}`;
}

function welcomePage(server: ServerContext, {full_name, delivery_email}: UserRow): WebResponse {
  const {name} = organization({server});
  const body = html`<h1>Welcome to ${name}, ${full_name}</h1>
<p>Your account is ${delivery_email}. Log in with Parley in a terminal:</p>
<pre>parley login ${server.url}</pre>
<p>Other clients for Zulip work too: give them the address ${server.url}.</p>`;
  return htmlPage(200, `Welcome to ${name}`, body);
}

function noInvitePage(server: ServerContext): WebResponse {
  const {name} = organization({server});
  const body = html`<h1>This invitation is not valid</h1>
<p>It has expired, was revoked, or was already used. Ask the person who invited you to ${name} for a new one.</p>
<p>If you have an account, log in with Parley in a terminal:</p>
<pre>parley login ${server.url}</pre>`;
  return htmlPage(404, 'This invitation is not valid', body);
}

function showPasswordForm({server, path}: WebRequest): WebResponse {
  const user = userOfPasswordLink(server, path.token ?? '');
  return user === undefined ? invalidLinkPage(server) : passwordFormPage(server, user, undefined);
}

async function setPassword({server, path, headers, body}: WebRequest): Promise<WebResponse> {
  if (!isSameOrigin(server, headers)) return otherSitePage('Not set', 'Open your link again.');
  // Before the password is hashed, which is expensive.
  if (userOfPasswordLink(server, path.token ?? '') === undefined) return invalidLinkPage(server);
  const {hash: passwordHash, problem} = await newPassword(server, new URLSearchParams(body).get('password') ?? '');
  return server.runAction((act) => {
    const user = userOfPasswordLink(server, path.token ?? '');
    if (user === undefined) return invalidLinkPage(server);
    if (problem !== undefined) return passwordFormPage(server, user, problem);
    updateAccount(act, user, {settings: {}, fullName: undefined, email: undefined, passwordHash});
    return {...donePage(server, user), event: {event: 'password', user: user.id}};
  });
}

function passwordFormPage(server: ServerContext, user: UserRow, problem: string | undefined): WebResponse {
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

function home({server}: WebRequest): WebResponse {
  const {name, is_deactivated: isDeactivated} = organization({server});
  if (isDeactivated) {
    return htmlPage(200, name, html`<h1>${name}</h1><p>This organization has been deactivated by its owners.</p>`);
  }
  const body = html`<h1>${name}</h1>
<p>This is a chat server for a team. It runs Parley, a chat client and server for the terminal.</p>
<p>If you have an account, log in with Parley in a terminal:</p>
<pre>parley login ${server.url}</pre>
<p>Other clients for Zulip work too: give them the address ${server.url}.</p>
<p>To get an account, ask somebody who has one for an invitation. Its link opens a page on which you choose a name and a password.</p>
<p><a href="/accounts/password/reset">I forgot my password</a></p>`;
  return htmlPage(200, name, body);
}

function resetFormPage(server: ServerContext): WebResponse {
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
  if (!isSameOrigin(server, headers)) return otherSitePage('Not sent', 'Open the page again.');
  const email = new URLSearchParams(body).get('email')?.trim() ?? '';
  const user = findUserByEmail(server.db, email);
  const lastSent = lastSentByServer.get(server) ?? new Map<number, number>();
  lastSentByServer.set(server, lastSent);
  const now = server.clock.monotonic();
  if (user?.is_active === 1 && user.is_bot === 0 && now - (lastSent.get(user.id) ?? -pauseMs) >= pauseMs) {
    lastSent.set(user.id, now);
    const mail = {kind: 'password', recipient: user.delivery_email, about: {user_id: user.id}} as const;
    server.runAction((act) => server.mail?.queue(act, mail));
  }
  const text = html`<h1>Look into your mailbox</h1>
<p>If ${email} has an account at ${name}, a link to set a new password is on its way.</p>`;
  return htmlPage(200, 'Look into your mailbox', text);
}
