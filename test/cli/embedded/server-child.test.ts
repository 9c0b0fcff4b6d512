import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {spawnServer} from '#cli/embedded/embedded-server.ts';
import {pathsOf} from '#config/paths.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

test('demo server: a folder that cannot be written to is reported in one sentence', () => {
  const home = scratchDirectory();
  // A file in place of a folder: the tests may run as a user who may write everywhere.
  writeFileSync(join(home, 'file'), '');
  const env = {XDG_STATE_HOME: join(home, 'file')};
  expect(() => spawnServer(home, {paths: pathsOf(env, home), env})).toThrow(
    /^The demo organization needs writable folders: .*XDG_DATA_HOME/,
  );
});
