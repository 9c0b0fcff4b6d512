import {exitCodes} from '#cli/exit-codes.ts';
import {manualTopics} from '#content/manual/manual-topics.ts';
import type {Option} from './verb.ts';
import {type VerbName, verbNames, verbOf} from './verb-table.ts';

const width = 110;

/** What scripts may rely on. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'done',
  failed: 'it could not be done, or nothing was found; the sentence on standard error says why',
  usage: 'the command line makes no sense as it stands',
  login: 'no account, or the server does not accept its key',
  unreachable: 'the server cannot be reached, or did not answer in time: trying again later may work',
  refused: 'the server understood, and this account is not allowed to',
};

export function verbHelp(name: VerbName): string {
  const {summary, usage, options, notes = []} = verbOf(name);
  const ways = usage.map((way) => `  parley ${name} ${way}`.trimEnd());
  const lines = Object.entries(options).map(([key, option]) => optionLine(key, option));
  const paragraphs = notes.flatMap((text) => ['', ...wrapped(text)]);
  return `${[`parley ${name}: ${summary}`, '', ...ways, '', ...lines, ...paragraphs].join('\n')}\n`;
}

function optionLine(key: string, option: Option): string {
  const short = option.short === undefined ? '' : `-${option.short}, `;
  const spelling = `  ${short}--${key}${optionValueText(option)}`;
  return `${spelling.padEnd(27)} ${option.summary}`;
}

export function optionValueText(option: Option): string {
  if (option.type === 'flag') return '';
  return option.type === 'choice' ? ` ${option.choices.join('|')}` : ` ${option.value}`;
}

function wrapped(text: string): string[] {
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
  const names = verbNames.map((name) => `  parley ${name.padEnd(12)} ${verbOf(name).summary}`);
  return `${[
    'Parley: keyboard-first team chat in the terminal',
    '',
    '  parley [WHERE]      open the screen: at what is unread, or at #channel, #channel>topic, @name, a link, search words',
    ...names,
    '',
    '  parley VERB --help  what it takes; --version prints the version',
    '',
    'Manual:',
    ...manualTopics.map(({id, summary}) => `  parley help ${id.padEnd(20)} ${summary}`),
    '',
    'Exit codes:',
    ...exitCodeRows().map(([code, meaning]) => `  ${code}  ${meaning}`),
  ].join('\n')}\n`;
}

function exitCodeRows(): [code: number, meaning: string][] {
  return Object.entries(exitCodeMeanings).map(([name, meaning]) => [
    // The keys of both tables are the same by type.
    exitCodes[name as keyof typeof exitCodes],
    meaning,
  ]);
}

/** The tables of README's section on the command line. */
export function verbMarkdown(): string {
  const verbs = verbNames.flatMap((name) => {
    const {usage, summary} = verbOf(name);
    const ways = usage.map((way) => `\`${`parley ${name} ${way}`.trimEnd().replaceAll('|', '\\|')}\``);
    return ways.map((way, at) => `| ${way} | ${at === 0 ? summary : ''} |`);
  });
  const codes = exitCodeRows().map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return [
    '| verb | does |',
    '| --- | --- |',
    ...verbs,
    '',
    '| exit code | means |',
    '| --- | --- |',
    ...codes,
  ].join('\n');
}
