import {print} from '#cli/io.ts';
import {version} from '#cli/version.ts';
import {settingTable, variableOf} from '#config/settings.ts';
import {manualTopics} from '#content/manual/manual-topics.ts';
import {commonOptions, type Option, type OptionTable} from './verb.ts';
import {exitCodeRows, optionUsage, tagline} from './verb-help.ts';
import type {VerbRunner} from './verb-table.ts';
import {type VerbName, verbNames, verbOf} from './verb-table.ts';

export const man: VerbRunner<'man'> = async (_arguments, io) => {
  print(io, manPage(version()));
  return undefined;
};

const description =
  'Parley is a chat client for Zulip servers. Without a verb it opens the screen: the unread messages, or WHERE. Other verbs send and print messages in scripts, manage accounts, or run a server. An error is one sentence on standard error.';

/** Returns the man page in roff with man macros. It has no date, so that a version always has the same page. */
export function manPage(ofVersion: string): string {
  return [
    `.TH PARLEY 1 "" "Parley ${roffText(ofVersion)}" "User Commands"`,
    // Commands and options are not hyphenated, and lines are not stretched.
    '.nh',
    '.ad l',
    '.SH NAME',
    roffText(`parley - ${tagline}`),
    '.SH SYNOPSIS',
    ...usageLines(['parley [OPTION…] [WHERE]', 'parley VERB [OPTION…] [ARGUMENT…]', 'parley --help | --version']),
    '.SH DESCRIPTION',
    roffText(description),
    '.SH COMMANDS',
    '.SS Common options',
    ...Object.entries(commonOptions).flatMap(optionEntry),
    ...verbNames.flatMap(verbSection),
    '.SH EXIT STATUS',
    ...exitCodeRows().flatMap(([code, meaning]) => entry(bold(String(code)), meaning)),
    '.SH ENVIRONMENT',
    ...environmentVariables.flatMap(([names, meaning]) => entry(bold(names), meaning)),
    ...paragraphs(['These variables override `config.toml`; `parley help settings` lists their values:']),
    ...Object.values(settingTable).flatMap((setting) => entry(bold(variableOf(setting.name)), setting.description)),
    '.SH FILES',
    ...files.flatMap(([paths, content]) => entry(italic(paths), content)),
    '.SH EXAMPLES',
    '.EX',
    ...examples.map(roffText),
    '.EE',
    '.SH SEE ALSO',
    manualTopics.map(({id}) => bold(`parley help ${id}`)).join(', '),
  ].join('\n');
}

function verbSection(name: VerbName): string[] {
  const {summary, usage, options, notes = []} = verbOf(name);
  const all = Object.entries(options);
  const own = all.filter((each) => !isCommon(each));
  const common = all.filter(isCommon).map(([key]) => `\`--${key}\``);
  const firstWithOptions = verbNames.find((each) => verbOf(each).options === options);
  const isRepeated = own.length > 0 && firstWithOptions !== name;
  return [
    `.SS ${roffText(name)}`,
    ...usageLines(usage.map((each) => `parley ${name} ${each}`.trimEnd())),
    ...paragraphs([sentence(summary)]),
    ...(isRepeated ? [] : own.flatMap(optionEntry)),
    ...paragraphs([
      isRepeated ? `The options are those of \`${firstWithOptions}\`.` : `Common options: ${common.join(', ')}.`,
      ...notes,
    ]),
  ];
}

function isCommon([key, option]: [string, Option]): boolean {
  const common: OptionTable = commonOptions;
  return common[key] === option;
}

function optionEntry([key, option]: [string, Option]): string[] {
  return entry(synopsis(optionUsage(key, option)), option.summary);
}

/** Returns the lines of a tag and the indented description below it. */
function entry(tag: string, text: string): string[] {
  return ['.TP', tag, textLine(sentence(text))];
}

function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap((text) => ['.PP', textLine(text)]);
}

function usageLines(usages: readonly string[]): string[] {
  return usages.flatMap((usage, at) => [...(at === 0 ? [] : ['.br']), synopsis(usage)]);
}

/** Returns the text as a sentence. A file name at its start, such as `config.toml`, keeps its first letter. */
function sentence(text: string): string {
  return `${text.replace(/^[a-z](?=[a-z]*[ ,:;]|[a-z]*$)/, (letter) => letter.toUpperCase())}.`;
}

const bold = (text: string) => `\\fB${roffText(text)}\\fR`;
const italic = (text: string) => `\\fI${roffText(text)}\\fR`;

/** Returns a usage with its placeholders, the words in capitals, in italics and its other words in bold. */
function synopsis(usage: string): string {
  const parts = usage.split(/([A-Z]+|[a-z\d-]+)/);
  return parts
    .map((part, at) => (at % 2 === 0 ? roffText(part) : /[A-Z]/.test(part) ? italic(part) : bold(part)))
    .join('');
}

/** Returns a line with the text between backticks in bold. */
function textLine(text: string): string {
  const parts = text.split('`');
  return parts.map((part, at) => (at % 2 === 0 ? roffText(part) : bold(part))).join('');
}

/** ASCII characters that roff interprets or prints as typographic ones, and characters that every device has. */
const glyphs: Readonly<Record<string, string>> = {
  '\\': '\\(rs',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '“': '\\(lq',
  '”': '\\(rq',
  '’': '\\(cq',
  '…': '...',
};

/** Returns the text so that roff prints it as it is, wherever it stands in a line or in a quoted argument. */
export function roffText(text: string): string {
  const escaped = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\\-'"`^~]|[^ -~]/gu, (character) => glyphs[character] ?? unicodeEscape(character));
  // A dot at the start of a line would make it a request.
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}

/** Returns the name of a glyph by its decomposed code points, as groff requires. */
function unicodeEscape(character: string): string {
  const codes = [...character.normalize('NFD')].map((each) => each.codePointAt(0)?.toString(16).toUpperCase());
  return `\\[u${codes.map((code) => code?.padStart(4, '0')).join('_')}]`;
}

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
  ['~/.config/parley/commands.toml', 'your own commands'],
  ['~/.local/state/parley/commands-allowed', 'the checksum of the commands.toml that you allowed to run programs'],
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
  [
    '~/.local/state/parley/run/',
    'the text that an editor has open, and the control socket and status file of a running Parley',
  ],
  ['~/.cache/parley/images/', 'images that were shown, for each account, up to the setting `image_cache_mib`'],
  ['~/.cache/parley/first-frame', 'the last screen as text, which the next start shows at once'],
  ['~/.cache/parley/*.cache', 'the compiled program, if its own folder is not writable'],
  ['~/Downloads/', 'files that you save'],
  ['~/zuliprc, ~/.zuliprc', 'the account to use if none was added with `parley login`'],
];

/** The environment variables, except those of settings and those that identify the terminal or desktop. */
export const environmentVariables: Rows = [
  ['PARLEY_SMTP', 'the value of `--smtp` of `parley serve`, where other users of the machine do not see its password'],
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
  [
    'LC_ALL, LC_TIME, LANG',
    'the locale: the order of dates, the first day of a week, and the clock if the account leaves it open',
  ],
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
  ['XDG_RUNTIME_DIR', 'the directory for files that an editor opens, and for the control socket'],
  ['XDG_DOWNLOAD_DIR', 'the directory for downloaded files (`~/Downloads`)'],
];
