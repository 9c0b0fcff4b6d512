import {print} from '#cli/io.ts';
import {version} from '#cli/version.ts';
import {settingTable, variableOf} from '#config/settings.ts';
import {manualTopics} from '#content/manual/manual-topics.ts';
import {readAsset} from '#std/program-files.ts';
import {commonOptions, type Option, type OptionTable} from './verb.ts';
import {exitCodeRows, optionUsage, tagline} from './verb-help.ts';
import {type VerbName, type VerbRunner, verbNames, verbOf} from './verb-table.ts';

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
    ...environmentVariables().flatMap(([names, meaning]) => entry(bold(names), meaning)),
    ...paragraphs(['These variables override `config.toml`; `parley help settings` lists their values:']),
    ...Object.values(settingTable).flatMap((setting) => entry(bold(variableOf(setting.name)), setting.description)),
    '.SH FILES',
    ...files().flatMap(([paths, content]) => entry(italic(paths), content)),
    '.SH EXAMPLES',
    '.EX',
    ...examples().map(roffText),
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

/** The names of things and what they are. A text between backticks is literal. */
type Rows = readonly (readonly [names: string, description: string])[];

/** Returns the lines of a chapter of the manual between the comments with this name. */
function manualLines(chapter: string, name: string): readonly string[] {
  const [, part = ''] = readAsset(`help/${chapter}.md`).split(new RegExp(`<!-- /?${name} -->`));
  return part.trim().split('\n');
}

/** Returns the rows of a table of the manual, below its head. */
function manualRows(chapter: string, name: string): Rows {
  return manualLines(chapter, name).flatMap((line, at) => {
    const [, names = '', description = ''] = /^\| (.*?) \| (.*) \|$/.exec(line) ?? [];
    return at < 2 ? [] : [[names.replaceAll('`', ''), description] as const];
  });
}

export function examples(): readonly string[] {
  return manualLines('command-line', 'examples').slice(1, -1);
}

/** Returns the files that Parley reads and writes. A path that ends with a slash stands for all files below it. */
export function files(): Rows {
  return manualRows('offline-and-privacy', 'files');
}

/** Returns the environment variables, except those of settings and those that identify the terminal or desktop. */
export function environmentVariables(): Rows {
  return manualRows('settings', 'environment');
}
