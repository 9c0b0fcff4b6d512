import {readdirSync, readFileSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** A command that starts this program; its arguments follow. */
export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** The picture of the first frame that `launcher.cjs` shows while the program is loaded. */
interface StartPicture {
  readonly file: string;
  /** Identifies the start: a picture is shown only at a start with the same key. */
  readonly key: string;
  /** Given when a picture is shown: says that from now on the program restores the terminal. */
  readonly takeOver?: () => void;
  /** Given with a picture: what the session that saved it knew of the terminal. */
  readonly capabilities?: unknown;
}

/** The files that are in the single file with the program. */
interface AttachedFiles {
  readonly names: readonly string[];
  readonly read: (name: string) => Buffer;
}

/** What `launcher.cjs` did before it started the program. */
export interface Launch {
  /** Saves the compiled code for the next start; undefined when it is saved already. */
  readonly saveCompiledCode?: (() => void) | undefined;
  readonly picture?: StartPicture | undefined;
  readonly attached?: AttachedFiles | undefined;
  /** Given to the bundle of the screen: runs this command line with the bundle of the whole program. */
  readonly runWhole?: (() => Promise<void>) | undefined;
}

/** The files that come with the program, in a folder or inside a single file. */
interface ProgramFiles extends Launch {
  /** Undefined in the single file. */
  readonly folder: string | undefined;
  readonly command: ProgramCommand;
}

/** The licences of everything in the built program. */
export const noticesFile = 'THIRD-PARTY-NOTICES';

let current: ProgramFiles | undefined;

/** Says where the bundle runs from. Without a call, the program runs from its sources. */
export function setProgramFiles(files: ProgramFiles): void {
  current = files;
}

/** Whether the program runs from its sources, without a bundle. */
export function isRunningSources(): boolean {
  return current === undefined;
}

/** Returns the command that starts this program once more. */
export function programCommand(): ProgramCommand {
  return current?.command ?? {file: process.execPath, args: [join(sourceFolder(), 'src/parley.js')]};
}

/** Saves the compiled code for the next start, if this start had to compile it. */
export function saveCompiledCode(): void {
  current?.saveCompiledCode?.();
}

/** Runs this command line with the bundle of the whole program; undefined where that runs already. */
export function runWholeProgram(): (() => Promise<void>) | undefined {
  return current?.runWhole;
}

/** The picture of the first frame; undefined if this start can have none. */
export function startPicture(): StartPicture | undefined {
  return current?.picture;
}

/** Returns the text of a file of `assets/`. */
export function readAsset(name: string): string {
  return readAssetBytes(name).toString('utf8');
}

export function readAssetBytes(name: string): Buffer {
  return readProgramFile(`assets/${name}`);
}

/** Returns the names of the files in a folder of `assets/`, sorted. */
export function assetNames(folder: string): string[] {
  const prefix = `assets/${folder}/`;
  if (current?.attached === undefined) return readdirSync(join(programFolder(), prefix)).sort();
  return current.attached.names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .sort();
}

/** Returns a file of the program by its path in the program's folder. */
export function readProgramFile(path: string): Buffer {
  if (isAbsolute(path)) throw new Error('A path in the program folder is relative.');
  return current?.attached?.read(path) ?? readFileSync(join(programFolder(), path));
}

function programFolder(): string {
  return current?.folder ?? sourceFolder();
}

function sourceFolder(): string {
  return fileURLToPath(new URL('../../', import.meta.url));
}
