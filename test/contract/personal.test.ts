import {expect} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {levels} from '#wire/levels.ts';
import {contractFixture, since, test} from './contract-fixture.ts';

const draft = {type: '', to: [], topic: '', content: 'thinking…'};

test('events match a new registration: creating, changing and deleting drafts', async () => {
  const {server, meg, owner, general, expectConsistent} = await contractFixture();
  const client = server.as(meg);
  const channelDraft = {type: 'stream', to: [general], topic: 'talk', content: 'almost'};
  const directDraft = {type: 'private', to: [owner.id], topic: '', content: 'just between us'};
  await expectConsistent(() => client.post('/drafts', {drafts: [draft, channelDraft, directDraft]}));
  const {drafts} = await client.get('/drafts');
  await expectConsistent(() => client.patch(`/drafts/${drafts[0].id}`, {draft: {...channelDraft, content: 'done'}}));
  await expectConsistent(() => client.delete(`/drafts/${drafts[1].id}`));
});

since(levels.savedSnippets)(
  'events match a new registration: creating, changing and deleting a saved snippet',
  async () => {
    const {server, meg, expectConsistent} = await contractFixture();
    const client = server.as(meg);
    await expectConsistent(() => client.post('/saved_snippets', {title: 'hi', content: 'hello there'}));
    const {saved_snippets} = await client.get('/saved_snippets');
    const path = `/saved_snippets/${saved_snippets[0].id}`;
    if (server.context.level >= levels.editSavedSnippet)
      await expectConsistent(() => client.patch(path, {title: 'hey'}));
    await expectConsistent(() => client.delete(path));
  },
);

/** Returns a delivery time before idle event queues are deleted. */
function deliveryTime(clock: ManualClock) {
  return clock.seconds() + 300;
}

since(levels.editScheduledMessage)(
  'events match a new registration: scheduling, changing, deleting and delivering messages',
  async () => {
    const clock = new ManualClock();
    const {server, meg, owner, general, expectConsistent} = await contractFixture({clock});
    const client = server.as(meg);
    const content = {content: 'later', scheduled_delivery_timestamp: deliveryTime(clock)};
    const toChannel = {...content, type: 'stream', to: general, topic: 'talk'};
    await expectConsistent(() => client.post('/scheduled_messages', toChannel));
    await expectConsistent(() => client.post('/scheduled_messages', {...content, type: 'direct', to: [owner.id]}));
    const {scheduled_messages} = await client.get('/scheduled_messages');
    const [one, two] = scheduled_messages.map(
      (message: {scheduled_message_id: number}) => message.scheduled_message_id,
    );
    await expectConsistent(() => client.patch(`/scheduled_messages/${one}`, {content: 'even later'}));
    await expectConsistent(() => client.delete(`/scheduled_messages/${two}`));
    await expectConsistent(() => clock.advance(300_000));
    expect((await client.get('/scheduled_messages')).scheduled_messages).toEqual([]);
  },
);

since(levels.reminders)('events match a new registration: creating, deleting and delivering reminders', async () => {
  const clock = new ManualClock();
  const {server, meg, owner, send, expectConsistent} = await contractFixture({clock});
  const client = server.as(meg);
  const id = await send(owner, 'remember this');
  const remind = () =>
    client.post('/reminders', {
      message_id: id,
      scheduled_delivery_timestamp: deliveryTime(clock),
      note: 'soon',
    });
  await expectConsistent(remind);
  const {reminders} = await client.get('/reminders');
  await expectConsistent(() => client.delete(`/reminders/${reminders[0].reminder_id}`));
  await expectConsistent(remind);
  await expectConsistent(() => clock.advance(300_000));
});

since(levels.navigationViews)(
  'events match a new registration: adding, changing and removing navigation views',
  async () => {
    const {server, meg, expectConsistent} = await contractFixture();
    const client = server.as(meg);
    await expectConsistent(() => client.post('/navigation_views', {fragment: 'inbox', is_pinned: true}));
    await expectConsistent(() =>
      client.post('/navigation_views', {fragment: 'narrow/is/alerted', is_pinned: false, name: 'Alerts'}),
    );
    await expectConsistent(() =>
      client.patch(`/navigation_views/${encodeURIComponent('narrow/is/alerted')}`, {name: 'Alarms'}),
    );
    await expectConsistent(() => client.delete('/navigation_views/inbox'));
  },
);

since(levels.conferenceCalls)('events match a new registration: a video call without a token', async () => {
  const {server, meg, expectConsistent} = await contractFixture();
  server.context.db.run('UPDATE user SET video_token = 1 WHERE id = ?', meg.id);
  await expectConsistent(() => {
    server.context.db.run('UPDATE user SET video_token = 0 WHERE id = ?', meg.id);
    return server.as(meg).refused('POST', '/calls/conference/create', {}, {code: 'INVALID_VIDEO_CALL_PROVIDER_TOKEN'});
  });
});
