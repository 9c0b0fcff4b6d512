import {join} from 'node:path';
import {expect} from 'vitest';
import {seedWorld} from '#server/seed/seed-world.ts';
import {exportOrganization} from '#server/transfer/export/export-organization.ts';
import {importedServer} from '#test/server/transfer/import/import-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {slowTest} from '#test/support/tier.ts';
import {comparableExport, exportDifferences} from './comparable-export.ts';
import {validateExport} from './validate-export.ts';

slowTest('import: an export of an imported organization equals the export that was imported', async () => {
  const clock = new ManualClock(1_795_000_000_000);
  const server = await testServer({
    clock,
    prepare: (context) => seedWorld(context, {world: 'demo', size: 'small'}, () => {}),
    rateLimited: false,
  });
  const [first, second] = [join(scratchDirectory(), 'first'), join(scratchDirectory(), 'second')];
  await exportOrganization(server.context, {output: first, zulipVersion: '12.0'});
  const {server: copy} = await importedServer(`${first}.tar.gz`, {clock});
  await exportOrganization(copy.context, {output: second, zulipVersion: '12.0'});
  expect(validateExport(second).violations).toEqual([]);
  expect(exportDifferences(comparableExport(first), comparableExport(second)).slice(0, 6)).toEqual([]);
});
