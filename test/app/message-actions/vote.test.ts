import {test} from 'vitest';
import {messageFixture} from './message-fixture.ts';

test('vote: in a channel without a subscription the vote is shown, although no event reports it', async () => {
  const {fixture, select, press, says} = await messageFixture();
  const {server, otto} = fixture;
  server.people.channel('elsewhere', [otto]);
  const poll = {type: 'stream', to: 'elsewhere', topic: 'lunch', content: '/poll Where?\nHarbor\nMarket'};
  const {id} = await server.as(otto).post('/messages', poll);
  await select(id);
  press('Enter');
  await says('[ ] Harbor');
  press('Enter');
  await says('[✓] Harbor');
});
