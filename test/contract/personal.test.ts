import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {levels} from '#wire/levels.ts';
import {contractFixture, since} from './contract-fixture.ts';

const draft = {type: '', to: [], topic: '', content: 'thinking…'};

test('drafts', async () => {
  const {server, meg, owner, general, expectConsistent: watch} = await contractFixture();
  const client = server.as(meg);
  const channelDraft = {type: 'stream', to: [general], topic: 'talk', content: 'almost'};
  const directDraft = {type: 'private', to: [owner.id], topic: '', content: 'just between us'};
  await watch(() => client.post('/drafts', {drafts: [draft, channelDraft, directDraft]}));
  const {drafts} = await client.get('/drafts');
  await watch(() => client.patch(`/drafts/${drafts[0].id}`, {draft: {...channelDraft, content: 'done'}}));
  await watch(() => client.delete(`/drafts/${drafts[1].id}`));
});

since(levels.savedSnippets)('snippets', async () => {
  const {server, meg, expectConsistent: watch} = await contractFixture();
  const client = server.as(meg);
  await watch(() => client.post('/saved_snippets', {title: 'hi', content: 'hello there'}));
  const {saved_snippets} = await client.get('/saved_snippets');
  const path = `/saved_snippets/${saved_snippets[0].id}`;
  if (server.world.level >= levels.editSavedSnippet) await watch(() => client.patch(path, {title: 'hey'}));
  await watch(() => client.delete(path));
});

/** Before a queue is given up as idle. */
function later(clock: ManualClock) {
  return clock.seconds() + 300;
}

since(levels.editScheduledMessage)('scheduled messages, and their delivery', async () => {
  const clock = new ManualClock();
  const {server, meg, owner, general, expectConsistent: watch} = await contractFixture({clock});
  const client = server.as(meg);
  const content = {content: 'later', scheduled_delivery_timestamp: later(clock)};
  const toChannel = {...content, type: 'stream', to: general, topic: 'talk'};
  await watch(() => client.post('/scheduled_messages', toChannel));
  await watch(() => client.post('/scheduled_messages', {...content, type: 'direct', to: [owner.id]}));
  const {scheduled_messages} = await client.get('/scheduled_messages');
  const [one, two] = scheduled_messages.map(
    (message: {scheduled_message_id: number}) => message.scheduled_message_id,
  );
  await watch(() => client.patch(`/scheduled_messages/${one}`, {content: 'even later'}));
  await watch(() => client.delete(`/scheduled_messages/${two}`));
  await watch(() => clock.advance(300_000));
  expect((await client.get('/scheduled_messages')).scheduled_messages).toEqual([]);
});

since(levels.reminders)('reminders, and their delivery', async () => {
  const clock = new ManualClock();
  const {server, meg, owner, send: say, expectConsistent: watch} = await contractFixture({clock});
  const client = server.as(meg);
  const id = await say(owner, 'remember this');
  const remind = () =>
    client.post('/reminders', {message_id: id, scheduled_delivery_timestamp: later(clock), note: 'soon'});
  await watch(remind);
  const {reminders} = await client.get('/reminders');
  await watch(() => client.delete(`/reminders/${reminders[0].reminder_id}`));
  await watch(remind);
  await watch(() => clock.advance(300_000));
});

since(levels.navigationViews)('navigation views', async () => {
  const {server, meg, expectConsistent: watch} = await contractFixture();
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

since(levels.conferenceCalls)('a call without a token', async () => {
  const {server, meg, expectConsistent: watch} = await contractFixture();
  server.world.db.run('UPDATE user SET video_token = 1 WHERE id = ?', meg.id);
  await watch(() => {
    server.world.db.run('UPDATE user SET video_token = 0 WHERE id = ?', meg.id);
    return server
      .as(meg)
      .refused('POST', '/calls/conference/create', {}, {code: 'INVALID_VIDEO_CALL_PROVIDER_TOKEN'});
  });
});
