import {execFileSync} from 'node:child_process';
import {chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {codeCachePaths} from './code-cache.ts';
import {launchFlags} from './launch-flags.ts';

/** The architectures of Node on Linux that a file is made for. */
export type Architecture = 'x64' | 'arm64';

/** Node looks for these; see its documentation of single executable applications. */
const resourceName = 'NODE_SEA_BLOB';
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Makes one executable of Node's binary and a program folder. Compiled code is included only for this architecture. */
export async function makeSingleFile(folder: string, architecture: Architecture, file: string): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'parley-package-'));
  try {
    const blob = join(temporary, 'blob');
    const compiled = architecture === process.arch ? codeCachePaths(folder) : [];
    const names = globSync('**/*', {cwd: folder, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((name) => name !== 'parley.cjs' && (!name.startsWith('compiled/') || compiled.includes(name)));
    const config = {
      main: join(folder, 'parley.cjs'),
      output: blob,
      disableExperimentalSEAWarning: true,
      execArgv: launchFlags,
      assets: Object.fromEntries(names.map((name) => [name, join(folder, name)])),
    };
    writeFileSync(join(temporary, 'config.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--experimental-sea-config', join(temporary, 'config.json')], {stdio: 'ignore'});
    writeFileSync(file, nodeBinary(architecture, temporary));
    strip(file);
    await inject(file, readFileSync(blob));
    chmodSync(file, 0o755);
  } finally {
    rmSync(temporary, {recursive: true, force: true});
  }
}

/** Returns the binary of the Node that runs this, or of the same version for another architecture, from the registry. */
function nodeBinary(architecture: Architecture, temporary: string): Buffer {
  if (architecture === process.arch) return readFileSync(process.execPath);
  const name = `node-linux-${architecture}@${process.versions.node}`;
  const archive = execFileSync('npm', ['pack', '--silent', '--pack-destination', temporary, name], {encoding: 'utf8'});
  execFileSync('tar', ['xzf', join(temporary, archive.trim()), '-C', temporary, 'package/bin/node']);
  return readFileSync(join(temporary, 'package/bin/node'));
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
