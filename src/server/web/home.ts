import type {WebRequest, WebResponse, WebRoute} from '#server/http/route.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {html, htmlPage} from './html-page.ts';

/** The page for people who open the address of the server in a browser. */
export const homeWebRoutes: readonly WebRoute[] = [{method: 'GET', path: '/', run: async (request) => home(request)}];

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
