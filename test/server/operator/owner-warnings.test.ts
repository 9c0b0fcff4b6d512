import {expect, test, vi} from 'vitest';
import {storeBackupFact} from '#server/operator/backup-fact.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {steadyPort} from '#test/support/serve-process.ts';
import {testServer} from '#test/support/server.ts';

const hour = 3600_000;

test('owner warnings: owners are told once when the last backup is too old, and again after it was well meanwhile', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const [owner, member] = [server.people.owner(), server.people.member()];
  const second = server.people.owner('Second Owner');
  server.people.setting('backup_max_age_hours', 26);
  const {db} = server.context;
  const backUp = () => {
    const taken_at = new Date(clock.now()).toISOString();
    storeBackupFact(db, {path: '/backups/1', taken_at, verified: true});
  };
  const texts = async (person: typeof owner) => {
    const query = {anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false};
    const {messages} = await server.as(person).get('/messages', query);
    return messages.map(({content}: {content: string}) => content).filter((text: string) => text.includes('backup'));
  };
  backUp();
  clock.advance(26 * hour);
  expect(await texts(owner)).toEqual([]);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  clock.advance(2 * hour);
  const warning = 'A warning about this server: The last good backup is 26 hours old, and backup_max_age_hours is 26.';
  for (const person of [owner, second]) expect(await texts(person)).toEqual([warning]);
  expect(await texts(member)).toEqual([]);
  expect((await fetch(`${server.url}/health`)).status).toBe(503);
  backUp();
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  clock.advance(hour);
  clock.advance(28 * hour);
  expect(await texts(owner)).toEqual([warning, warning]);
});

test('owner warnings: a warning that goes on is not told again when another begins', async () => {
  const clock = new ManualClock();
  const mail = {smtpUrl: `smtp://127.0.0.1:${await steadyPort()}`, from: 'chat@example.com'};
  const server = await testServer({clock, mail, log: () => {}});
  const owner = server.people.owner();
  await vi.waitUntil(() => server.context.mail?.problem !== undefined, {timeout: 30_000});
  clock.advance(hour);
  server.people.setting('backup_max_age_hours', 26);
  clock.advance(hour);
  const query = {anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false};
  const {messages} = await server.as(owner).get('/messages', query);
  expect(messages.map(({content}: {content: string}) => content)).toEqual([
    'A warning about this server: The mail server could not be used the last time.',
    'A warning about this server: There is no backup.',
  ]);
});
