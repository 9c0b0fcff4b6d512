import {
  choice,
  commonOptions,
  flag,
  number,
  type Option,
  type OptionTable,
  roleChoices,
  takes,
  takesOnly,
  text,
  type Verb,
  yes,
} from '#cli/verbs/verb.ts';
import {themeChoices} from '#config/theme-names.ts';
import {manualTopics} from '#content/manual/manual-topics.ts';

const {json, account, config, help} = commonOptions;
const colorDepth = choice(['never', '16', '256', 'true'], 'number of colours (default: detected)');

/** The options of the verbs that open the screen. */
const screenOptions = {
  account,
  config,
  explore: flag('mark nothing as read and do not appear online'),
  'read-only': flag('do not change anything'),
  plain: flag('use lines of text instead of a full screen, for screen readers and any terminal'),
  theme: text('NAME', 'colour theme for this session', {completes: Object.keys(themeChoices)}),
  color: colorDepth,
  'no-alt-screen': flag('leave the last screen in the terminal on exit'),
  'or-demo': flag('without an account, open the demo directly'),
  help,
} as const;

/** The verbs that open the screen or are about its keys. */
export const screenRecords = {
  open: {
    parsesOwnArguments: true,
    summary: 'open Parley, at WHERE if given; “parley WHERE” does the same',
    ...takesOnly('[WHERE]', [0, 100], screenOptions),
    notes: [
      'WHERE is #channel, #channel>topic, @name[,name], the link of a conversation or message, or search words. If WHERE is also a command, use “open”: “parley open inbox” searches for the word.',
      'Without a terminal it prints unread counts or, with WHERE, the last messages.',
    ],
  },
  triage: {
    parsesOwnArguments: true,
    summary: 'go through unread conversations one at a time',
    ...takesOnly('[--plain]', [0, 0], screenOptions),
  },
  demo: {
    needsMachine: true,
    parsesOwnArguments: true,
    summary: 'open the built-in demo organization',
    ...takesOnly('[WHERE]', [0, 100], screenOptions),
  },
  keys: {
    summary: 'list the keys and their commands',
    ...takesOnly(['[--markdown]', '--probe'], [0, 0], {
      markdown: flag('print Markdown tables'),
      probe: flag('show what this terminal sends for each key'),
      json,
      help,
    }),
    notes: ['Change keys in keys.toml, next to config.toml.'],
  },
} as const satisfies Readonly<Record<string, Verb>>;

/** Returns the usage and the options of a verb that works on the data directory of a server. */
function takesData<O extends OptionTable = Record<never, Option>>(
  usage: string | readonly string[],
  count: Parameters<typeof takesOnly>[1],
  options?: O,
  directory = 'the data directory of the organization',
) {
  const data = text('DIR', directory, {completes: 'file'});
  return {needsMachine: true as const, ...takesOnly(usage, count, {data, ...(options as O), json, help})};
}

const userWords = [
  'list',
  'create',
  'deactivate',
  'reactivate',
  'role',
  'key',
  'password',
  'link',
  'unlock',
  'export',
  'delete',
  'import',
  'sessions',
  'sign-out',
  'ssh-key',
];

/** Which of several running programs is meant. */
const target = {
  account: text('NAME', 'the Parley that has this account open', {completes: 'account'}),
  pid: number('PID', [1, 999_999_999], 'the Parley with this process number'),
  json,
  help,
};
const newest =
  'Of several running Parleys it asks the one that was started last, unless --account or --pid names another.';

/** The verbs that read and control a running Parley. */
export const controlRecords = {
  'ctl status': {
    needsMachine: true,
    summary: 'print unread counts of a running Parley, for status bars',
    ...takesOnly('[--format FORMAT]', [0, 0], {format: text('FORMAT', 'text with fields such as {unread}'), ...target}),
    notes: [
      'Fields: account, organization, connection, unread, mentions, direct, unsent, all_unread, all_mentions, pid. What is between [ and ] is left out while its fields are 0 or empty.',
      'Reads a small file only. If no Parley runs, it prints a sentence on standard error and the exit code is 1.',
    ],
  },
  'ctl list': {
    needsMachine: true,
    summary: 'list the running Parleys and their accounts',
    ...takesOnly('', [0, 0], {json, help}),
  },
  'ctl commands': {
    needsMachine: true,
    summary: 'list the commands of a running Parley',
    ...takesOnly('', [0, 0], target),
    notes: ['Those that cannot run now say why.', newest],
  },
  'ctl run': {
    needsMachine: true,
    mustNotRepeat: true,
    summary: 'run a command in a running Parley, as its palette does',
    ...takesOnly('COMMAND', [1, 1], target),
    notes: ['COMMAND is an id that “ctl commands” lists. The exit code is 1 if the command was refused.', newest],
  },
  'ctl view': {
    needsMachine: true,
    summary: 'print the view and the selection of a running Parley',
    ...takesOnly('', [0, 0], target),
    notes: [newest],
  },
  'ctl watch': {
    needsMachine: true,
    summary: 'print messages, unread counts and connection changes as they come',
    ...takesOnly('[EVENT…]', [0, 3, ['message', 'unread', 'connection']], target),
    notes: ['EVENT is message, unread or connection. With --json, one object on each line.', newest],
  },
  'ctl call': {
    needsMachine: true,
    mustNotRepeat: true,
    summary: 'call a method of the control socket',
    ...takesOnly('METHOD [PARAMS]', [1, 2], target),
    notes: ['PARAMS is an object in JSON. The method rpc.discover lists all.', newest],
  },
} as const satisfies Readonly<Record<string, Verb>>;

/** The verbs about accounts, servers and the manual. */
export const programRecords = {
  api: {
    check: 'Look at the server before you repeat it.',
    summary: 'call an endpoint of the Zulip API',
    ...takes('METHOD PATH [KEY=VALUE…]', [2, 200, ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']]),
    notes: [
      'VALUE is sent unchanged; @FILE is the content of a file, - is standard input, @@TEXT is “@TEXT”. In a POST, file=@FILE uploads a file.',
      'Prints the response as JSON, also when the server rejects the request; the exit code then tells the reason.',
    ],
  },
  accounts: {
    needsMachine: true,
    parsesOwnArguments: true,
    summary: 'list accounts, choose the default, or remove one',
    ...takesOnly(['', 'default NAME', 'remove NAME'], [0, 100, ['list', 'default', 'remove']], {
      json,
      yes: flag('do not prompt', {short: 'y'}),
      'keep-data': flag('keep the saved messages, drafts and unsent messages of a removed account'),
      'discard-unsent': flag('with --yes, remove an account also if messages of it are unsent'),
      help,
    }),
  },
  login: {
    needsMachine: true,
    parsesOwnArguments: true,
    summary: 'add an account',
    ...takesOnly(['[URL]', 'URL --sso', '--zuliprc FILE'], [0, 100], {
      name: text('NAME', 'name of the account in Parley'),
      email: text('EMAIL', 'your e-mail address on the server'),
      sso: flag('log in with the browser; --sso=NAME names one of several logins', {takesValue: true}),
      'password-stdin': flag('read the password from standard input'),
      'key-stdin': flag('read the API key from standard input'),
      zuliprc: text('FILE', 'read everything from a zuliprc', {completes: 'file'}),
      'cert-bundle': text('FILE', 'trust the certificate authorities in FILE', {completes: 'file'}),
      insecure: flag('accept any certificate'),
      help,
    }),
  },
  doctor: {
    needsMachine: true,
    parsesOwnArguments: true,
    summary: 'check the machine, the account and the terminal',
    ...takesOnly('', [0, 0], {json, account, config, help}),
  },
  serve: {
    needsMachine: true,
    parsesOwnArguments: true,
    summary: 'run an organization on this machine',
    ...takesOnly('[--data DIR | --memory] [--world demo|empty] …', [0, 0], {
      host: text('HOST', 'address to listen on'),
      port: number('PORT', [0, 65_535], 'port to listen on'),
      url: text('URL', 'address that users open'),
      'tls-cert': text('FILE', 'serve HTTPS with this certificate', {completes: 'file'}),
      'tls-key': text('FILE', 'key of the certificate', {completes: 'file'}),
      insecure: flag('allow plain HTTP for other machines'),
      data: text('DIR', 'store everything in DIR', {completes: 'file'}),
      create: flag('create an organization if there is none'),
      'org-name': text('NAME', 'name of a new organization'),
      'owner-name': text('NAME', 'name of its owner'),
      'owner-email': text('EMAIL', 'e-mail address of its owner'),
      'owner-password-file': text('FILE', 'read the password of its owner from FILE, or - for standard input', {
        completes: 'file',
      }),
      'new-secret': flag('make a new secret if it is lost'),
      memory: flag('store nothing on disk'),
      world: choice(['demo', 'empty'], 'content of a new organization'),
      size: choice(['small', 'large', 'huge'], 'size of the demo'),
      bots: choice(['on', 'quiet', 'off'], 'activity of the demo bots'),
      'feature-level': text('N', 'behave like an older server'),
      'ready-file': text('FILE', 'write a description of the server once it is ready', {completes: 'file'}),
      'rate-limit': choice(['on', 'off'], 'limit requests'),
      'trust-proxy': flag('a proxy names the address of each client'),
      reactivate: flag('make a deactivated organization usable again'),
      'while-used': number('SECONDS', [0, 86_400], 'stop when unused for this long'),
      smtp: text('URL', 'send e-mail through this server'),
      'smtp-insecure': flag('send the password of --smtp also to a server that offers no TLS'),
      'mail-from': text('ADDRESS', 'address that e-mail comes from'),
      metrics: text('[HOST:]PORT', 'serve numbers for Prometheus'),
      ssh: number('PORT', [0, 65_535], 'serve the screen over SSH at this port'),
      'ssh-host': text('HOST', 'address that SSH listens on'),
      'log-format': choice(['text', 'json'], 'format of the log'),
      'log-file': text('FILE', 'append the log to FILE', {completes: 'file'}),
      'test-hooks': flag('let tests cause faults'),
      help,
    }),
  },
  'serve backup': {
    summary: 'make a backup of an organization, also while its server runs',
    ...takesData(['OUT --data DIR [--keep N] [--full] [--verify]', 'BACKUP --verify'], [0, 1, 'file'], {
      keep: number('N', [1, 100_000], 'delete all but the newest N backups in OUT'),
      full: flag('copy all files, also those that the previous backup has'),
      verify: flag('check the new backup; without --data, one that exists', {takesValue: true}),
    }),
    notes: [
      'OUT is a folder of backups: each run adds one, named by the time. Uploaded files that the previous backup has too are stored once (hard links).',
      'The copy is checked before an older one is deleted. If the data is damaged, the copy gets a name with “.damaged”, nothing is deleted, and the exit code is 1.',
      '--verify compares each file with the list of the backup and checks the database, for the new backup before older ones are deleted, or for an existing one (or the newest one in a folder); the exit code is 1 if something is wrong.',
      'A backup contains all messages, and the secret that all API keys derive from. Keep it as private as the server.',
    ],
  },
  'serve restore': {
    summary: 'put a backup into a new data directory',
    ...takesData('BACKUP --data DIR', [1, 1, 'file']),
    notes: [
      'BACKUP is a backup, or a folder of backups: then the newest is used. All of it is checked before DIR appears; DIR must be new or empty.',
    ],
  },
  'serve check': {
    summary: 'check whether the data of an organization is whole',
    ...takesData('--data DIR', [0, 0]),
    notes: [
      'Prints one sentence for each problem; the exit code is then 1. Also prints how much of the database is free. Changes nothing.',
    ],
  },
  'serve status': {
    summary: 'show whether the server of an organization runs, and what it needs',
    ...takesData('--data DIR', [0, 0]),
    notes: ['The exit code is 1 if the server does not run, or if there is a warning.'],
  },
  'serve user': {
    mustNotRepeat: true,
    summary: 'list, create and change the users of an organization on this machine',
    asks: {question: 'Delete this person for good?', word: 'delete'},
    ...takesData(
      [
        'list --data DIR',
        'create EMAIL --name NAME [--role ROLE] --data DIR',
        'deactivate|reactivate EMAIL… [--dry-run] --data DIR',
        'import FILE.csv [--invite] [--dry-run] --data DIR',
        'sessions EMAIL --data DIR',
        'sign-out EMAIL --data DIR',
        'export EMAIL OUT --data DIR',
        'delete EMAIL [--erase-messages] [--yes] --data DIR',
        'role EMAIL… ROLE [--dry-run] --data DIR',
        'key EMAIL… [--file FILE | --print] [--dry-run] --data DIR',
        'password EMAIL [--stdin] --data DIR',
        'link EMAIL --data DIR',
        'unlock EMAIL --data DIR',
        'ssh-key list EMAIL --data DIR',
        'ssh-key add EMAIL FILE --data DIR',
        'ssh-key remove EMAIL FINGERPRINT --data DIR',
      ],
      [1, 10_000, userWords],
      {
        name: text('NAME', 'full name of the new user'),
        role: choice(roleChoices, 'role of the new user (member)'),
        file: text('FILE', 'write the zuliprc with the new key to FILE', {completes: 'file'}),
        print: flag('print the new key instead'),
        stdin: flag('read the password from standard input'),
        'erase-messages': flag('delete the messages of a deleted person too'),
        'dry-run': flag('say what would be changed, or why not, and change nothing'),
        invite: flag('invite imported people by e-mail, instead of creating accounts'),
        yes,
      },
    ),
    notes: [
      '“key” replaces the API key: the old one stops working at once. The new one goes into a file that only you can read, below DIR unless --file names another.',
      '“link” prints the address of a page on which the person sets a password. It works once, for three days.',
      '“export” writes everything about a person into the new folder OUT: profile, settings, their messages and direct conversations, each table that names them, and their files.',
      '“delete” removes the account and what belongs to it for good. Messages stay under “Deleted user” unless --erase-messages is given; files that no message links to are deleted. It says what stays.',
      'FILE.csv has the columns name, email, role, channels and groups in any order; the last three may be missing, and several channels have “;” between them. If one person is refused, nobody is imported; the same is true for the changes of several accounts.',
      '“sessions” lists the clients that are connected; “sign-out” ends all logins of a person by a new API key.',
      '“unlock” forgets wrong passwords: after five from one address, or a hundred from all, an account cannot log in there for half an hour. A new password does it too.',
      '“ssh-key add” takes a .pub file of OpenSSH, or - for standard input: with the key, the person logs in where “serve --ssh” runs. “remove” ends its connections.',
      'Needs no account. What changes is seen by everyone who is connected; people are told by the notification bot.',
    ],
  },
  'serve log': {
    summary: 'show who changed what in an organization on this machine',
    ...takesData('--data DIR [--since WHEN] [--actor EMAIL]', [0, 0], {
      since: text('WHEN', 'changes since this time: 2h, 3d, 2026-05-01'),
      actor: text('EMAIL', 'changes by this account, or by “operator”'),
    }),
    notes: [
      'Has ids, names of settings and values that are no texts. Logins and refused requests are in the log that the server writes.',
    ],
  },
  'serve mail': {
    mustNotRepeat: true,
    summary: 'try the mail server of a running server, and show which e-mails wait',
    ...takesData(
      ['queue --data DIR', 'test ADDRESS --data DIR', 'retry --data DIR'],
      [1, 2, ['queue', 'test', 'retry']],
    ),
    notes: [
      '“queue” lists the e-mails that wait, with the last error, and for a month those that were given up. “retry” tries all of them now.',
      '“test” sends an e-mail at once; the exit code is 1 if the mail server does not take it.',
    ],
  },
  'serve org': {
    summary: 'show or change the settings of an organization on this machine',
    asks: {question: 'Replace the secret? Everybody has to log in again.', word: 'rotate-secret'},
    ...takesData(
      [
        'show --data DIR',
        'limits --data DIR',
        'set NAME VALUE --data DIR',
        'restore-messages --data DIR',
        'rotate-secret [--dry-run | --yes] --data DIR',
      ],
      [1, 3, ['show', 'limits', 'set', 'restore-messages', 'rotate-secret']],
      {'dry-run': flag('say what a new secret would end, and change nothing'), yes},
    ),
    notes: [
      'NAME is a name that “show” lists, and VALUE a value as it prints it: a number, true, false, a text, or for permissions the name of a group, such as role:members.',
      '“rotate-secret” replaces the secret that all API keys derive from, also in a running server. Passwords stay.',
      '“restore-messages” puts back the messages that were deleted in the last 30 days because of message_retention_days.',
    ],
  },
  'serve export': {
    summary: 'write an organization as a data export of Zulip',
    ...takesData(
      '--data DIR OUT [--zulip-version 12.0] [--target-ids FILE] [--public-only | --consented] [--received-days N]',
      [1, 1, 'file'],
      {
        'zulip-version': text('VERSION', 'version of the server that imports it (12.0)'),
        'target-ids': text('FILE', 'next ids of that server, so that links lead to the same messages there'),
        'public-only': flag('leave out private messages and what belongs to one person'),
        consented: flag('leave out the private data of people who did not agree to its export'),
        'received-days': number('N', [0, 100_000], 'name all receivers only of messages of the last N days'),
      },
    ),
    notes: [
      'Writes the directory OUT and the archive OUT.tar.gz, which must not exist. They contain everybody’s private messages and files unless --public-only or --consented is given: keep them as safe as the data directory.',
      'A Zulip server gives new ids to messages, channels, people and groups. With --target-ids, links and mentions have these ids; without it, they have names, and links to messages lead to their topics.',
      'In a big organization, most of an export says who received which message. With --received-days, older messages that somebody has read stay in their channels but leave the person’s combined feed.',
      '“parley help moving” says how to import it into a Zulip server.',
    ],
  },
  'serve import': {
    summary: 'move an organization from a Zulip server to this machine',
    ...takesData(
      'FILE --data DIR',
      [1, 1, 'file'],
      {
        'max-size': number(
          'GIB',
          [1, 100_000],
          'the size of the unpacked export above which the import stops, in GiB (50)',
        ),
      },
      'the new data directory',
    ),
    notes: [
      'FILE is an export of Zulip 7 to 12 or of “parley serve export”: the .tar.gz, or the directory it unpacks to. DIR must not exist, or be empty.',
      'Prints how many rows of each table were imported, and what was not. If something is wrong with the export, nothing is imported.',
    ],
  },
  render: {
    summary: 'show Markdown from standard input as a message',
    ...takesOnly('[--width N] [--world FILE] < FILE', [0, 0], {
      width: number('N', [1, 1000], 'width in columns (default: as the terminal, else 80)'),
      color: colorDepth,
      world: text('FILE', 'JSON with the users, channels and settings of an organization', {completes: 'file'}),
      expanded: flag('show spoilers'),
      json,
      help,
    }),
    notes: [
      'FILE may have "realm_url", "users" ({"id", "full_name"}), "groups" ({"id", "name", "members"}), "channels" ({"id", "name"}), "linkifiers" ({"pattern", "url_template"}), "emoji" or "custom_emoji" ({"id", "name", "source_url"}), "self" (an id), "sender" (a name, for /me), "alert_words", "time_zone", "hour12", "translate_emoticons", "default_code_language".',
      'With --json: {"lines": […], "links": [{"text", "url"}…]}, with spoilers shown, without link numbers and file marks, and 300 columns wide unless --width is given.',
    ],
  },
  webhook: {
    summary: 'make the address of a webhook that turns JSON of any form into messages',
    ...takesOnly('URL --content TEMPLATE [--topic TEMPLATE] [--try FILE]', [1, 1], {
      content: text('TEMPLATE', 'the text of the message, such as “{{user.name}}: {{title}}”'),
      topic: text('TEMPLATE', 'its topic, such as “{{repository.name}}”'),
      try: text('FILE', 'print what the JSON in FILE (- for standard input) becomes, instead of the address', {
        completes: 'file',
      }),
      json,
      help,
    }),
    notes: [
      'URL is what “w” copies on the card of an incoming-webhook bot. Nothing is sent.',
      '{{path.to.value}} is a value, {{value|line}} its first line, {{#if path}}…{{else}}…{{/if}} a choice, {{#if path = word}} a comparison, and {{#each list}}…{{/each}} repeats.',
    ],
  },
  help: {
    summary: 'show a chapter of the manual, or the options of a verb',
    ...takesOnly('[TOPIC | VERB]', [0, 1, manualTopics.map(({id}) => id)], {color: colorDepth, help}),
    notes: manualTopics.map(({id, summary}) => `parley help ${id}: ${summary}.`),
  },
  licenses: {
    summary: 'show the licences of Parley and of everything in its packages',
    ...takesOnly('', [0, 0], {help}),
    notes: [
      'Uses the pager in $PAGER, or less, on a terminal. The npm package also has the text as share/doc/parley/THIRD-PARTY-NOTICES.',
    ],
  },
  man: {
    summary: 'print the man page',
    ...takesOnly('', [0, 0], {help}),
    notes: ['“parley man | man -l -” shows it. A package installs it as share/man/man1/parley.1.'],
  },
  completion: {
    summary: 'print a completion script for a shell',
    ...takesOnly('bash|zsh|fish', [1, 1, ['bash', 'zsh', 'fish']], {help}),
    notes: [
      'bash: eval "$(parley completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. fish: parley completion fish > ~/.config/fish/completions/parley.fish',
    ],
  },
} as const satisfies Readonly<Record<string, Verb>>;
