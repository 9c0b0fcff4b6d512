import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {PlainFailure, UsageError} from '#cli/failures.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import {Prompt} from '#cli/login/prompt.ts';
import {readStdin} from '#cli/read-stdin.ts';
import {fullNameProblem, hasAddressForm} from '#server/accounts/account-names.ts';
import {passwordProblem} from '#server/accounts/password.ts';
import {forbiddenInNames} from '#server/actions/inputs/message-text.ts';
import type {Founding} from '#server/seed/seed-world.ts';
import {errorText} from '#std/error-text.ts';
import type {ServeOptions} from './serve-options.ts';

const maxNameLength = 40;

/** What is asked about a new organization, besides the password. */
const questions = [
  {
    flag: 'org-name',
    text: 'Name of the organization: ',
    problem: (name: string) => {
      if (name === '') return 'Enter a name.';
      if (name.length > maxNameLength) return `The name is too long. Use at most ${maxNameLength} characters.`;
      return forbiddenInNames.test(name) ? 'The name has a character that is not allowed.' : undefined;
    },
  },
  {flag: 'owner-name', text: 'Your name, as its owner: ', problem: fullNameProblem},
  {
    flag: 'owner-email',
    text: 'Your e-mail address: ',
    problem: (email: string) => (hasAddressForm(email) ? undefined : 'Enter an address such as ann@example.com.'),
  },
] as const;

/** Returns the name and the owner of a new organization by the flags and answers; undefined for the usual ones. */
export async function askForOrganization(
  io: CliIo,
  directory: string,
  {creates, asksForOwner, newOrganization: flags}: ServeOptions,
): Promise<Founding | undefined> {
  const isTerminal = io.inputIsTty && io.outputIsTty;
  const text = `There is no organization in ${directory}.`;
  if (!isTerminal) {
    if (creates === 'no') throw new PlainFailure(`${text} Add --create to create one.`);
    return organizationOfFlags(io, flags);
  }
  if (creates === 'yes' && !asksForOwner) return undefined;
  const prompt = new Prompt(io);
  try {
    // In a line of its own: readline needs a question that fits into one.
    if (creates !== 'yes') printNotice(io, text);
    const isWanted = creates === 'yes' || (await prompt.confirm('Create one there?'));
    if (!isWanted) throw new PlainFailure('Nothing was created.');
    if (questions.every(({flag}) => flags[flag] !== undefined)) return await organizationOfFlags(io, flags, prompt);
    if (!asksForOwner) return undefined;
    const names: string[] = [];
    for (const {flag, text: question, problem} of questions) {
      const isGiven = flags[flag] !== undefined;
      names.push(isGiven ? checked(flags, flag) : await answer(io, () => prompt.ask(question), problem));
    }
    return founding(names, await ownerPassword(io, flags['owner-password-file'] ?? '-', prompt));
  } finally {
    prompt.close();
  }
}

/** Returns what the flags say, which is all or nothing; `prompt` asks for a password that they do not name. */
export async function organizationOfFlags(
  io: CliIo,
  flags: ServeOptions['newOrganization'],
  prompt?: Prompt,
): Promise<Founding | undefined> {
  const file = flags['owner-password-file'];
  const missing = questions.filter(({flag}) => flags[flag] === undefined);
  if (missing.length === questions.length && file === undefined) return undefined;
  if (missing.length > 0) {
    throw new UsageError(`A new organization also needs ${missing.map(({flag}) => `--${flag}`).join(' and ')}.`);
  }
  const names = questions.map(({flag}) => checked(flags, flag));
  return founding(names, file === undefined ? undefined : await ownerPassword(io, file, prompt));
}

function founding(names: readonly string[], password: string | undefined): Founding {
  const [organization = '', ownerName = '', ownerEmail = ''] = names;
  return {organization, ownerName, ownerEmail, password};
}

function checked(flags: ServeOptions['newOrganization'], flag: (typeof questions)[number]['flag']): string {
  const value = flags[flag]?.trim() ?? '';
  const problem = questions.find((each) => each.flag === flag)?.problem(value);
  if (problem !== undefined) throw new UsageError(`--${flag}: ${problem}`);
  return value;
}

/** Asks until there is no problem with the answer. */
async function answer(
  io: CliIo,
  ask: () => Promise<string>,
  problemOf: (text: string) => string | undefined,
): Promise<string> {
  for (;;) {
    const text = (await ask()).trim();
    const problem = problemOf(text);
    if (problem === undefined) return text;
    printNotice(io, problem);
  }
}

/** Returns the password in a file, that of standard input, or one that is typed twice; undefined if none is typed. */
async function ownerPassword(io: CliIo, file: string, prompt: Prompt | undefined): Promise<string | undefined> {
  if (file === '-' && prompt !== undefined) return typedPassword(io, prompt);
  const text = file === '-' ? await readStdin(io, 64 * 1024) : readPassword(resolve(io.cwd, file));
  const password = text.replace(/\r?\n$/, '');
  const problem = passwordProblem(password);
  if (problem !== undefined) throw new PlainFailure(problem);
  return password;
}

function readPassword(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new PlainFailure(`The password cannot be read: ${errorText(error)}.`);
  }
}

async function typedPassword(io: CliIo, prompt: Prompt): Promise<string | undefined> {
  for (;;) {
    const password = await prompt.askHidden('Your password (empty: get a link to set it): ');
    if (password === '') return undefined;
    const problem = passwordProblem(password);
    if (problem !== undefined) printNotice(io, problem);
    else if ((await prompt.askHidden('Again: ')) === password) return password;
    else printNotice(io, 'The two passwords differ.');
  }
}
