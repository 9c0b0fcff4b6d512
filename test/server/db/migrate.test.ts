import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {Database} from '#server/db/database.ts';
import {historicalMessages, messageHtml} from '#server/db/migrate.ts';
import {foundation} from '#server/db/migrations/001-foundation.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

test('migrations: a group stays deactivated, and the HTML of a message goes with it', () => {
  const path = join(scratchDirectory(), 'parley.db');
  const older = new DatabaseSync(path);
  for (const sql of [foundation, historicalMessages, messageHtml, 'PRAGMA user_version = 3']) older.exec(sql);
  older.exec(`
    INSERT INTO user_group (name, name_key, description, deactivated, created_at, creator_id)
      VALUES ('Cooks', 'cooks', 'who cook', 1, 5, 9), ('Bakers', 'bakers', '', 0, 6, 9);
    INSERT INTO message (sender_id, channel_id, content, sent_at) VALUES (1, 7, '@**Ann**', 1);
    INSERT INTO message_html VALUES (1, '<p>@Ann</p>');
  `);
  older.close();
  const db = new Database(path);
  const groups = `SELECT name, description, deactivated, created_at, creator_id FROM user_group WHERE is_system = 0 ORDER BY id`;
  expect(db.all(groups)).toEqual([
    {name: 'Cooks', description: 'who cook', deactivated: 1, created_at: 5, creator_id: 9},
    {name: 'Bakers', description: '', deactivated: 0, created_at: 6, creator_id: 9},
  ]);
  db.run('DELETE FROM message');
  expect(db.all('SELECT * FROM message_html')).toEqual([]);
  db.close();
});
