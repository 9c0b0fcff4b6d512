import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {Database} from '#server/db/database.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

/** Returns words that share no beginning, because the search index stores only what differs from the word before. */
function distinctWords(count: number): string[] {
  const letters = 'bcdfghjklmnpqrstvwxz';
  return Array.from({length: count}, (_, at) => {
    const digits = ((at + 1) * 7_919_317).toString(20).padStart(7, '0');
    return Array.from(digits, (digit) => letters[Number.parseInt(digit, 20)]).join('');
  });
}

/** Returns the words that the files contain. */
function wordsIn(words: readonly string[], ...paths: string[]): string[] {
  const texts = paths.map((path) => readFileSync(path, 'latin1'));
  return words.filter((word) => texts.some((text) => text.includes(word)));
}

test('deleted messages: their words are in no page of the database, its log, the search index or a backup', async () => {
  const folder = scratchDirectory();
  const database = join(folder, 'parley.db');
  const clock = new ManualClock();
  const server = await testServer({database, clock, rateLimited: false});
  const meg = server.people.owner();
  server.people.channel('general', [meg]);
  const client = server.as(meg);
  const words = distinctWords(60);
  const ids: number[] = [];
  for (const [at, word] of words.entries()) {
    // Every fifth is so long that it needs pages of its own.
    const content = `${word} `.repeat(at % 5 === 0 ? 900 : 1 + (at % 4));
    ids.push((await client.post('/messages', {type: 'stream', to: 'general', topic: 'tides', content})).id);
  }
  clock.advance(1000);
  // The edit history has the first text.
  for (const id of ids.slice(0, 10)) await client.patch(`/messages/${id}`, {content: 'calm sea'});
  clock.advance(1000);
  expect(wordsIn(words, database, `${database}-wal`)).toEqual(words);
  for (const id of ids.slice(1)) await client.delete(`/messages/${id}`);
  clock.advance(60_000);
  await expect.poll(() => statSync(`${database}-wal`).size).toBe(0);
  const copy = join(folder, 'copy.db');
  await server.context.db.copyTo(copy);
  expect(wordsIn(words, database, copy)).toEqual(words.slice(0, 1));
  await client.delete(`/messages/${ids[0]}`);
  await server.close();
  const next = await testServer({database, clock});
  clock.advance(60_000);
  await next.close();
  expect(wordsIn(words, database)).toEqual([]);
});

test('deleted messages: the search index of older data erases words, too', () => {
  const path = join(scratchDirectory(), 'parley.db');
  new Database(path).close();
  const old = new Database(path, {asFound: true});
  old.exec(`INSERT INTO message_fts (message_fts, rank) VALUES ('secure-delete', 0)`);
  old.close();
  const db = new Database(path);
  onTestFinished(() => db.close());
  expect(db.value(`SELECT v FROM message_fts_config WHERE k = 'secure-delete'`)).toBe(1);
});
