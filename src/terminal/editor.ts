import {mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {printableLine} from '#std/printable.ts';
import type {Env} from './env.ts';
import type {RunProgram} from './run-program.ts';

export type EditOutcome =
  | {readonly kind: 'changed'; readonly text: string}
  | {readonly kind: 'unchanged'; readonly text: string}
  /** `text` is what was there before; what the editor left behind, if it is something else, is kept in a file. */
  | {readonly kind: 'failed'; readonly text: string; readonly problem: string; readonly keptAt?: string};

export interface EditParts {
  readonly env: Env;
  /** Where files live that only this user may see, and only for a while. */
  readonly directory: string;
  /** Gives the terminal to the editor and waits for it. */
  readonly run: RunProgram;
}

export interface EditRequest {
  readonly text: string;
  /** Where the message goes, what it answers: shown above the text, and no part of it. */
  readonly header: readonly string[];
}

const marker = '%%';
const mostBytes = 8 * 1024 * 1024;
const fallbacks: readonly string[] = ['nano', 'vim', 'vi'];
/** What a shell says when there is no such program. */
const notFound = 127;

/** Lets the reader write in the editor that $VISUAL or $EDITOR names. No failure costs a word. */
export async function editText({text, header}: EditRequest, parts: EditParts): Promise<EditOutcome> {
  const head = headLines(header);
  const file = newFile(parts.directory, head.map((line) => `${line}\n`).join('') + text);
  if ('problem' in file) return {kind: 'failed', text, problem: file.problem};
  const problem = await editorProblem(file.path, parts);
  const written = readText(file.path);
  const edited = typeof written === 'string' ? editedText(written, head, text) : undefined;
  if (problem === undefined && edited !== undefined) {
    removeFile(file);
    return edited === text ? {kind: 'unchanged', text} : {kind: 'changed', text: edited};
  }
  const why = problem ?? 'What the editor left cannot be read.';
  if (edited === text) {
    removeFile(file);
    return {kind: 'failed', text, problem: why};
  }
  return {kind: 'failed', text, problem: why, keptAt: file.path};
}

/** A blank line divides, so that text which looks like a header stays text. */
function headLines(header: readonly string[]): string[] {
  return header.length === 0
    ? []
    : [...header.map((line) => `${marker} ${printableLine(line)}`.trimEnd()), ''];
}

/** Only lines that were put there go; whatever else is at the top was written by somebody. */
function editedText(written: string, head: readonly string[], before: string): string {
  const lines = written.replaceAll(/\r\n?/g, '\n').split('\n');
  const known = new Set(head.slice(0, -1));
  let start = 0;
  while (start < lines.length && known.has(lines[start] ?? '')) start++;
  if (start > 0 && lines[start] === '') start++;
  const text = lines.slice(start).join('\n');
  // Editors end the last line.
  return text.endsWith('\n') && !before.endsWith('\n') ? text.slice(0, -1) : text;
}

interface EditedFile {
  readonly directory: string;
  readonly path: string;
}

/** In a directory of its own, where an editor's backups and swap files are as private and as passing. */
function newFile(parent: string, text: string): EditedFile | {readonly problem: string} {
  try {
    mkdirSync(parent, {recursive: true, mode: 0o700});
    const directory = mkdtempSync(join(parent, 'compose-'));
    const path = join(directory, 'message.md');
    writeFileSync(path, text, {mode: 0o600, flag: 'wx'});
    return {directory, path};
  } catch (error) {
    return {problem: `No file for the editor: ${messageOf(error)}.`};
  }
}

function removeFile({directory}: EditedFile): void {
  try {
    rmSync(directory, {recursive: true, force: true});
  } catch {
    // Private, and in a place that is cleared.
  }
}

function readText(path: string): string | undefined {
  try {
    return statSync(path).size > mostBytes ? undefined : readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch {
    return undefined;
  }
}

/** Runs the editor; what went wrong, if something did. The variable may hold options, so a shell reads it. */
async function editorProblem(path: string, {env, run}: EditParts): Promise<string | undefined> {
  const chosen = env.VISUAL || env.EDITOR;
  for (const editor of chosen ? [chosen] : fallbacks) {
    const outcome = await run('sh', ['-c', `${editor} "$1"`, 'sh', path]);
    if (outcome.kind === 'failed') return `The editor could not be started: ${outcome.problem}.`;
    if (outcome.code === 0) return undefined;
    if (outcome.code !== notFound) return `The editor “${editor}” ended with code ${outcome.code}.`;
    if (chosen) return `There is no editor “${editor}”: set $EDITOR to one.`;
  }
  return 'No editor was found: set $EDITOR to one.';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
