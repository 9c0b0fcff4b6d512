/** Facts that both the manual and the man page list. A text between backticks is literal. */
type Rows = readonly (readonly [name: string, description: string])[];

export const examples = [
  'make test || parley send --to "#builds>nightly" -m "It failed on $(hostname)."',
  'dmesg | tail | parley send --to "@Maren Holm" --queue',
  'parley unread --json | jq .total',
  'parley read is:mentioned --since 1d',
  'parley tail "#support" | grep --line-buffered -i outage',
  'parley schedule --to "#team>standup" --at "tomorrow 9:00" -m "What is planned today?"',
  'parley read is:starred -n 500 --json | jq .id | xargs parley unstar',
  'parley export "#team>retro" ./retro',
  'parley channel create incident-42 --privacy private --user oncall@example.com',
] as const;

/** The files that Parley reads and writes. A path that ends with a slash stands for all files below it. */
export const files: Rows = [
  ['~/.config/parley/accounts/*.zuliprc', 'the accounts that `parley login` added, with their API keys'],
  ['~/.config/parley/default-account', 'the name of the default account'],
  ['~/.config/parley/config.toml, ~/.config/parley/keys.toml', 'your settings and keys'],
  [
    '~/.local/share/parley/accounts/*.db, ~/.local/share/parley/accounts/*.db-*',
    'one database per account: saved messages, outbox, drafts, undo history, snoozes',
  ],
  ['~/.local/share/parley/accounts/*.db.*', 'locks, which are empty, and damaged databases that were set aside'],
  ['~/.local/share/parley/demo-*/', 'the demo organization: its server’s data, and the demo accounts'],
  ['~/.local/state/parley/parley.log*', 'the log; it contains no messages and no keys'],
  ['~/.local/state/parley/embedded.log', 'the log of the server of the demo organization'],
  ['~/.local/state/parley/crashed', 'why Parley crashed, until the next start has told you'],
  ['~/.local/state/parley/*.lock', 'locks, which are empty'],
  ['~/.local/state/parley/run/', 'the text that an editor has open'],
  ['~/.cache/parley/first-frame', 'the last screen as text, which the next start shows at once'],
  ['~/.cache/parley/*.cache', 'the compiled program, if its own folder is not writable'],
  ['~/Downloads/', 'files that you save'],
  ['~/zuliprc, ~/.zuliprc', 'the account to use if none was added with `parley login`'],
];

/** The environment variables, except those of settings and those that identify the terminal or desktop. */
export const environmentVariables: Rows = [
  ['ZULIP_CONFIG', 'the zuliprc of the account to use, unless `--account` or `--config` is given'],
  ['ACCESSIBLE', 'if set and not `0`: use lines of text instead of a full screen, as with `--plain`'],
  ['CI', 'if set and not `0` or `false`: print the unread conversations instead of opening the screen'],
  ['NO_COLOR', 'if not empty: use no colours, unless `--color` asks for them'],
  [
    'FORCE_COLOR',
    'number of colours of the screen and the manual: `0`: none, `1`: 16, `2`: 256, `3`: all; overrides `NO_COLOR`',
  ],
  ['TERM, COLORTERM', 'what the terminal can show'],
  ['LC_ALL, LC_CTYPE, LANG', 'the locale: the character set of the terminal, unless its own reply says otherwise'],
  ['VISUAL, EDITOR', 'the editor for messages'],
  ['PAGER', 'the program that shows a chapter of the manual (`less`); `cat` prints it'],
  ['BROWSER', 'the programs that open links, separated by colons; `%s` is the address'],
  ['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY', 'the URL of the proxy; names in lower case work too and win'],
  ['NO_PROXY', 'hosts to connect to without the proxy'],
  ['SSL_CERT_FILE', 'a file with all trusted certificate authorities'],
  [
    'XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME',
    'replace `~/.config`, `~/.local/share`, `~/.local/state` and `~/.cache`',
  ],
  ['XDG_RUNTIME_DIR', 'the directory for files that an editor opens'],
  ['XDG_DOWNLOAD_DIR', 'the directory for downloaded files (`~/Downloads`)'],
];

/** Returns the rows as a table for the manual, in Markdown. */
export function rowsMarkdown(heads: readonly [string, string], rows: Rows): string {
  const lines = rows.map(([name, description]) => `| \`${name.replaceAll(', ', '`, `')}\` | ${description} |`);
  return [`| ${heads.join(' | ')} |`, '| --- | --- |', ...lines].join('\n');
}
