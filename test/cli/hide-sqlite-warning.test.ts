import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';

const script = `
  import {hideSqliteWarning} from './src/cli.ts';
  hideSqliteWarning();
  // As Node 22 does when node:sqlite is loaded.
  process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
  process.emitWarning('Glimmer is an experimental feature and might change at any time', 'ExperimentalWarning');
  process.emitWarning(new Error('Something else'));`;

test('warnings: that SQLite is experimental is not printed, other warnings are', () => {
  const {stderr} = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {encoding: 'utf8'});
  expect(stderr).not.toContain('SQLite');
  expect(stderr).toMatch(/ExperimentalWarning: Glimmer is .*\n.*Error: Something else/s);
});
