import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {mergeConfig} from 'vitest/config';
import base from '#test/vitest.config.ts';
import {plantMutants} from './plant-mutants.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
/** The files that get switches; all unless told. */
const chosen = process.env.PARLEY_MUTANT_FILES?.split(',');

/** Plants mutants in the sources while they are loaded: no file is changed. */
const plugin = {
  name: 'mutants',
  enforce: 'pre' as const,
  load(id: string) {
    if (!id.startsWith(source) || !/\.tsx?$/.test(id)) return undefined;
    const file = id.slice(source.length);
    if (chosen !== undefined && !chosen.includes(file)) return undefined;
    return {code: plantMutants(file, readFileSync(id, 'utf8')).code, map: null};
  },
};

export default mergeConfig(base, {
  plugins: [plugin],
  test: {setupFiles: [fileURLToPath(new URL('./switches.ts', import.meta.url))], reporters: ['dot']},
});
