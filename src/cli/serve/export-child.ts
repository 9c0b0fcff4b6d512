import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import type {ExportWriter} from '#server/context.ts';
import {newCopyFolder} from '#server/operator/operator-commands.ts';
import type {Clock} from '#std/clock.ts';
import {programCommand} from '#std/program-files.ts';

const scopeFlags = {public: '--public-only', consented: '--consented'} as const;

export interface ExportChildren {
  readonly write: ExportWriter;
  /** Ends the processes that write exports. */
  stop(): void;
}

/** Writes exports of a served data directory in other processes, so that requests do not wait for them. */
export function exportChildren(
  directory: string,
  clock: Clock,
  log: (line: string, error?: unknown) => void,
): ExportChildren {
  const children = new Set<ChildProcess>();
  return {
    async write(scope) {
      const folder = newCopyFolder(directory);
      const output = join(folder, `zulip-export-${new Date(clock.now()).toISOString().slice(0, 10)}`);
      const {file, args} = programCommand();
      const flags = ['serve', 'export', '--data', directory, scopeFlags[scope], output];
      const child = spawn(file, [...args, ...flags], {stdio: ['ignore', 'ignore', 'pipe']});
      children.add(child);
      try {
        const [[code], problem] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
        if (code !== 0) throw new Error(problem);
        return {archive: `${output}.tar.gz`, remove: () => rmSync(folder, {recursive: true, force: true})};
      } catch (error) {
        log('A data export failed', error);
        rmSync(folder, {recursive: true, force: true});
        throw error;
      } finally {
        children.delete(child);
      }
    },
    stop() {
      for (const child of children) child.kill();
    },
  };
}
