import type {App} from '#app/core/app.ts';
import {openCard} from '#app/overlays/cards.ts';
import {toastResult} from '#app/requests/server-request.ts';
import {parseMessage} from '#content/parse-message.ts';
import {plainText} from '#content/plain-text.ts';
import {serverSettings} from '#state/fetches/queries.ts';
import {videoProviderName} from '#state/selectors/video-calls.ts';
import {type Frame, fetched} from '#ui/core/frame.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {roleText} from '#ui/people/user-details.ts';
import {featureLevel, mergeBase, realmUrl, type ServerSettings} from '#wire/objects/server-settings.ts';
import {missingFeatures} from '#wire/server-features.ts';
import {copyFacts, type Fact, factCard, openConnectionCard} from './connection-card.ts';

/** The response to the request for the server's settings, or the reason why there is none. */
type SettingsResult = ServerSettings | {readonly problem: string} | undefined;

const request = serverSettings();

/** Opens a card about the organization, its server and the account. The login methods follow when the server answers. */
export function openAboutCard(app: App): void {
  const {server} = app.state;
  openCard(app, {
    id: 'about',
    title: 'About this server',
    reads: [request],
    ...factCard(
      [
        ['o', 'Open in a browser', (from) => toastResult(from, from.device.open(server.url))],
        ['c', 'Copy', (from) => copyFacts(from, aboutFacts(from.frame))],
        ['n', 'Connection', openConnectionCard],
      ],
      aboutFacts,
    ),
  });
}

/** Returns what there is to know about the organization, its server, the account and this program. */
function aboutFacts(frame: Frame): readonly Fact[] {
  const {data, error} = fetched(frame, request);
  const settings = data ?? (error === undefined ? undefined : {problem: error});
  const {realm, server} = frame.account;
  const description = plainText(parseMessage(realm.description ?? '', messageContext(frame.account))).trim();
  return [
    {title: 'Organization'},
    {name: 'Name', value: realm.name ?? ''},
    {name: 'Description', value: description},
    {name: 'Address', value: server.url},
    {name: 'Video calls', value: videoProviderName(frame.account) ?? 'off'},
    ...loginFacts(settings),
    {title: 'Server'},
    {name: 'Version', value: server.version === undefined ? 'unknown' : `Zulip ${server.version}`},
    {name: 'Level', value: `${server.level} (feature level)`},
    ...differenceFacts(frame, settings),
    ...limitFacts(frame),
    ...accountFacts(frame),
    ...missingFacts(server.level),
  ];
}

function loginFacts(settings: SettingsResult): readonly Fact[] {
  if (settings === undefined) return [{name: 'Login', value: 'loading…', role: 'dim'}];
  if ('problem' in settings) return [{name: 'Login', value: settings.problem, role: 'error'}];
  const push = settings.push_notifications_enabled;
  const base = mergeBase(settings);
  return [
    {name: 'Login', value: loginMethods(settings).join(', ') || 'not said by the server'},
    {
      name: 'Without login',
      value: settings.realm_web_public_access_enabled === true ? 'web-public channels' : 'nothing',
    },
    {name: 'Mobile', value: push === undefined ? '' : push ? 'notifications work' : 'no notifications'},
    {name: 'Changed', value: isFork(settings) ? `the server is a changed Zulip, based on ${base}` : ''},
    {
      name: 'Warning',
      value: settings.is_incompatible === true ? 'The server says that this program is too old for it.' : '',
      role: 'warning',
    },
  ];
}

/** What the server says now, where the account was loaded from an older version or from another address. */
function differenceFacts({account: {server}}: Frame, settings: SettingsResult): readonly Fact[] {
  if (settings === undefined || 'problem' in settings) return [];
  const level = featureLevel(settings);
  const url = realmUrl(settings);
  const isSameUrl = url === undefined || URL.parse(url)?.href === URL.parse(server.url)?.href;
  return [
    {
      name: 'Now',
      value: level === 0 || level === server.level ? '' : `level ${level}: reload the account to use it`,
      role: 'warning',
    },
    {name: 'Other address', value: isSameUrl ? '' : url},
  ];
}

function isFork(settings: ServerSettings): boolean {
  const base = mergeBase(settings);
  return base !== undefined && base !== '' && base !== (settings.server_version ?? settings.zulip_version);
}

/** The methods that old servers say by name only; the others are listed with their own names. */
const methodNames: Readonly<Record<string, string>> = {
  ldap: 'LDAP',
  remoteuser: 'single sign-on',
  dev: 'any user (test server)',
};

function loginMethods(settings: ServerSettings): readonly string[] {
  const {authentication_methods: methods = {}, external_authentication_methods: external = []} = settings;
  const hasPassword = methods.password === true || settings.email_auth_enabled === true;
  const login = settings.require_email_format_usernames === false ? 'user name' : 'email';
  const named = Object.entries(methodNames).flatMap(([key, name]) => (methods[key] === true ? [name] : []));
  return [...(hasPassword ? [`${login} and password`] : []), ...named, ...external.map((one) => one.display_name)];
}

function limitFacts({account: {server, realm}}: Frame): readonly Fact[] {
  const characters = (count: number | undefined) => (count === undefined ? '' : `${count} characters`);
  const mib = (size: number | null | undefined) => (typeof size === 'number' ? `${size} MiB` : '');
  return [
    {name: 'Message', value: characters(server.maxMessageLength)},
    {name: 'Topic', value: characters(server.maxTopicLength)},
    {name: 'File', value: server.maxFileUploadSizeMib === 0 ? 'no uploads' : mib(server.maxFileUploadSizeMib)},
    {name: 'All files', value: mib(realm.uploadQuotaMib)},
  ].map((fact) => (fact.value === '' ? fact : {...fact, value: `at most ${fact.value}`.replace('at most no', 'no')}));
}

function accountFacts({account, info}: Frame): readonly Fact[] {
  const own = account.users.get(account.self.userId);
  const mode = info.isReadOnly
    ? 'read-only: nothing is changed'
    : info.isExploring
      ? 'exploring: nothing is marked read'
      : '';
  return [
    {title: 'Account'},
    {name: 'Name', value: own?.fullName ?? ''},
    {name: 'Email', value: own?.deliveryEmail ?? own?.email ?? ''},
    {name: 'Role', value: own === undefined ? '' : roleText(account, own)},
    {name: 'Session', value: mode},
    {name: 'Parley', value: info.version ?? ''},
  ];
}

function missingFacts(level: number): readonly Fact[] {
  const missing = missingFeatures(level);
  if (level === 0 || missing.length === 0) return [];
  return [{title: 'What this server lacks'}, ...missing.map(({name, release}) => ({name: release, value: name}))];
}
