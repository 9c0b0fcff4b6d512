import {statSync} from 'node:fs';
import {join} from 'node:path';
import type {RulesFile} from '#app/core/host.ts';
import {displayPath, type Paths} from '#config/paths.ts';
import {errorCode} from '#config/private-files.ts';
import type {Clock} from '#std/clock.ts';
import {errorText} from '#std/error-text.ts';

const fileName = 'rules.toml';

interface RulesFileParts {
  readonly paths: Pick<Paths, 'config' | 'state'>;
  readonly home: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Returns the file with the rules, beside `config.toml`. Loads what reads it only when there is something to read. */
export function rulesFile({paths, home, clock}: RulesFileParts): RulesFile {
  const file = join(paths.config, fileName);
  const place = {file, shown: displayPath(file, home), lockDirectory: paths.state};
  return {
    path: place.shown,
    changeMark: () => {
      try {
        const {mtimeMs, size, ino, mode, uid} = statSync(file);
        return [mtimeMs, size, ino, mode, uid].join(' ');
      } catch (error) {
        return errorCode(error) === 'ENOENT' ? undefined : errorText(error);
      }
    },
    read: async () => (await import('./read-rules.ts')).readRulesFile(place, clock.now()),
    append: async (toml) => (await import('./read-rules.ts')).appendRule(place, toml, clock.now()),
  };
}
