export interface ExternalAccount {
  readonly name: string;
  readonly text: string;
  readonly hint: string;
  readonly url_pattern: string;
}

/** The services that a profile field can link to without a custom URL pattern. */
export const externalAccounts: Readonly<Record<string, ExternalAccount>> = {
  github: {
    name: 'GitHub username',
    text: 'GitHub',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
  twitter: {
    name: 'Twitter username',
    text: 'Twitter',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
};

export function externalAccount(subtype: unknown): ExternalAccount | undefined {
  return typeof subtype === 'string' && Object.hasOwn(externalAccounts, subtype)
    ? externalAccounts[subtype]
    : undefined;
}
