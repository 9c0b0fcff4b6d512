import {exitCodes} from '#cli/io.ts';
import {manualTopics} from '#content/manual/manual-topics.ts';
import type {Option} from './verb.ts';
import {firstWords, isVerbName, type VerbName, verbGroups, verbOf, verbsBelow} from './verb-table.ts';

const width = 110;
/** The width of the column with the options. */
const optionColumns = 27;

/** The meanings of the exit codes, which scripts may rely on. */
const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'success',
  failed: 'the action failed, or nothing was found; standard error says why',
  usage: 'invalid command line',
  login: 'no account, or the server rejects its API key',
  unreachable: 'the server cannot be reached or did not respond in time; trying again later may work',
  refused: 'the account lacks the permission',
  unknown: 'it is unknown whether the change was made; standard error says how to look',
};

export const tagline = 'keyboard-first team chat in the terminal';

export function verbHelp(name: VerbName): string {
  const {summary, usage, options, notes = []} = verbOf(name);
  const usages = usage.map((each) => `  parley ${name} ${each}`.trimEnd());
  const lines = Object.entries(options).map(([key, option]) => optionLine(key, option));
  const below = verbsBelow(name);
  const others = below.length === 0 ? [] : ['', ...verbLines(below)];
  const paragraphs = notes.flatMap((text) => ['', ...wrap(text)]);
  return `${[`parley ${name}: ${summary}`, '', ...usages, '', ...lines, ...others, ...paragraphs].join('\n')}\n`;
}

/** Returns the help for the first word of several verbs. */
export function verbGroupHelp(word: string): string {
  const lines = [`parley ${word}: ${verbGroups[word] ?? ''}`, '', ...verbLines(verbsBelow(word))];
  return `${[...lines, '', `“parley ${word} WORD --help” shows the options of one.`].join('\n')}\n`;
}

/** Returns a line for each of these verbs with what it does. */
export function verbLines(names: readonly VerbName[]): string[] {
  const width = names.reduce((max, {length}) => Math.max(max, length), 0);
  return names.map((name) => `  parley ${name.padEnd(width)}  ${verbOf(name).summary}`);
}

function optionLine(key: string, option: Option): string {
  const usage = `  ${optionUsage(key, option)}`;
  const separator = usage.length > optionColumns ? `\n${' '.repeat(optionColumns + 1)}` : ' ';
  return `${usage.padEnd(optionColumns)}${separator}${option.summary}`;
}

/** Returns the spellings of an option and its value, such as `-m, --message TEXT`. */
export function optionUsage(key: string, option: Option): string {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  return `${short}--${key}${optionValueText(option)}`;
}

function optionValueText(option: Option): string {
  if (option.type === 'flag') return '';
  return option.type === 'choice' ? ` ${option.choices.join('|')}` : ` ${option.value}`;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

export function overviewHelp(): string {
  const names = firstWords().map((word) => `  parley ${word.padEnd(12)} ${firstWordSummary(word)}`);
  return `${[
    `Parley: ${tagline}`,
    '',
    '  parley [WHERE]      open Parley: the unread messages, or #channel, #channel>topic, @name, a link, or search words',
    ...names,
    '',
    '  parley VERB --help  show the options of a verb; --version prints the version',
    '',
    'Manual:',
    ...manualTopics.map(({id, summary}) => `  parley help ${id.padEnd(20)} ${summary}`),
    '',
    'Exit codes:',
    ...exitCodeRows().map(([code, meaning]) => `  ${code}  ${meaning}`),
  ].join('\n')}\n`;
}

/** Returns what a verb does, or what the verbs that begin with a word are about. */
export function firstWordSummary(word: string): string {
  return isVerbName(word) ? verbOf(word).summary : (verbGroups[word] ?? '');
}

export function exitCodeRows(): [code: number, meaning: string][] {
  return Object.entries(exitCodeMeanings).map(([name, meaning]) => [
    // The keys of both tables are the same by type.
    exitCodes[name as keyof typeof exitCodes],
    meaning,
  ]);
}
