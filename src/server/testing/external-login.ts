import {findUser} from '#server/db/users.ts';
import type {WebRequest, WebResponse, WebRoute} from '#server/http/route.ts';
import {externalLoginPath} from '#server/views/server-settings.ts';

/**
 * The page of an identity provider that knows its user already: it redirects to the address that Zulip's apps receive. The API
 * key is encrypted with the one-time pad of the client.
 */
export const externalLoginRoute: WebRoute = {
  method: 'GET',
  path: externalLoginPath,
  run: async ({server, query}: WebRequest): Promise<WebResponse> => {
    const user = server.externalLogin === undefined ? undefined : findUser(server.db, server.externalLogin.userId);
    const pad = query.get('mobile_flow_otp') ?? '';
    if (user === undefined || !/^[\da-f]{64}$/i.test(pad)) {
      return {status: 400, headers: {'content-type': 'text/plain'}, body: 'Invalid OTP\n'};
    }
    const bytes = Buffer.from(pad, 'hex');
    const encrypted = Buffer.from(server.secrets.apiKey(user), 'ascii').map((byte, at) => byte ^ (bytes[at] ?? 0));
    const params = new URLSearchParams({
      otp_encrypted_api_key: Buffer.from(encrypted).toString('hex'),
      email: user.delivery_email,
      user_id: String(user.id),
      realm: server.url,
    });
    return {status: 302, headers: {location: `zulip://login?${params}`}, body: ''};
  },
};
