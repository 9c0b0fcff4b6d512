import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('alert words: words that differ only in case count once', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const listener = await as(meg).listen({event_types: ['alert_words']});
  const added = await as(meg).post('/users/me/alert_words', {alert_words: [' Lunch ', 'fire', 'lunch', '']});
  expect(added.alert_words).toEqual(['fire', 'Lunch']);
  expect((await as(meg).get('/users/me/alert_words')).alert_words).toEqual(['fire', 'Lunch']);
  const again = await as(meg).post('/users/me/alert_words', {alert_words: ['FIRE']});
  expect(again.alert_words).toEqual(['fire', 'Lunch']);
  const rest = await as(meg).delete('/users/me/alert_words', {alert_words: ['LUNCH', 'unknown']});
  expect(rest.alert_words).toEqual(['fire']);
  expect(await listener.events()).toMatchObject([
    {type: 'alert_words', alert_words: ['fire', 'Lunch']},
    {type: 'alert_words', alert_words: ['fire', 'Lunch']},
    {type: 'alert_words', alert_words: ['fire']},
  ]);
  const state = await as(meg).post('/register', {fetch_event_types: ['alert_words']});
  expect(state.alert_words).toEqual(['fire']);
});

test('alert words: words are private and limited in length', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const listener = await as(otto).listen({event_types: ['alert_words']});
  await as(meg).post('/users/me/alert_words', {alert_words: ['x'.repeat(100)]});
  expect(await listener.events()).toEqual([]);
  const long = {alert_words: ['fine', 'x'.repeat(101)]};
  const {msg} = await as(otto).refused('POST', '/users/me/alert_words', long, {code: 'BAD_REQUEST'});
  expect(msg).toBe('alert_words[1] is too long (limit: 100 characters)');
  expect((await as(otto).get('/users/me/alert_words')).alert_words).toEqual([]);
  await as(otto).refused('POST', '/users/me/alert_words', {alert_words: 'x'}, {code: 'BAD_REQUEST'});
});
