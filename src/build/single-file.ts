import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {appendFileSync, chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {noticesFile} from '#std/program-files.ts';
import {root} from './build-program.ts';
import {codeCachePaths} from './code-cache.ts';
import {launchFlags} from './launch-flags.ts';
import {withSection} from './third-party-notices.ts';

/** The architectures of Node on Linux that a file is made for. */
export type Architecture = 'x64' | 'arm64';

/** Node looks for these; see its documentation of single executable applications. */
const resourceName = 'NODE_SEA_BLOB';
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Makes one executable of Node's binary and a program folder. Compiled code is included only for this architecture. */
export async function makeSingleFile(folder: string, architecture: Architecture, file: string): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'parley-package-'));
  try {
    const node = unpackNode(architecture, temporary);
    const notices = join(temporary, noticesFile);
    const nodeLicence = readFileSync(join(node, 'LICENSE'), 'utf8');
    const ofProgram = readFileSync(join(folder, noticesFile), 'utf8');
    writeFileSync(notices, withSection(ofProgram, `Node.js ${process.versions.node}`, nodeLicence));
    const blob = join(temporary, 'blob');
    // Its sessions over SSH cannot be started with other options of V8.
    const compiled = architecture === process.arch ? codeCachePaths(folder, ['screen', 'verb', 'other']) : [];
    const names = globSync('**/*', {cwd: folder, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((name) => name !== 'parley.cjs' && (!name.startsWith('compiled/') || compiled.includes(name)));
    const config = {
      main: join(folder, 'parley.cjs'),
      output: blob,
      disableExperimentalSEAWarning: true,
      execArgv: launchFlags,
    };
    writeFileSync(join(temporary, 'config.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--experimental-sea-config', join(temporary, 'config.json')], {stdio: 'ignore'});
    writeFileSync(file, readFileSync(join(node, 'bin/node')));
    strip(file);
    await inject(file, readFileSync(blob));
    attach(file, new Map([...names.map((name) => [name, join(folder, name)] as const), [noticesFile, notices]]));
    chmodSync(file, 0o755);
  } finally {
    rmSync(temporary, {recursive: true, force: true});
  }
}

/** Appends files, a table with the position and length of each, and the length of the table; `launcher.cjs` reads them. */
function attach(file: string, paths: ReadonlyMap<string, string>): void {
  const table: Record<string, readonly [position: number, length: number]> = {};
  let {size} = statSync(file);
  for (const [name, path] of paths) {
    const bytes = readFileSync(path);
    appendFileSync(file, bytes);
    table[name] = [size, bytes.length];
    size += bytes.length;
  }
  const text = Buffer.from(JSON.stringify(table));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  appendFileSync(file, Buffer.concat([text, length]));
}

/** Unpacks the Node of the lock file, from the package registry, with its licence. Returns the folder. */
function unpackNode(architecture: Architecture, temporary: string): string {
  const name = `node-linux-${architecture}`;
  const lock: {packages: Readonly<Record<string, LockedPackage>>} = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const {version, integrity} = lock.packages[`node_modules/${name}`] ?? {version: 'unknown', integrity: ''};
  if (version !== process.versions.node) {
    throw new Error(`Node ${version} of package-lock.json must run this, not ${process.versions.node}`);
  }
  const args = ['pack', '--silent', '--prefer-offline', '--pack-destination', temporary, `${name}@${version}`];
  const archive = join(temporary, execFileSync('npm', args, {encoding: 'utf8'}).trim());
  checkArchive(name, readFileSync(archive), integrity);
  execFileSync('tar', ['xzf', archive, '-C', temporary, 'package/bin/node', 'package/LICENSE']);
  return join(temporary, 'package');
}

interface LockedPackage {
  readonly version: string;
  /** `sha512-` and the checksum of the archive in base64. */
  readonly integrity: string;
}

/** Throws unless the archive of a package is the one of the lock file. */
export function checkArchive(name: string, archive: Buffer, integrity: string): void {
  const checksum = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (checksum !== integrity) throw new Error(`The package ${name} is not the one of package-lock.json`);
}

/** Removes symbols that nobody needs, if the system can: it may lack the program, or know other architectures only. */
function strip(file: string): void {
  try {
    execFileSync('strip', [file], {stdio: 'ignore'});
  } catch {
    // The file works as it is, and is larger.
  }
}

/** Puts the program into the executable, where Node finds it. */
async function inject(file: string, blob: Buffer): Promise<void> {
  const postject: {
    inject(file: string, resource: string, data: Buffer, options: {sentinelFuse: string}): Promise<void>;
  } = createRequire(import.meta.url)('postject');
  await postject.inject(file, resourceName, blob, {sentinelFuse: fuse});
}
