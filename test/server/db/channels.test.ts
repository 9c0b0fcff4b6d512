import {expect, test} from 'vitest';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import {testServer} from '#test/support/server.ts';

test('channel rows: a looked up channel is current after each change, also after one that is undone', async () => {
  const {people, context} = await testServer();
  const {db} = context;
  const id = people.channel('general', []);
  const rename = (name: string) => db.run('UPDATE channel SET name = ?1, name_key = ?1 WHERE id = ?2', name, id);
  const names = () => ['general', 'random'].map((name) => findChannelByName(db, name)?.id);
  expect([findChannel(db, id)?.name, ...names()]).toEqual(['general', id, undefined]);
  const undone = () =>
    context.runAction(() => {
      rename('random');
      expect([findChannel(db, id)?.name, ...names()]).toEqual(['random', undefined, id]);
      throw new Error('undone');
    });
  expect(undone).toThrow('undone');
  expect([findChannel(db, id)?.name, ...names()]).toEqual(['general', id, undefined]);
  context.runAction(() => rename('random'));
  expect([findChannel(db, id)?.name, ...names()]).toEqual(['random', undefined, id]);
  expect(findChannel(db, id)).toBe(findChannel(db, id));
  db.run('DELETE FROM channel WHERE id = ?', id);
  expect([findChannel(db, id), ...names()]).toEqual([undefined, undefined, undefined]);
});
