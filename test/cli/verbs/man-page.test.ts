import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {exitCodes} from '#cli/io.ts';
import {environmentVariables, examples, files, manPage, roffText} from '#cli/verbs/man-page.ts';
import {verbNames, verbOf} from '#cli/verbs/verb-table.ts';
import {version} from '#cli/version.ts';
import {settingTable} from '#config/settings.ts';
import {manualTopics} from '#content/manual/manual-topics.ts';
import {stranger, unreachableServer, verbFixture} from './verb-fixture.ts';

const page = manPage('1.2.3');

/** Returns the text that a section or subsection prints, without fonts and with ASCII quotes. */
function printed(macro: 'SH' | 'SS', heading: string): string {
  const [, section = ''] = page.split(new RegExp(`^\\.${macro} ${roffText(heading).replaceAll('\\', '\\\\')}$`, 'm'));
  const [text = ''] = section.split(macro === 'SH' ? /^\.SH /m : /^\.S[HS] /m);
  return withoutEscapes(text);
}

function withoutEscapes(roff: string): string {
  const names: Readonly<Record<string, string>> = {rs: '\\', aq: "'", dq: '"', ga: '`', ha: '^', ti: '~', cq: '’'};
  return roff
    .replaceAll(/\\f[BIR]|\\&/g, '')
    .replaceAll('\\-', '-')
    .replaceAll(/\\\((..)/g, (_, name) => names[name] ?? '"');
}

test('man: prints the page of this version', async () => {
  const {code, out, err} = await verbFixture(unreachableServer, stranger).run('man', []);
  expect([code, out, err]).toEqual([0, `${manPage(version())}\n`, '']);
});

test('man: the page has the usual sections in the usual order', () => {
  const headings = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    ...['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'EXIT STATUS'],
    ...['ENVIRONMENT', 'FILES', 'EXAMPLES', 'SEE ALSO'],
  ]);
  expect(page).toMatch(/^\.TH PARLEY 1 "" "Parley 1\.2\.3" "User Commands"\n/);
  // The index of man pages is made from this line.
  expect(page).toMatch(/^\.SH NAME\nparley \\- \S.*$/m);
});

test.each(verbNames)('man: the section of %s has its usages, options and notes', (name) => {
  const {usage, options, notes = []} = verbOf(name);
  const text = printed('SS', name);
  const [, other] = /The options are those of (.+)\./.exec(text) ?? [];
  const ofOther = other === undefined ? '' : printed('SS', other);
  for (const each of usage) expect(text).toContain(`parley ${name} ${each}`.trimEnd().replaceAll('…', '...'));
  for (const option of Object.keys(options)) expect(text + ofOther).toMatch(new RegExp(`--${option}\\b`));
  for (const note of notes) expect(text).toContain(note.replaceAll('…', '...').replaceAll(/[“”]/g, '"'));
});

test('man: all exit codes, variables, files, examples and chapters are listed', () => {
  const codes = [...printed('SH', 'EXIT STATUS').matchAll(/^(\d+)$/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCodes));
  const environment = printed('SH', 'ENVIRONMENT');
  for (const [names] of environmentVariables()) expect(environment).toContain(`.TP\n${names}\n`);
  const ofServer = environmentVariables().filter(([name]) => name?.startsWith('PARLEY_')).length;
  expect(environment.match(/^PARLEY_[A-Z_]+$/gm)).toHaveLength(Object.keys(settingTable).length + ofServer);
  expect(environment).toContain('\nPARLEY_DRAFTS_SYNC\n');
  for (const [paths] of files()) expect(printed('SH', 'FILES')).toContain(`.TP\n${paths}\n`);
  expect(printed('SH', 'EXAMPLES')).toBe(`\n.EX\n${examples().join('\n')}\n.EE\n`);
  for (const {id} of manualTopics) expect(printed('SH', 'SEE ALSO')).toContain(`parley help ${id}`);
});

test('man: the tables of the manual are read whole, with names and descriptions', () => {
  expect(environmentVariables()).toContainEqual(['TERM, COLORTERM', 'what the terminal can show']);
  expect(files()).toContainEqual(['~/Downloads/', 'files that you save']);
  for (const [chapter, name, rows] of [
    ['settings', 'environment', environmentVariables()],
    ['offline-and-privacy', 'files', files()],
  ] as const) {
    const lines =
      readFileSync(`assets/help/${chapter}.md`, 'utf8').split(`<!-- ${name} -->`)[1]?.split('\n<!--')[0] ?? '';
    // Without the head and the line below it.
    expect(rows).toHaveLength((lines.match(/^\|/gm)?.length ?? 0) - 2);
    expect(rows.flat().filter((text) => text === '' || text.includes(' | '))).toEqual([]);
  }
  expect(examples()).toContain('parley unread --json | jq .total');
});

test('man: the page is ASCII with known requests and escapes, without empty lines and unescaped hyphens', () => {
  for (const line of page.split('\n')) {
    expect(line).toMatch(/^(?:\.(?:TH|SH|SS|TP|PP|br|nh|ad l|EX|EE)\b|[^.' ])[ -~]*$/);
    const rest = line.replaceAll(/\\(?:f[BIR]|&|-|\((?:rs|aq|dq|ga|ha|ti|lq|rq|cq))/g, '');
    expect(rest).not.toMatch(/[\\`^~'-]/);
    if (!line.startsWith('.TH')) expect(rest).not.toContain('"');
    // Each font change is undone in its line.
    expect(line.match(/\\f[BI]/g) ?? []).toHaveLength(line.match(/\\fR/g)?.length ?? 0);
  }
});

test.each([
  ['C:\\new', 'C:\\(rsnew'],
  ['.SH not a request', '\\&.SH not a request'],
  ['…', '\\&...'],
  ["'br", '\\(aqbr'],
  ['--mark-read', '\\-\\-mark\\-read'],
  ['a "b" `c` ^~', 'a \\(dqb\\(dq \\(gac\\(ga \\(ha\\(ti'],
  ['“it’s”', '\\(lqit\\(cqs\\(rq'],
  ['é→🎉', '\\[u0065_0301]\\[u2192]\\[u1F389]'],
  ['one\n.br\ttwo', 'one .br two'],
])('man: roff prints %j as it is', (text, roff) => {
  expect(roffText(text)).toBe(roff);
});
