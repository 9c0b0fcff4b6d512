import {join, resolve} from 'node:path';
import {type CliIo, PlainFailure, UsageError} from '#cli/io.ts';
import {readStdin} from '#cli/messages/local-files.ts';
import {Prompt} from '#cli/prompt.ts';
import {cutTableText} from '#cli/table-lines.ts';
import {roleName} from '#cli/verbs/role-name.ts';
import {printResult, type VerbArguments, type VerbResult, type VerbRunner} from '#cli/verbs/verb-table.ts';
import {ownValue} from '#std/own-value.ts';
import {orList} from '#std/similar-names.ts';
import {roles} from '#wire/objects/user.ts';
import {existingDataDirectory, fileName, writeZuliprc} from './data-directory.ts';
import {type Operator, withOperator} from './operator.ts';

interface ActionContext {
  readonly operator: Operator;
  readonly io: CliIo;
  readonly directory: string;
}

/** An action of a verb, by its first word. */
interface Action<C> {
  /** The arguments after the word. */
  readonly words: readonly string[];
  readonly run: (context: C, ...words: string[]) => Promise<VerbResult>;
}

type UserContext = ActionContext & Pick<VerbArguments<'serve user'>, 'values'>;

/** An action of “parley serve user”. */
export type UserAction = Action<UserContext>;

const userActions: Readonly<Record<string, UserAction>> = {
  list: {
    words: [],
    async run({operator, io}) {
      const users = await operator.run('listUsers', {});
      const rows = users.map(({id, email, role, name, isBot, isActive}) => {
        const state = [isBot ? 'bot' : '', isActive ? '' : 'deactivated'].filter((text) => text !== '').join(', ');
        return [String(id), email, roleName(role), name, state];
      });
      return {json: users.map(({role, ...each}) => ({...each, role: roleName(role)})), text: cutTableText(io, rows)};
    },
  },
  create: {
    words: ['EMAIL'],
    async run({operator, values: {name, role}}, email = '') {
      if (name === undefined) throw new UsageError('Give the person’s name with --name NAME.');
      const {id} = await operator.run('createUser', {email, name, role: roleOf(role ?? 'member')});
      return {json: {id, email}, text: `Created ${email}. “parley serve user link” lets them set a password.`};
    },
  },
  delete: {
    words: ['EMAIL'],
    async run({operator, values}, email = '') {
      const erase = values['erase-messages'];
      const report = await operator.run('deleteUser', {email, erase});
      const {messages_kept: kept, messages_erased: erased, files_deleted: files} = report;
      const messages = erase ? `${erased} messages were erased` : `${kept} messages are now of “Deleted user”`;
      const stays =
        'their name in texts of others, the log of the server, and backups that were made before: delete those when you can';
      const text = `Deleted ${email}: ${messages}, ${files} files were deleted.\nWhat stays: ${stays}.`;
      return {json: {email, ...report, stays}, text};
    },
  },
  import: {
    words: ['FILE'],
    async run({operator, io, values}, file = '') {
      const {importPeople} = await import('./many-users.ts');
      return importPeople(operator, io, file, {invites: values.invite, isTrial: values['dry-run']});
    },
  },
  sessions: {
    words: ['EMAIL'],
    async run({operator, io}, email = '') {
      const sessions = await operator.run('userSessions', {email});
      const {clients, key_replaced: replaced, push_devices: devices} = sessions;
      const rows = clients.map(({client, idle_seconds: idle}) => [
        client,
        idle === 0 ? 'connected' : `idle for ${idle} s`,
      ]);
      const key = `The API key was replaced ${replaced} times; ${devices} devices get push notifications.`;
      return {
        json: sessions,
        text: [rows.length === 0 ? 'No client is connected.' : cutTableText(io, rows), key].join('\n'),
      };
    },
  },
  'sign-out': {
    words: ['EMAIL'],
    async run({operator}, email = '') {
      await operator.run('signOutUser', {email});
      return {
        json: {email},
        text: `Signed ${email} out everywhere. The old API key no longer works; the password still does.`,
      };
    },
  },
  deactivate: activityAction('deactivateUser', 'Deactivated'),
  reactivate: activityAction('reactivateUser', 'Reactivated'),
  role: {
    words: ['EMAIL', 'ROLE'],
    async run({operator}, email = '', role = '') {
      await operator.run('setUserRole', {email, role: roleOf(role)});
      return {json: {email, role}, text: `${email} has the role ${role}.`};
    },
  },
  /** Replaces the API key. The new one is written to a private file; only `--print` shows it. */
  key: {
    words: ['EMAIL'],
    async run({operator, io, directory, values}, email = '') {
      const made = await operator.run('newUserKey', {email});
      if (values.print) return {json: made, text: made.key};
      const path = resolve(io.cwd, values.file ?? join(directory, 'zuliprc', `${fileName(made.email)}.zuliprc`));
      writeZuliprc(path, made);
      const text = `The new API key of ${made.email} is in ${path}. The old key no longer works.`;
      return {json: {email, file: path}, text};
    },
  },
  link: {
    words: ['EMAIL'],
    async run({operator}, email = '') {
      const {url, expiresAt} = await operator.run('passwordLink', {email});
      const expires = new Date(expiresAt * 1000).toISOString();
      return {json: {email, url, expires}, text: `${url}\nLets ${email} set a password, once, until ${expires}.`};
    },
  },
  unlock: {
    words: ['EMAIL'],
    async run({operator}, email = '') {
      const {hadFailures} = await operator.run('unlockUser', {email});
      const text = hadFailures
        ? `Forgot the wrong passwords for ${email}.`
        : `There were no wrong passwords for ${email}.`;
      return {json: {email, hadFailures}, text};
    },
  },
  password: {
    words: ['EMAIL'],
    async run({operator, io, values}, email = '') {
      const password = values.stdin ? (await readStdin(io, 64 * 1024)).replace(/\r?\n$/, '') : await askTwice(io);
      await operator.run('setUserPassword', {email, password});
      return {json: {email}, text: `Set the password of ${email}.`};
    },
  },
};

function activityAction(command: 'deactivateUser' | 'reactivateUser', done: string): Action<UserContext> {
  return {
    words: ['EMAIL'],
    async run({operator}, email = '') {
      await operator.run(command, {email});
      return {json: {email}, text: `${done} ${email}.`};
    },
  };
}

/** Lists the users of an organization on this machine, or changes one. */
export const serveUser: VerbRunner<'serve user'> = async ({values, words: [first = '', ...others]}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const isOfKeys = first === 'ssh-key';
  const name = isOfKeys ? `${first} ${others[0] ?? ''}` : first;
  const rest = isOfKeys ? others.slice(1) : others;
  const {sshKeyActions} = await import('./ssh-key-actions.ts');
  const actions = {...userActions, ...sshKeyActions};
  const action = ownValue(actions, name);
  const words = rest.filter((word) => word !== '');
  const [email = '', out = ''] = words;
  if (name === 'export' && words.length === 2) {
    const {exportPerson} = await import('./serve-user-export.ts');
    return exportPerson(directory, io, email, out);
  }
  const isMany = bulkChanges.has(name) && words.length >= (action?.words.length ?? 0);
  if (isMany && (values['dry-run'] || words.length !== action?.words.length)) {
    return changeMany(name, words, {values, directory, io});
  }
  if (action?.words.length === words.length) return runAction(action, {values, directory, io}, words);
  const isChange = action !== undefined && action.words.length > 0;
  const usage = isChange ? [name, ...action.words].join(' ') : orList([...Object.keys(actions), 'export EMAIL OUT']);
  throw new UsageError(`Use “parley serve user” with ${usage}.`);
};

/** The changes that several accounts can get at once. */
const bulkChanges: ReadonlySet<string> = new Set(['deactivate', 'reactivate', 'role', 'key']);

async function changeMany(
  name: string,
  words: readonly string[],
  {values, directory, io}: Omit<UserContext, 'operator'>,
) {
  const {changePeople} = await import('./many-users.ts');
  const emails = name === 'role' ? words.slice(0, -1) : words;
  const role = name === 'role' ? roleOf(words.at(-1) ?? '') : 0;
  return withOperator(directory, io, (operator) =>
    changePeople(operator, io, directory, {change: name, emails: [...emails], role, isTrial: values['dry-run']}),
  );
}

function runAction<C extends Omit<ActionContext, 'operator'> & {readonly values: {readonly json: boolean}}>(
  {run}: Action<C & ActionContext>,
  context: C,
  words: readonly string[],
) {
  const {directory, io, values} = context;
  return withOperator(directory, io, async (operator) =>
    printResult(io, values, await run({...context, operator}, ...words)),
  );
}

const orgActions: Readonly<Record<string, Action<OrgContext>>> = {
  'rotate-secret': {
    words: [],
    async run({operator, values}) {
      const isTrial = values['dry-run'];
      const {people, bots} = await operator.run('rotateSecret', {isTrial});
      const ended = `the API keys of ${people} people and ${bots} bots, the address of every webhook, and links for setting a password`;
      const next =
        'People log in again with their passwords. “parley serve user key” gives bots new keys. Restored older backups have the old secret.';
      return {
        json: {dry_run: isTrial, people, bots},
        text: isTrial
          ? `A new secret would end ${ended}.`
          : `The secret is new. What no longer works: ${ended}. ${next}`,
      };
    },
  },
  show: {
    words: [],
    async run({operator, io}) {
      const settings = await operator.run('settings', {});
      const rows = Object.entries(settings).map(([name, value]) => [name, settingText(name, value)]);
      return {json: settings, text: cutTableText(io, rows)};
    },
  },
  limits: {
    words: [],
    async run({operator, io}) {
      const limits = await operator.run('limits', {});
      const {uploadQuotaMib, uploadedBytes, guestQuotaMib, fileMib, rates} = limits;
      const perMinute = (kind: 'user' | 'address' | 'web') => {
        if (rates === undefined) return 'limited while the server runs';
        return rates === null ? 'not limited' : `${rates[kind]} a minute`;
      };
      const rows = [
        ['uploads', `${Math.ceil(uploadedBytes / 2 ** 20)} of ${uploadQuotaMib} MiB used (upload_quota_mib)`],
        ['uploads of a guest', `${guestQuotaMib} MiB`],
        ['one file', `${fileMib} MiB`],
        ['requests of a user', perMinute('user')],
        ['requests without an account', perMinute('address')],
        ['requests for pages and files', perMinute('web')],
      ];
      return {json: limits, text: cutTableText(io, rows)};
    },
  },
  'restore-messages': {
    words: [],
    async run({operator}) {
      const {restored} = await operator.run('restoreMessages', {});
      const text = `Restored ${restored} messages. Clients show them after a restart. Those that are still too old for their channel are archived again within an hour.`;
      return {json: {restored}, text: restored === 0 ? 'No message is in the archive.' : text};
    },
  },
  set: {
    words: ['NAME', 'VALUE'],
    async run({operator}, name = '', value = '') {
      const {changed} = await operator.run('setSetting', {name, value});
      return {json: {name, value, changed}, text: changed ? `Changed ${name}.` : `${name} has this value already.`};
    },
  },
};

type OrgContext = ActionContext & Pick<VerbArguments<'serve org'>, 'values'>;

const defaultable: ReadonlySet<string> = new Set(['upload_quota_mib', 'backup_max_age_hours', 'jitsi_server_url']);

/** Returns a value as “set” takes it: -1 would be an option of the command line. */
function settingText(name: string, value: unknown): string {
  if (value === null && defaultable.has(name)) return 'default';
  if (value === -1) return name === 'message_retention_days' ? 'unlimited' : 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Shows or changes the settings of an organization on this machine. */
export const serveOrg: VerbRunner<'serve org'> = async ({values, words: [name = '', ...words]}, io) => {
  const directory = existingDataDirectory(values.data, io);
  const action = ownValue(orgActions, name);
  if (action?.words.length === words.length) return runAction(action, {values, directory, io}, words);
  throw new UsageError('Use “parley serve org” with show, limits, restore-messages, rotate-secret or set NAME VALUE.');
};

async function askTwice(io: CliIo): Promise<string> {
  if (!io.inputIsTty) throw new UsageError('Cannot prompt without a terminal. Use --stdin.');
  const prompt = new Prompt(io);
  try {
    const password = await prompt.askHidden('New password: ');
    if ((await prompt.askHidden('Again: ')) !== password) throw new PlainFailure('The two passwords differ.');
    return password;
  } finally {
    prompt.close();
  }
}

function roleOf(name: string): number {
  const role = ownValue<number>(roles, name);
  if (role === undefined) throw new UsageError(`A role is ${orList(Object.keys(roles))}, not “${name}”.`);
  return role;
}
