import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {mergeConfig} from 'vitest/config';
import type {VitestPluginContext} from 'vitest/node';
import base from '#test/vitest.config.ts';
import {folder, planterChecksum} from './coverage.ts';
import {plantMutants} from './plant-mutants.ts';
import type {Sample} from './rounds.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const {PARLEY_MUTANT_HITS: hitsFolder, PARLEY_MUTANT_SAMPLE: sampleFile, PARLEY_MUTANT_BY_FILE: byFile} = process.env;
/** The numbers of the mutants that are planted, by source. */
const sample: Sample | undefined = sampleFile === undefined ? undefined : JSON.parse(readFileSync(sampleFile, 'utf8'));

/** Plants mutants in the sources while they are loaded: no file is changed. */
const plugin = {
  name: 'mutants',
  enforce: 'pre' as const,
  load(id: string) {
    if (!id.startsWith(source) || !/\.tsx?$/.test(id)) return undefined;
    const file = id.slice(source.length);
    const chosen = hitsFolder !== undefined ? 'reach' : sample && new Set(sample[file]);
    return {code: plantMutants(file, readFileSync(id, 'utf8'), chosen).code, map: null};
  },
  // Vitest keeps loaded modules by their files only, and these depend on what is planted.
  configureVitest({defineCacheKeyGenerator}: VitestPluginContext) {
    defineCacheKeyGenerator(({id}) => {
      if (!id.startsWith(source)) return undefined;
      return hitsFolder !== undefined ? 'reach' : String(sample?.[id.slice(source.length)]);
    });
  },
};

export default mergeConfig(base, {
  plugins: [plugin],
  test: {
    setupFiles: [here('./switches.ts')],
    // Vite loads the sources, so that the plugin can change them.
    experimental: {viteModuleRunner: true},
    fsModuleCachePath: `${folder}/modules-${planterChecksum()}`,
    // A mutant that is evaluated with its module is on while the modules of one test file are loaded.
    isolate: byFile !== undefined,
  },
});
