import {mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {errorText} from '#std/error-text.ts';
import {printableLine} from '#std/printable.ts';
import type {Env} from './env.ts';
import type {RunProgram} from './run-program.ts';

export type EditOutcome =
  | {readonly kind: 'changed'; readonly text: string}
  | {readonly kind: 'unchanged'; readonly text: string}
  /** `text` is the original; text that the editor saved, if it differs, stays in the file `keptAt`. */
  | {readonly kind: 'failed'; readonly text: string; readonly problem: string; readonly keptAt?: string};

interface EditParts {
  readonly env: Env;
  /** The private folder for temporary files. */
  readonly directory: string;
  /** Gives the terminal to the editor and waits until it ends. */
  readonly run: RunProgram;
}

interface EditRequest {
  readonly text: string;
  /** Lines above the text, such as the recipient and the quoted message; they are not part of the text. */
  readonly header: readonly string[];
}

const marker = '%%';
const maxBytes = 8 * 1024 * 1024;
const fallbacks: readonly string[] = ['nano', 'vim', 'vi'];
/** The exit code of a shell for an unknown program. */
const notFound = 127;

/** Lets the user edit text in $VISUAL or $EDITOR. No text is lost on failure. */
export async function editText({text, header}: EditRequest, parts: EditParts): Promise<EditOutcome> {
  const head = headLines(header);
  const file = newFile(parts.directory, head.map((line) => `${line}\n`).join('') + text);
  if ('problem' in file) return {kind: 'failed', text, problem: file.problem};
  const problem = await editorProblem(file.path, parts);
  const savedText = readText(file.path);
  const edited = typeof savedText === 'string' ? withoutHeader(savedText, head, text) : undefined;
  if (problem === undefined && edited !== undefined) {
    removeFile(file);
    return edited === text ? {kind: 'unchanged', text} : {kind: 'changed', text: edited};
  }
  const failure = problem ?? 'The file that the editor saved cannot be read.';
  if (edited === text) {
    removeFile(file);
    return {kind: 'failed', text, problem: failure};
  }
  return {kind: 'failed', text, problem: failure, keptAt: file.path};
}

/** Returns the header lines. They end with a blank line, so that text that looks like a header stays text. */
function headLines(header: readonly string[]): string[] {
  return header.length === 0 ? [] : [...header.map((line) => `${marker} ${printableLine(line)}`.trimEnd()), ''];
}

/** Removes the header lines that were added; other lines at the top were written by the user. */
function withoutHeader(savedText: string, head: readonly string[], before: string): string {
  const lines = savedText.replaceAll(/\r\n?/g, '\n').split('\n');
  const known = new Set(head.slice(0, -1));
  let start = 0;
  while (start < lines.length && known.has(lines[start] ?? '')) start++;
  if (start > 0 && lines[start] === '') start++;
  const text = lines.slice(start).join('\n');
  // Editors add a line end to the last line.
  return text.endsWith('\n') && !before.endsWith('\n') ? text.slice(0, -1) : text;
}

interface EditedFile {
  readonly directory: string;
  readonly path: string;
}

/** Creates the file in its own directory, so that backups and swap files of the editor are private and removed too. */
function newFile(parent: string, text: string): EditedFile | {readonly problem: string} {
  try {
    mkdirSync(parent, {recursive: true, mode: 0o700});
    const directory = mkdtempSync(join(parent, 'compose-'));
    const path = join(directory, 'message.md');
    writeFileSync(path, text, {mode: 0o600, flag: 'wx'});
    return {directory, path};
  } catch (error) {
    return {problem: `Could not create a file for the editor: ${errorText(error)}.`};
  }
}

function removeFile({directory}: EditedFile): void {
  try {
    rmSync(directory, {recursive: true, force: true});
  } catch {
    // The folder is private, and the system clears it.
  }
}

function readText(path: string): string | undefined {
  try {
    return statSync(path).size > maxBytes ? undefined : readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch {
    return undefined;
  }
}

/**
 * Runs the editor and returns what went wrong, or undefined. A shell parses the variable, which may contain options.
 */
async function editorProblem(path: string, {env, run}: EditParts): Promise<string | undefined> {
  const chosen = env.VISUAL || env.EDITOR;
  for (const editor of chosen ? [chosen] : fallbacks) {
    const outcome = await run('sh', ['-c', `${editor} "$1"`, 'sh', path]);
    if (outcome.kind === 'failed') return `The editor could not be started: ${outcome.problem}.`;
    if (outcome.code === 0) return undefined;
    if (outcome.code !== notFound) return `The editor “${editor}” ended with code ${outcome.code}.`;
    if (chosen) return `The editor “${editor}” was not found. Set $EDITOR to an installed one.`;
  }
  return 'No editor was found. Set $EDITOR.';
}
