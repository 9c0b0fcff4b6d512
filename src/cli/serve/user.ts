import {join, resolve} from 'node:path';
import {PlainFailure} from '#cli/failures.ts';
import {type CliIo, print, printJson} from '#cli/io.ts';
import {Prompt} from '#cli/login/prompt.ts';
import {readStdin} from '#cli/read-stdin.ts';
import {printTable} from '#cli/table-lines.ts';
import {UsageError} from '#cli/usage-error.ts';
import {roleName} from '#cli/verbs/role-name.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {orList} from '#state/selectors/names/similar-names.ts';
import {roles} from '#wire/objects/user.ts';
import {existingDataDirectory} from './data-argument.ts';
import {type Operator, withOperator} from './operator.ts';
import {fileName, writeZuliprc} from './write-accounts.ts';

interface UserContext {
  readonly operator: Operator;
  readonly io: CliIo;
  readonly directory: string;
  readonly values: VerbArguments<'serve user'>['values'];
  readonly email: string;
}

interface UserAction {
  /** The arguments after the action. */
  readonly words: readonly string[];
  /** Does it, and returns what to print: a sentence, and the result for `--json`. */
  readonly run: (context: UserContext, word: string) => Promise<readonly [text: string, json: object]>;
}

const actions: Readonly<Record<string, UserAction>> = {
  create: {
    words: ['EMAIL'],
    async run({operator, values: {name, role}, email}) {
      if (name === undefined) throw new UsageError('Give the person’s name with --name NAME.');
      const {id} = await operator.run('createUser', {email, name, role: roleOf(role ?? 'member')});
      return [`Created ${email}. “parley serve user link” lets them set a password.`, {id, email}];
    },
  },
  deactivate: {
    words: ['EMAIL'],
    async run({operator, email}) {
      await operator.run('deactivateUser', {email});
      return [`Deactivated ${email}.`, {email}];
    },
  },
  reactivate: {
    words: ['EMAIL'],
    async run({operator, email}) {
      await operator.run('reactivateUser', {email});
      return [`Reactivated ${email}.`, {email}];
    },
  },
  role: {
    words: ['EMAIL', 'ROLE'],
    async run({operator, email}, role) {
      await operator.run('setUserRole', {email, role: roleOf(role)});
      return [`${email} has the role ${role}.`, {email, role}];
    },
  },
  key: {words: ['EMAIL'], run: newKey},
  link: {
    words: ['EMAIL'],
    async run({operator, email}) {
      const {url, expiresAt} = await operator.run('passwordLink', {email});
      const expires = new Date(expiresAt * 1000).toISOString();
      return [`${url}\nLets ${email} set a password, once, until ${expires}.`, {email, url, expires}];
    },
  },
  password: {
    words: ['EMAIL'],
    async run({operator, io, values, email}) {
      const password = values.stdin ? (await readStdin(io, 64 * 1024)).replace(/\r?\n$/, '') : await askTwice(io);
      await operator.run('setUserPassword', {email, password});
      return [`Set the password of ${email}.`, {email}];
    },
  },
};

/** Lists the users, or changes one. */
export const user: VerbRunner<'serve user'> = async ({values, words: [action = '', email = '', ...rest]}, io) => {
  const directory = existingDataDirectory(values.data, io);
  if (action === 'list' && email === '') return withOperator(directory, io, (operator) => list(operator, io, values));
  const found = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (found === undefined || [email, ...rest].filter((word) => word !== '').length !== found.words.length) {
    const usage = found === undefined ? orList(['list', ...Object.keys(actions)]) : [action, ...found.words].join(' ');
    throw new UsageError(`Use “parley serve user” with ${usage}.`);
  }
  return withOperator(directory, io, async (operator) => {
    const [text, json] = await found.run({operator, io, directory, values, email}, rest[0] ?? '');
    if (values.json) printJson(io, json);
    else print(io, text);
    return undefined;
  });
};

async function list(operator: Operator, io: CliIo, {json}: {readonly json: boolean}): Promise<undefined> {
  const users = await operator.run('listUsers', {});
  if (json) {
    printJson(
      io,
      users.map(({role, ...each}) => ({...each, role: roleName(role)})),
    );
    return;
  }
  const state = (each: {isActive: boolean; isBot: boolean}) =>
    [each.isBot ? 'bot' : '', each.isActive ? '' : 'deactivated'].filter((text) => text !== '').join(', ');
  printTable(
    io,
    users.map((each) => [String(each.id), each.email, roleName(each.role), each.name, state(each)]),
  );
}

/** Replaces the API key. The new one is written to a private file; only `--print` shows it. */
async function newKey({operator, io, directory, values, email}: UserContext): Promise<readonly [string, object]> {
  const made = await operator.run('newUserKey', {email});
  if (values.print) return [made.key, made];
  const path = resolve(io.cwd, values.file ?? join(directory, 'zuliprc', `${fileName(made.email)}.zuliprc`));
  writeZuliprc(path, made);
  return [`The new API key of ${made.email} is in ${path}. The old key no longer works.`, {email, file: path}];
}

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
  const role = Object.hasOwn(roles, name) ? roles[name as keyof typeof roles] : undefined;
  if (role === undefined) throw new UsageError(`A role is ${orList(Object.keys(roles))}, not “${name}”.`);
  return role;
}
