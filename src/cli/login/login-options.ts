import {UsageError} from '#cli/usage-error.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
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

export interface LoginOptions extends Pick<Values, 'name' | 'email' | 'zuliprc' | 'insecure'> {
  readonly url: string | undefined;
  /** The name of a login with the browser; empty if the only one is meant, or if the user chooses. */
  readonly sso: string | undefined;
  /** What standard input contains, when it is not the terminal. */
  readonly stdin: 'password' | 'key' | undefined;
  readonly certBundle: string | undefined;
}

type Values = VerbArguments<'login'>['values'];

/** Checks the options. `canAsk` is whether missing values can be prompted for. */
export function checkedLoginOptions({values, words}: VerbArguments<'login'>, canAsk: boolean): LoginOptions {
  const {name, email, sso, zuliprc, insecure} = values;
  const [url, ...more] = words;
  if (more.length > 0) throw new UsageError('“parley login” takes one address.');
  const sources = [values['password-stdin'], values['key-stdin'], zuliprc !== undefined, sso !== undefined];
  if (sources.filter((isUsed) => isUsed).length > 1) {
    throw new UsageError('Use only one of --sso, --password-stdin, --key-stdin and --zuliprc.');
  }
  const stdin = values['password-stdin'] ? 'password' : values['key-stdin'] ? 'key' : undefined;
  if (zuliprc !== undefined && (url !== undefined || email !== undefined)) {
    throw new UsageError('A zuliprc contains the address and e-mail: leave out URL and --email.');
  }
  if (name !== undefined && !isAccountName(name)) {
    throw new UsageError(`“${name}” is not a valid account name. Use letters, digits, “.”, “-”, “_” and “@”.`);
  }
  const isComplete = zuliprc !== undefined || (url !== undefined && email !== undefined && stdin !== undefined);
  if (!isComplete && (!canAsk || stdin !== undefined)) {
    throw new UsageError(
      'Cannot prompt without a terminal. Give URL, --email, and --password-stdin or --key-stdin, or else --zuliprc FILE.',
    );
  }
  return {url, name, email, sso, stdin, zuliprc, certBundle: values['cert-bundle'], insecure};
}
