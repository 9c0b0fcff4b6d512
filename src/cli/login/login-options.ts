import {parseArgs} from 'node:util';
import {asUsageError, UsageError} from '#cli/usage-error.ts';
import {isAccountName} from '#config/named-accounts.ts';

export const loginHelp = `parley login: add an account

  parley login [URL]            asks for what is missing
  parley login URL --email E --key-stdin < key
  parley login --zuliprc FILE

  URL                    the server: chat.example.com, or any address of it from a browser
  --name NAME            what to call the account here (from the server's name)
  --email EMAIL          who you are there
  --password-stdin       read the password from standard input
  --key-stdin            read the API key from standard input
  --zuliprc FILE         take everything from a zuliprc; “-” is standard input
  --cert-bundle FILE     trust the authorities in FILE (PEM)
  --insecure             trust any certificate: whoever is in between can read along
`;

export interface LoginOptions {
  readonly url: string | undefined;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** What standard input holds, if it is not somebody to ask. */
  readonly stdin: 'password' | 'key' | undefined;
  readonly zuliprc: string | undefined;
  readonly certBundle: string | undefined;
  readonly insecure: boolean;
}

const flags = {
  name: {type: 'string'},
  email: {type: 'string'},
  'password-stdin': {type: 'boolean'},
  'key-stdin': {type: 'boolean'},
  zuliprc: {type: 'string'},
  'cert-bundle': {type: 'string'},
  insecure: {type: 'boolean'},
  help: {type: 'boolean', short: 'h'},
} as const;

/** Checked options; `canAsk` says whether somebody is there to be asked for what is missing. */
export function parseLoginOptions(argv: readonly string[], canAsk: boolean): LoginOptions | 'help' {
  const {values, positionals} = parse(argv);
  if (values.help === true) return 'help';
  const [url, ...more] = positionals;
  if (more.length > 0) throw new UsageError('“parley login” takes one address.');
  const sources = [values['password-stdin'], values['key-stdin'], values.zuliprc !== undefined];
  if (sources.filter((given) => given === true).length > 1) {
    throw new UsageError('Give one of --password-stdin, --key-stdin and --zuliprc.');
  }
  const stdin =
    values['password-stdin'] === true ? 'password' : values['key-stdin'] === true ? 'key' : undefined;
  if (values.zuliprc !== undefined && (url !== undefined || values.email !== undefined)) {
    throw new UsageError('A zuliprc says where and who: leave out the address and --email.');
  }
  if (values.name !== undefined && !isAccountName(values.name)) {
    throw new UsageError(
      `“${values.name}” cannot name an account: letters, digits, “.”, “-”, “_” and “@” can.`,
    );
  }
  const complete =
    values.zuliprc !== undefined || (url !== undefined && values.email !== undefined && stdin !== undefined);
  if (!complete && (!canAsk || stdin !== undefined)) {
    throw new UsageError(
      'Nobody can be asked here: give the address, --email, and --password-stdin or --key-stdin, or else --zuliprc FILE.',
    );
  }
  return {
    url,
    name: values.name,
    email: values.email,
    stdin,
    zuliprc: values.zuliprc,
    certBundle: values['cert-bundle'],
    insecure: values.insecure === true,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({args: [...argv], options: flags, allowPositionals: true});
  } catch (error) {
    throw asUsageError(error, '“parley login --help” lists the options.');
  }
}
