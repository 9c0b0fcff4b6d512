import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {doctorHelp} from '#cli/doctor/doctor.ts';
import {loginHelp} from '#cli/login/login.ts';
import {serveHelp} from '#cli/serve/serve-options.ts';
import {accountsHelp} from '#cli/verbs/accounts.ts';
import {isTableVerb, type TableVerbName} from '#cli/verbs/run-verb.ts';
import {verbHelp} from '#cli/verbs/verb-help.ts';
import {
  firstWords,
  isVerbGroup,
  isVerbName,
  secondWords,
  verbGroups,
  verbNames,
  verbOf,
} from '#cli/verbs/verb-table.ts';
import {testServer} from '#test/support/server.ts';
import {builtProgram} from '#test/support/terminal/built-program.ts';
import {isOneSentence, stranger, unreachableServer, verbFixture} from './verb-fixture.ts';

/** The verbs that make no request. */
const local = ['completion', 'render', 'webhook', 'keys', 'help', 'licenses', 'man'] as const;

/** The verbs of the operator and those of a running program make no request either. */
const isOperatorVerb = (name: string) => name.startsWith('serve ') || name.startsWith('ctl ');

/** The shortest command line of each verb that makes a request. */
const shortest: Readonly<
  Record<Exclude<TableVerbName, (typeof local)[number] | `serve ${string}` | `ctl ${string}`>, readonly string[]>
> = {
  send: ['--to', 'me', '-m', 'hi'],
  unread: [],
  'catch-up': [],
  inbox: [],
  read: ['#general'],
  tail: ['#general'],
  search: ['word'],
  export: ['#general', 'out'],
  download: ['/user_uploads/2/ab/plan.png'],
  'ssh-keys': ['list'],
  'mark-read': ['--all'],
  rules: [],
  'rules test': [],
  drafts: [],
  outbox: ['send', 'x'],
  users: [],
  whoami: [],
  upload: ['zuliprc'],
  api: ['GET', '/users/me'],
  react: ['1', 'tada'],
  edit: ['1', '-m', 'x'],
  delete: ['1', '--yes'],
  star: ['1'],
  unstar: ['1'],
  schedule: ['--to', 'me', '--at', 'tomorrow', '-m', 'x'],
  'schedule list': [],
  'schedule delete': ['1', '--yes'],
  remind: ['1', '--at', 'tomorrow'],
  'remind list': [],
  'remind delete': ['1', '--yes'],
  mute: ['#general'],
  unmute: ['@Otto'],
  follow: ['#general>t'],
  unfollow: ['#general>t'],
  subscribe: ['general'],
  unsubscribe: ['general'],
  'channel list': [],
  'channel members': ['general'],
  'channel create': ['new'],
  'channel edit': ['general', '--name', 'x'],
  'channel archive': ['general'],
  'channel unarchive': ['general'],
  status: [],
  'user list': [],
  'user show': ['me'],
  'user update': ['me', '--name', 'x'],
  'user deactivate': ['Otto'],
  'user reactivate': ['Otto'],
  invite: ['a@example.com'],
  'invite link': [],
  'invite list': [],
  'invite revoke': ['1'],
  'invite resend': ['1'],
  'group list': [],
  'group show': ['x'],
  'group create': ['x'],
  'group edit': ['x', '--name', 'y'],
  'group add': ['x', 'me'],
  'group remove': ['x', 'me'],
  'group deactivate': ['x'],
  'group reactivate': ['x'],
  log: [],
  'linkifier list': [],
  'linkifier add': ['a', 'https://x/'],
  'linkifier edit': ['1', '--pattern', 'x'],
  'linkifier remove': ['1', '--yes'],
  'linkifier reorder': ['1'],
};
const asking = Object.entries(shortest).map(([verb, argv]) => ({verb: verb as keyof typeof shortest, argv}));

test('verbs: every verb with a record is tested here', () => {
  const tested = verbNames.filter((name) => isTableVerb(name) && !isOperatorVerb(name));
  expect([...Object.keys(shortest), ...local].sort()).toEqual(tested.sort());
});

test('verbs: each first word is a verb or a group with a summary, and each group has verbs', () => {
  expect(firstWords().filter((word) => !isVerbName(word) && !isVerbGroup(word))).toEqual([]);
  expect(Object.keys(verbGroups).filter((word) => secondWords(word).length === 0 || isVerbName(word))).toEqual([]);
  for (const name of verbNames) expect(name).toMatch(/^[a-z-]+(?: [a-z-]+)?$/);
});

test.each(asking)('verbs: $verb reports an unreachable server in one sentence: exit code 4', async ({verb, argv}) => {
  const {code, out, err} = await verbFixture(unreachableServer, stranger).run(verb, argv);
  expect([code, out]).toEqual([4, '']);
  expect(err).toMatch(/^Cannot reach 127\.0\.0\.1:1: connection refused\./);
  expect(isOneSentence(err)).toBe(true);
});

// A file is refused in the same way to everybody who may not see it.
const withLogin = asking.filter(({verb}) => verb !== 'download');

test.each(withLogin)('verbs: $verb reports a rejected key in one sentence: exit code 3', async ({verb, argv}) => {
  const server = await testServer();
  const {code, out, err} = await verbFixture(server, {
    ...stranger,
    email: server.people.member().email,
  }).run(verb, argv);
  // `api` prints the server's response as it came.
  expect([code, out === '' || verb === 'api', isOneSentence(err)]).toEqual([3, true, true]);
  expect(err).not.toContain(stranger.apiKey);
});

test.each(verbNames.filter(isTableVerb))('verbs: %s prints its help and refuses unknown options', async (verb) => {
  const {run} = verbFixture(unreachableServer, stranger);
  const help = await run(verb, ['--help']);
  expect(help).toEqual({code: 0, out: verbHelp(verb), err: ''});
  for (const option of Object.keys(verbOf(verb).options)) expect(help.out).toContain(`--${option}`);
  const wrong = await run(verb, ['--wibble']);
  expect([wrong.code, wrong.out, wrong.err]).toEqual([
    2,
    '',
    `Unknown option '--wibble'. See “parley ${verb} --help”.\n`,
  ]);
});

test.each([
  ['whoami', ['me']],
  ['unread', ['--account']],
  ['unread', ['--color', 'pink']],
  ['read', ['-n', '0']],
  ['read', ['-n', '5001']],
  ['read', ['-n', '20.5']],
  ['read', ['-n', '-5']],
  ['read', ['--account', 'demo', '--config', 'zuliprc']],
  ['read', ['--since', 'yesterday-ish']],
  ['read', ['--since', '2h', '--before', '7']],
  ['search', []],
  ['search', [' ']],
  ['mark-read', []],
  ['mark-read', ['#general', '--all']],
  ['send', []],
  ['send', ['--to', 'me', '-m', ' \n']],
  ['send', ['--to', 'me', 'hello']],
  ['send', ['--to', '-dash', '-m', 'x']],
  ['send', ['--to', 'me', '-m', 'x', '-']],
  ['drafts', ['paint']],
  ['drafts', ['show']],
  ['drafts', ['send', 'a', 'b']],
  ['outbox', ['paint']],
  ['outbox', ['discard', '--yes']],
  ['upload', []],
  ['upload', ['-']],
  ['upload', ['zuliprc', '-m', 'look']],
  ['upload', ['zuliprc', '--topic', 'plans']],
  ['upload', ['a', 'b', '--name', 'c']],
  ['api', ['GET']],
  ['api', ['FETCH', '/users']],
  ['api', ['GET', '/users', 'oops']],
  ['react', ['1']],
  ['react', ['one', 'tada']],
  ['edit', ['1', '-m', ' ']],
  ['edit', ['1', '--propagate', 'all', '-m', 'x']],
  ['edit', ['1', 'word']],
  ['schedule', ['--at', 'tomorrow', '-m', 'x']],
  ['schedule', ['--to', 'me', '-m', 'x']],
  ['schedule', ['--to', 'me', '--at', 'someday', '-m', 'x']],
  ['schedule', ['--to', 'me', '--at', '2020-01-01', '-m', 'x']],
  ['schedule delete', ['first', '--yes']],
  ['remind', ['1']],
  ['status', ['x', '--clear']],
  ['status', ['--away', '--back']],
  ['status', ['x'.repeat(61)]],
  ['invite', ['Otto']],
  ['invite revoke', ['all']],
  ['invite resend', ['link-1']],
  ['linkifier edit', ['1']],
  ['linkifier edit', ['x', '--url', 'y']],
  ['man', ['send']],
  ['licenses', ['ink']],
  ['completion', []],
  ['completion', ['tcsh']],
] as const)('verbs: %s %j is a usage error', async (verb, argv) => {
  const {code, out, err} = await verbFixture(unreachableServer, stranger).run(verb, argv);
  expect([code, out, isOneSentence(err)]).toEqual([2, '', true]);
});

test.each([{}, {outputIsTty: true, env: {PAGER: 'cat'}}])(
  'licenses: run from the sources with %j, it prints the notices of the last build',
  async (options) => {
    const notices = readFileSync(join(dirname(builtProgram()), 'THIRD-PARTY-NOTICES'), 'utf8');
    const result = await verbFixture(unreachableServer, stranger).run('licenses', [], options);
    expect(result).toEqual({code: 0, out: notices, err: ''});
  },
);

test('verbs: an unusable zuliprc gives exit code 3', async () => {
  const {run} = verbFixture(unreachableServer, stranger);
  const {code, err} = await run('whoami', ['--config', 'nothing-here']);
  expect([code, isOneSentence(err)]).toEqual([3, true]);
  expect(await run('whoami', ['--account', 'work'])).toMatchObject({
    code: 3,
    err: 'There is no account “work”. Add one with “parley login”.\n',
  });
});

test('verbs: the records of self-parsing verbs list the same options as their help', () => {
  const helps = {accounts: accountsHelp, login: loginHelp, doctor: doctorHelp, serve: serveHelp} as const;
  for (const [verb, help] of Object.entries(helps)) {
    const inHelp = [...help.matchAll(/--([a-z][a-z-]+)/g)].map(([, option]) => option ?? '');
    const inRecord = Object.keys(verbOf(verb as keyof typeof helps).options);
    expect([verb, [...new Set([...inHelp, 'help'])].sort()]).toEqual([verb, inRecord.sort()]);
  }
});
