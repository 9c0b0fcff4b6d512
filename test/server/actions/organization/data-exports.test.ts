import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {ExportWriter} from '#server/context.ts';
import {directoryFileStore} from '#server/uploads/file-store.ts';
import type {Reply} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

test('data exports: administrators can download the archive until it is deleted, and others cannot', async () => {
  const archive = join(scratchDirectory(), 'zulip-export.tar.gz');
  const scopes: string[] = [];
  const writeExport: ExportWriter = async (scope) => {
    scopes.push(scope);
    writeFileSync(archive, 'packed');
    return {archive, remove: () => rmSync(archive)};
  };
  const files = directoryFileStore(scratchDirectory());
  const server = await testServer({writeExport, files});
  const [olive, ada, meg] = [server.people.owner(), server.people.admin(), server.people.member()];
  const bot = server.people.bot('Helper', ada);
  const queue = await server.as(ada).listen({event_types: ['realm_export']});
  const own = await server.as(olive).listen({event_types: ['message']});
  const {id} = await server.as(olive).post('/export/realm', {});
  const {exports} = await queue.first((event) => event.exports.every(({pending}: Reply) => !pending));
  expect(exports).toMatchObject([{id, pending: false, failed_timestamp: null, deleted_timestamp: null}]);
  expect(exports[0].export_from_prior_server).toBe(false);
  const [{export_url: url}] = exports;
  expect(url).toMatch(/^http:.*\/user_avatars\/exports\/[\w-]{24}\/zulip-export\.tar\.gz$/);
  expect((await own.next())[0]?.message.content).toMatch(/^Your data export is complete\. /);
  const path = url.slice(server.url.length);
  const reply = await server.as(ada).web(path);
  expect([reply.status, await reply.text()]).toEqual([200, 'packed']);
  for (const client of [server.as(meg), server.as(bot), server.anonymous()]) {
    expect((await client.web(path)).status).toBe(403);
  }
  expect((await server.as(ada).web(`${path}x`)).status).toBe(404);
  await server.as(olive).delete(`/export/realm/${id}`);
  expect(await queue.events()).toMatchObject([
    {exports: [{id, export_url: null, deleted_timestamp: expect.any(Number)}]},
  ]);
  expect((await server.as(ada).web(path)).status).toBe(404);
  expect(scopes).toEqual(['public']);
});

test('data exports: an export that cannot be written, or whose server ended, has failed', async () => {
  const database = join(scratchDirectory(), 'parley.db');
  let hasStarted = () => {};
  const started = new Promise<void>((resolve) => {
    hasStarted = resolve;
  });
  const writeExport: ExportWriter = async () => {
    hasStarted();
    return new Promise(() => {});
  };
  const first = await testServer({database, writeExport});
  const olive = first.people.owner();
  // One that was deleted is not changed by the restart.
  const deleted = 'INSERT INTO data_export (type, acting_user_id, requested_at, deleted_at) VALUES (1, ?, 1, 2)';
  first.context.db.run(deleted, olive.id);
  await first.as(olive).post('/export/realm', {});
  await started;
  await first.close();
  const failing = async () => Promise.reject(new Error('No space'));
  const second = await testServer({database, secrets: first.context.secrets, writeExport: failing});
  const queue = await second.as(olive).listen({event_types: ['realm_export']});
  await second.as(olive).post('/export/realm', {});
  const {exports} = await queue.first((event) => event.exports.every(({pending}: Reply) => !pending));
  const failed = {failed_timestamp: expect.any(Number), export_url: null};
  expect(exports).toMatchObject([{deleted_timestamp: 2, failed_timestamp: null}, failed, failed]);
});

test('data exports: an export whose archive is gone has failed, and the server goes on', async () => {
  const archive = join(scratchDirectory(), 'gone.tar.gz');
  const writeExport: ExportWriter = async () => ({archive, remove() {}});
  const server = await testServer({writeExport, files: directoryFileStore(scratchDirectory())});
  const olive = server.people.owner();
  const queue = await server.as(olive).listen({event_types: ['realm_export']});
  await server.as(olive).post('/export/realm', {});
  const {exports} = await queue.first((event) => event.exports.every(({pending}: Reply) => !pending));
  expect(exports).toMatchObject([{failed_timestamp: expect.any(Number), export_url: null}]);
});

test('data exports: five are written in a week, and the next one after it', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const olive = server.as(server.people.owner());
  for (let count = 1; count <= 5; count++) await olive.post('/export/realm', {});
  const {msg} = await olive.refused('POST', '/export/realm', {}, {code: 'BAD_REQUEST'});
  expect(msg).toBe('Exceeded rate limit.');
  clock.advance(7 * 86_400_000 + 1000);
  await olive.post('/export/realm', {});
});
