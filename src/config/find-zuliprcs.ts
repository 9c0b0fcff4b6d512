import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {ConfigError} from './config-error.ts';
import {displayPath} from './paths.ts';
import {readSmallFile} from './private-files.ts';
import {parseZuliprc} from './zuliprc.ts';

/** A zuliprc that nobody chose, but that somebody may have meant to use. */
export interface FoundZuliprc {
  readonly file: string;
  /** As people write it. */
  readonly shown: string;
  readonly email: string;
  readonly site: string;
}

const names = /^\.?zuliprc(?:[ ._(-].*)?$/;
const mostFound = 5;

/** Where browsers put what one downloads, and where one stands. Those at home are used without asking. */
export function findZuliprcs(home: string, cwd: string): readonly FoundZuliprc[] {
  const directories = [...new Set([cwd, join(home, 'Downloads')])].filter((directory) => directory !== home);
  return directories
    .flatMap((directory) => filesIn(directory).map((name) => join(directory, name)))
    .flatMap((file) => readable(file, home) ?? [])
    .slice(0, mostFound);
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => names.test(name))
      .sort();
  } catch {
    return [];
  }
}

function readable(file: string, home: string): FoundZuliprc | undefined {
  try {
    const {email, site} = parseZuliprc(readSmallFile(file), file, home);
    return {file, shown: displayPath(file, home), email, site};
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
