import {test} from 'vitest';
import {scene} from './scene.ts';

const draft = {type: '', to: [], topic: '', content: 'thinking…'};

test('drafts', async () => {
  const {server, meg, general, watch} = await scene();
  const client = server.as(meg);
  const channelDraft = {type: 'stream', to: [general], topic: 'talk', content: 'almost'};
  await watch(() => client.post('/drafts', {drafts: [draft, channelDraft]}));
  const {drafts} = await client.get('/drafts');
  await watch(() => client.patch(`/drafts/${drafts[0].id}`, {draft: {...channelDraft, content: 'done'}}));
  await watch(() => client.delete(`/drafts/${drafts[1].id}`));
});

test('snippets', async () => {
  const {server, meg, watch} = await scene();
  const client = server.as(meg);
  await watch(() => client.post('/saved_snippets', {title: 'hi', content: 'hello there'}));
  const {saved_snippets} = await client.get('/saved_snippets');
  await watch(() => client.patch(`/saved_snippets/${saved_snippets[0].id}`, {title: 'hey'}));
  await watch(() => client.delete(`/saved_snippets/${saved_snippets[0].id}`));
});

test('scheduled messages', async () => {
  const {server, meg, owner, general, watch} = await scene();
  const client = server.as(meg);
  const later = Math.floor(Date.now() / 1000) + 3600;
  const toChannel = {
    type: 'stream',
    to: general,
    topic: 'talk',
    content: 'later',
    scheduled_delivery_timestamp: later,
  };
  await watch(() => client.post('/scheduled_messages', toChannel));
  await watch(() => client.post('/scheduled_messages', {...toChannel, type: 'direct', to: [owner.id]}));
  const {scheduled_messages} = await client.get('/scheduled_messages');
  const [one, two] = scheduled_messages.map(
    (message: {scheduled_message_id: number}) => message.scheduled_message_id,
  );
  await watch(() => client.patch(`/scheduled_messages/${one}`, {content: 'even later'}));
  await watch(() => client.delete(`/scheduled_messages/${two}`));
});

test('reminders', async () => {
  const {server, meg, owner, say, watch} = await scene();
  const client = server.as(meg);
  const id = await say(owner, 'remember this');
  const when = Math.floor(Date.now() / 1000) + 3600;
  await watch(() =>
    client.post('/reminders', {message_id: id, scheduled_delivery_timestamp: when, note: 'soon'}),
  );
  const {reminders} = await client.get('/reminders');
  await watch(() => client.delete(`/reminders/${reminders[0].reminder_id}`));
});

test('navigation views', async () => {
  const {server, meg, watch} = await scene();
  const client = server.as(meg);
  await watch(() => client.post('/navigation_views', {fragment: 'inbox', is_pinned: true}));
  await watch(() =>
    client.post('/navigation_views', {fragment: 'narrow/is/alerted', is_pinned: false, name: 'Alerts'}),
  );
  await watch(() =>
    client.patch(`/navigation_views/${encodeURIComponent('narrow/is/alerted')}`, {name: 'Alarms'}),
  );
  await watch(() => client.delete('/navigation_views/inbox'));
});
