interface SecretShape {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Only patterns that are almost never anything else, because users ignore warnings that are often wrong. */
const shapes: readonly SecretShape[] = [
  {name: 'a private key', pattern: /-----BEGIN (?:[A-Z0-9]{2,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/},
  {
    name: 'an API key from a zuliprc file',
    pattern: /^[ \t]{0,8}(?:api_?)?key[ \t]{0,8}[=:][ \t]{0,8}["']?[A-Za-z0-9]{32}["']?[ \t]{0,8}$/im,
  },
  {name: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40})/},
  {name: 'a GitLab token', pattern: /\bglpat-[\w-]{20}/},
  {name: 'a Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10}/},
  {name: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/},
  {name: 'a Google API key', pattern: /\bAIza[\w-]{35}/},
  {name: 'a Stripe secret key', pattern: /\b[sr]k_live_[A-Za-z0-9]{16}/},
  {name: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}/},
  {name: 'an access token', pattern: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,2000}\.[\w-]{20}/},
  {
    name: 'a password in a web address',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{3,100}@/i,
  },
];

/** Returns the kind of secret that a text contains, such as `a private key`; undefined for none. */
export function secretIn(text: string): string | undefined {
  return shapes.find(({pattern}) => pattern.test(text))?.name;
}
