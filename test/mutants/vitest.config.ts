import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {mergeConfig} from 'vitest/config';
import base from '#test/vitest.config.ts';
import {checksumOf, folder} from './coverage.ts';
import {plantMutants} from './plant-mutants.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Plants mutants in the sources while they are loaded: no file is changed. */
const plugin = {
  name: 'mutants',
  enforce: 'pre' as const,
  load(id: string) {
    if (!id.startsWith(source) || !/\.tsx?$/.test(id)) return undefined;
    return {code: plantMutants(id.slice(source.length), readFileSync(id, 'utf8')).code, map: null};
  },
};

export default mergeConfig(base, {
  plugins: [plugin],
  test: {
    setupFiles: [here('./switches.ts')],
    // Vitest keeps loaded modules by their files only, and these depend on how mutants are planted.
    fsModuleCachePath: `${folder}/modules-${checksumOf(readFileSync(here('./plant-mutants.ts'), 'utf8'))}`,
  },
});
