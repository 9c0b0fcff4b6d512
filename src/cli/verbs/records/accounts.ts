import {commonOptions, type Verb} from '#cli/verbs/verb.ts';

/** The verbs about accounts and servers. */
export const accountRecords = {
  api: {
    summary: 'call an endpoint of the Zulip API',
    usage: ['METHOD PATH [KEY=VALUE…]'],
    arguments: {min: 2, max: 200, completes: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']},
    options: commonOptions,
    notes: [
      'VALUE is sent unchanged; @FILE is the content of a file, - is standard input, @@TEXT is “@TEXT”. In a POST, file=@FILE uploads a file.',
      'Prints the response as JSON, also when the server rejects the request; the exit code then tells the reason.',
    ],
  },
  accounts: {
    parsesOwnArguments: true,
    summary: 'list accounts, choose the default, or remove one',
    usage: ['', 'default NAME', 'remove NAME'],
    arguments: {min: 0, max: 2, completes: ['list', 'default', 'remove']},
    options: {
      json: commonOptions.json,
      yes: {type: 'flag', short: 'y', summary: 'do not prompt'},
      help: commonOptions.help,
    },
  },
  login: {
    parsesOwnArguments: true,
    summary: 'add an account',
    usage: ['[URL]', 'URL --sso', '--zuliprc FILE'],
    arguments: {min: 0, max: 1},
    options: {
      name: {type: 'text', value: 'NAME', summary: 'name of the account in Parley'},
      email: {type: 'text', value: 'EMAIL', summary: 'your e-mail address on the server'},
      sso: {type: 'flag', summary: 'log in with the browser; --sso=NAME names one of several logins'},
      'password-stdin': {type: 'flag', summary: 'read the password from standard input'},
      'key-stdin': {type: 'flag', summary: 'read the API key from standard input'},
      zuliprc: {type: 'text', value: 'FILE', completes: 'file', summary: 'read everything from a zuliprc'},
      'cert-bundle': {
        type: 'text',
        value: 'FILE',
        completes: 'file',
        summary: 'trust the certificate authorities in FILE',
      },
      insecure: {type: 'flag', summary: 'accept any certificate'},
      help: commonOptions.help,
    },
  },
  doctor: {
    parsesOwnArguments: true,
    summary: 'check the machine, the account and the terminal',
    usage: [''],
    arguments: {min: 0, max: 0},
    options: {
      json: commonOptions.json,
      account: commonOptions.account,
      config: commonOptions.config,
      help: commonOptions.help,
    },
  },
  serve: {
    parsesOwnArguments: true,
    summary: 'run an organization on this machine',
    usage: ['[--data DIR | --memory] [--world demo|empty] …'],
    arguments: {min: 0, max: 0},
    options: {
      host: {type: 'text', value: 'HOST', summary: 'address to listen on'},
      port: {type: 'text', value: 'PORT', summary: 'port to listen on'},
      url: {type: 'text', value: 'URL', summary: 'address that users open'},
      data: {type: 'text', value: 'DIR', completes: 'file', summary: 'store everything in DIR'},
      memory: {type: 'flag', summary: 'store nothing on disk'},
      world: {type: 'choice', choices: ['demo', 'empty'], summary: 'content of a new organization'},
      size: {type: 'choice', choices: ['small', 'large', 'huge'], summary: 'size of the demo'},
      bots: {type: 'choice', choices: ['on', 'quiet', 'off'], summary: 'activity of the demo bots'},
      'feature-level': {type: 'text', value: 'N', summary: 'behave like an older server'},
      'ready-file': {
        type: 'text',
        value: 'FILE',
        completes: 'file',
        summary: 'write a description of the server once it is ready',
      },
      'rate-limit': {type: 'choice', choices: ['on', 'off'], summary: 'limit requests'},
      'trust-proxy': {type: 'flag', summary: 'a proxy names the address of each client'},
      reactivate: {type: 'flag', summary: 'make a deactivated organization usable again'},
      'while-used': {type: 'text', value: 'SECONDS', summary: 'stop when unused for this long'},
      'test-hooks': {type: 'flag', summary: 'let tests cause faults'},
      help: commonOptions.help,
    },
  },
} as const satisfies Readonly<Record<string, Verb>>;
