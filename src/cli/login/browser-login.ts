import {ConfigError} from '#config/config-error.ts';
import {isLoginName} from '#config/zuliprc.ts';
import {Secret} from '#std/secret.ts';
import {realmUrl, type ServerSettings} from '#wire/objects/server-settings.ts';
import {type Credentials, isApiKey} from './credentials.ts';

/** A login in the browser, such as Google or SAML, that the organization offers. */
export type BrowserMethod = NonNullable<ServerSettings['external_authentication_methods']>[number];

export function browserMethods({
  external_authentication_methods: methods = [],
}: ServerSettings): readonly BrowserMethod[] {
  return methods.filter(({login_url}) => /^https?:$/.test(URL.parse(login_url, 'https://localhost')?.protocol ?? ''));
}

/** A login that the user finishes in the browser. */
export interface BrowserLogin {
  /** The address to open in a browser, on any machine. */
  readonly address: string;
  /** Reads the address that the browser was sent to in the end. Throws a ConfigError if it is not of this login. */
  finish(pasted: string): Credentials;
}

/**
 * Starts the login of Zulip's mobile apps: the server sends the browser to an address of the scheme `zulip:`, which no program
 * receives here, so the user pastes it. The API key in it is encrypted with a one-time pad that only this process knows.
 */
export function startBrowserLogin(site: string, server: ServerSettings, method: BrowserMethod): BrowserLogin {
  const organization = realmUrl(server) ?? site;
  const address = new URL(method.login_url, organization);
  const pad = crypto.getRandomValues(new Uint8Array(32));
  address.searchParams.set('mobile_flow_otp', Buffer.from(pad).toString('hex'));
  return {address: address.href, finish: (pasted) => credentialsIn(pasted, pad, organization)};
}

function credentialsIn(pasted: string, pad: Uint8Array, organization: string): Credentials {
  // A terminal may have wrapped the address; a browser's console has it in quotes.
  const [found = ''] = /zulip:\/\/login\/?\?[^'"<>]+/i.exec(pasted.replaceAll(/\s+/g, '')) ?? [];
  const params = URL.parse(found)?.searchParams;
  const encrypted = params?.get('otp_encrypted_api_key') ?? '';
  const email = params?.get('email') ?? '';
  if (!/^[\da-f]{64}$/i.test(encrypted) || !isLoginName(email)) {
    throw new ConfigError(
      'This is not the whole address: it starts with zulip://login? and contains your e-mail address.',
    );
  }
  const realm = URL.parse(params?.get('realm') ?? '')?.origin;
  if (realm !== new URL(organization).origin) {
    throw new ConfigError(`This address is of ${realm ?? 'no organization'}, not of ${organization}.`);
  }
  const key = String.fromCharCode(...Buffer.from(encrypted, 'hex').map((byte, at) => byte ^ (pad[at] ?? 0)));
  if (!isApiKey(key)) {
    throw new ConfigError('This address is of an earlier login. Open the address above again, and paste the new one.');
  }
  return {email, key: new Secret(key)};
}

/** What to do in the browser, for the command line and the screen. */
export const browserSteps =
  'After the login, the browser tries to open an address that starts with zulip://login. Copy this address and paste it. ' +
  'Firefox shows it in the address bar, Chrome in the console of its developer tools (F12).';
