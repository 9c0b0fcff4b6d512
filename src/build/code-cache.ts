import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {recordStart} from '#cli/warm-up/record-start.ts';
import {buildId} from './build-id.ts';

/** Returns the path of the compiled code in a program folder, where `launcher.cjs` looks for it. It fits only this Node. */
export function codeCachePath(folder: string): string {
  return `compiled/${buildId(folder)}-${process.version}-${process.arch}.cache`;
}

/** Compiles the functions of the bundle that a start of the demo organization and some keys use. */
export async function makeCodeCache(folder: string): Promise<void> {
  if (existsSync(join(folder, codeCachePath(folder)))) return;
  const temporary = mkdtempSync(join(tmpdir(), 'parley-build-'));
  try {
    const recording = join(temporary, 'start.json');
    writeFileSync(recording, JSON.stringify(await recordStart()));
    mkdirSync(join(folder, 'compiled'), {recursive: true});
    execFileSync(process.execPath, ['-e', compileScript, folder, recording, join(folder, codeCachePath(folder))], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(temporary, {recursive: true, force: true});
  }
}

/** Runs in a process of its own, which ends with whatever the warm-up left running. */
const compileScript = `
  const {readFileSync, writeFileSync} = require('node:fs');
  const [, folder, recording, cacheFile] = process.argv;
  const file = folder + '/program.cjs';
  const script = new (require('node:vm').Script)(readFileSync(file, 'latin1'), {filename: 'parley'});
  const program = {exports: {}};
  script.runInThisContext()(program.exports, require, program, file, folder);
  program.exports.warmUp(folder, JSON.parse(readFileSync(recording, 'utf8'))).then(() => {
    writeFileSync(cacheFile, script.createCachedData());
    process.exit(0);
  });
`;
