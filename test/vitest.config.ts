import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

function project(name: string, include: string[], testTimeout: number) {
  return {extends: true as const, test: {name, include, testTimeout}};
}

export default defineConfig({
  root,
  test: {
    pool: 'threads',
    // Every test starts its own server, so files may share a worker's modules: imports are paid once, not per file.
    isolate: false,
    projects: [
      project('unit', ['test/{std,wire,content,server,cli}/**/*.test.ts', 'test/*.test.ts'], 20_000),
      project('contract', ['test/contract/**/*.test.ts'], 20_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 60_000),
    ],
  },
});
