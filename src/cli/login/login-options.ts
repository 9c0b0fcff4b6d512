import {parseArgs} from 'node:util';
import {asUsageError, UsageError} from '#cli/usage-error.ts';
import {isAccountName} from '#config/named-accounts.ts';

export const loginHelp = `parley login: add an account

  parley login [URL]            prompts for missing values
  parley login URL --sso
  parley login URL --email E --key-stdin < key
  parley login --zuliprc FILE

  URL                    the server: chat.example.com, or any address of it from a browser
  --name NAME            name of the account in Parley (default: from the organization's name)
  --email EMAIL          your e-mail address on the server
  --sso[=NAME]           log in with the browser, as with Google or SAML; NAME is one of several
  --password-stdin       read the password from standard input
  --key-stdin            read the API key from standard input
  --zuliprc FILE         read everything from a zuliprc; “-” is standard input
  --cert-bundle FILE     trust the authorities in FILE (PEM)
  --insecure             accept any certificate: others could intercept the connection
`;

export interface LoginOptions {
  readonly url: string | undefined;
  readonly name: string | undefined;
  readonly email: string | undefined;
  /** The name of a login with the browser; empty if the only one is meant, or if the user chooses. */
  readonly sso: string | undefined;
  /** What standard input contains, when it is not the terminal. */
  readonly stdin: 'password' | 'key' | undefined;
  readonly zuliprc: string | undefined;
  readonly certBundle: string | undefined;
  readonly insecure: boolean;
}

const flags = {
  name: {type: 'string'},
  email: {type: 'string'},
  sso: {type: 'string'},
  'password-stdin': {type: 'boolean'},
  'key-stdin': {type: 'boolean'},
  zuliprc: {type: 'string'},
  'cert-bundle': {type: 'string'},
  insecure: {type: 'boolean'},
  help: {type: 'boolean', short: 'h'},
} as const;

/** Parses the options. `canAsk` is whether missing values can be prompted for. */
export function parseLoginOptions(argv: readonly string[], canAsk: boolean): LoginOptions | 'help' {
  const {values, positionals} = parse(argv);
  if (values.help === true) return 'help';
  const [url, ...more] = positionals;
  if (more.length > 0) throw new UsageError('“parley login” takes one address.');
  const sources = [
    values['password-stdin'],
    values['key-stdin'],
    values.zuliprc !== undefined,
    values.sso !== undefined,
  ];
  if (sources.filter((isUsed) => isUsed === true).length > 1) {
    throw new UsageError('Use only one of --sso, --password-stdin, --key-stdin and --zuliprc.');
  }
  const stdin = values['password-stdin'] === true ? 'password' : values['key-stdin'] === true ? 'key' : undefined;
  if (values.zuliprc !== undefined && (url !== undefined || values.email !== undefined)) {
    throw new UsageError('A zuliprc contains the address and e-mail: leave out URL and --email.');
  }
  if (values.name !== undefined && !isAccountName(values.name)) {
    throw new UsageError(`“${values.name}” is not a valid account name. Use letters, digits, “.”, “-”, “_” and “@”.`);
  }
  const complete =
    values.zuliprc !== undefined || (url !== undefined && values.email !== undefined && stdin !== undefined);
  if (!complete && (!canAsk || stdin !== undefined)) {
    throw new UsageError(
      'Cannot prompt without a terminal. Give URL, --email, and --password-stdin or --key-stdin, or else --zuliprc FILE.',
    );
  }
  return {
    url,
    name: values.name,
    email: values.email,
    sso: values.sso,
    stdin,
    zuliprc: values.zuliprc,
    certBundle: values['cert-bundle'],
    insecure: values.insecure === true,
  };
}

function parse(argv: readonly string[]) {
  try {
    // Its value is optional, which parseArgs cannot express.
    const args = argv.map((arg) => (arg === '--sso' ? '--sso=' : arg));
    return parseArgs({args, options: flags, allowPositionals: true});
  } catch (error) {
    throw asUsageError(error, '“parley login --help” lists the options.');
  }
}
