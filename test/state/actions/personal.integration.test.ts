import {expect, test} from 'vitest';
import {
  createReminder,
  rescheduleMessage,
  saveSnippet,
  scheduleMessage,
  uploadFile,
  uploadProblem,
} from '#state/actions/messages.ts';
import {actionsFixture, expectInSync} from './actions-fixture.ts';

const soon = () => Math.floor(Date.now() / 1000) + 3600;

test('scheduled message: created, changed, redirected and deleted', async () => {
  const fixture = await actionsFixture();
  const {client, channelId, otto} = fixture;
  const {context} = client;
  const conversation = {kind: 'topic', channelId, topic: 'later'} as const;
  const id = await scheduleMessage(context, {conversation, content: 'hi', at: soon()});
  await client.pollEvents();
  expect(client.state.scheduled.get(id)).toMatchObject({conversation, content: 'hi'});
  await rescheduleMessage(context, id, {content: 'hello', at: soon() + 60});
  await rescheduleMessage(context, id, {conversation: {kind: 'direct', userIds: [otto.id]}});
  await client.pollEvents();
  expect(client.state.scheduled.get(id)).toMatchObject({
    content: 'hello',
    conversation: {kind: 'direct', userIds: [otto.id]},
  });
  await expectInSync(fixture);
  await context.api.deleteScheduledMessage({scheduled_message_id: id});
  await client.pollEvents();
  expect(client.state.scheduled.size).toBe(0);
  await expectInSync(fixture);
});

test('scheduled message: a message to oneself is addressed to the user', async () => {
  const fixture = await actionsFixture();
  const conversation = {kind: 'direct', userIds: []} as const;
  const id = await scheduleMessage(fixture.client.context, {conversation, content: 'buy tea', at: soon()});
  await fixture.client.pollEvents();
  expect(fixture.client.state.scheduled.get(id)).toMatchObject({conversation});
});

test('reminder: created and deleted', async () => {
  const fixture = await actionsFixture();
  const {client} = fixture;
  const id = await createReminder(client.context, {messageId: fixture.messageId, at: soon(), note: 'answer'});
  await client.pollEvents();
  expect(client.state.reminders.get(id)).toMatchObject({reminderTargetMessageId: fixture.messageId});
  await expectInSync(fixture);
  await client.context.api.deleteReminder({reminder_id: id});
  await client.pollEvents();
  expect(client.state.reminders.size).toBe(0);
});

test('snippets: created, changed and deleted', async () => {
  const fixture = await actionsFixture();
  const {client} = fixture;
  const id = await saveSnippet(client.context, 'greeting', 'hello');
  await client.context.api.editSnippet({saved_snippet_id: id, content: 'good morning'});
  await client.pollEvents();
  expect(client.state.snippets.get(id)).toMatchObject({title: 'greeting', content: 'good morning'});
  await expectInSync(fixture);
  await client.context.api.deleteSnippet({saved_snippet_id: id});
  await client.pollEvents();
  expect(client.state.snippets.size).toBe(0);
});

test('old server: an unsupported action is refused before any request', async () => {
  const fixture = await actionsFixture({level: 122});
  const {context} = fixture.client;
  const conversation = {kind: 'direct', userIds: [fixture.otto.id]} as const;
  const schedule = scheduleMessage(context, {conversation, content: 'hi', at: soon()});
  await expect(schedule).rejects.toMatchObject({code: 'SERVER_TOO_OLD'});
  await expect(saveSnippet(context, 'a', 'b')).rejects.toMatchObject({code: 'SERVER_TOO_OLD'});
  const reminder = createReminder(context, {messageId: fixture.messageId, at: soon()});
  await expect(reminder).rejects.toMatchObject({code: 'SERVER_TOO_OLD'});
});

test.each([122, 277, 509])('upload: a file is uploaded with progress and linked (level %i)', async (level) => {
  const fixture = await actionsFixture({level});
  const {client} = fixture;
  const progress: number[] = [];
  const bytes = new Uint8Array(300_000).fill(65);
  const file = {name: 'notes [1].txt', size: bytes.length, data: new Blob([bytes])};
  const done = await uploadFile(client.context, {file, onProgress: (sent) => progress.push(sent)});
  expect(progress.at(-1)).toBe(bytes.length);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(done.markdown).toMatch(/^\[notes 1\.txt\]\(\/user_uploads\/[^()\s]+\)$/);
  await client.pollEvents();
  const [attachment] = [...client.state.attachments.values()];
  expect(attachment).toMatchObject({size: bytes.length});
  await client.context.api.deleteAttachment({attachment_id: attachment?.id ?? 0});
  await client.pollEvents();
  expect(client.state.attachments.size).toBe(0);
});

test('upload: a cancelled upload leaves nothing behind', async () => {
  const fixture = await actionsFixture();
  const {client} = fixture;
  const cancelling = new AbortController();
  const piece = new Uint8Array(50_000);
  async function* data() {
    yield piece;
    cancelling.abort(new Error('not this one'));
    yield piece;
  }
  const file = {name: 'big.bin', size: 100_000, data: data()};
  const upload = uploadFile(client.context, {file, signal: cancelling.signal});
  await expect(upload).rejects.toThrow('not this one');
  expect((await fixture.otherClient().get('/attachments')).attachments).toEqual([]);
});

test('upload: a file above the server’s limit is not sent', async () => {
  const fixture = await actionsFixture();
  const {context} = fixture.client;
  const limit = fixture.client.state.server.maxFileUploadSizeMib ?? 0;
  const file = {name: 'big.bin', size: limit * 1024 * 1024, data: new Blob([])};
  expect(uploadProblem(file, limit)).toBeUndefined();
  const larger = {...file, size: file.size + 1};
  await expect(uploadFile(context, {file: larger})).rejects.toThrow(
    `big.bin is larger than this server’s limit of ${limit} MiB.`,
  );
});

test('upload: a full storage quota is reported', async () => {
  const fixture = await actionsFixture();
  fixture.server.people.setting('upload_quota_mib', 0);
  const file = {name: 'a.txt', size: 3, data: new Blob(['abc'])};
  const upload = uploadFile(fixture.client.context, {file});
  await expect(upload).rejects.toMatchObject({code: 'REALM_UPLOAD_QUOTA', message: /quota\.$/});
});

test('subscription setting: undo of an inherited notification setting sets the same value', async () => {
  const fixture = await actionsFixture();
  const {client, channelId} = fixture;
  const own = () => client.state.subscriptions.get(channelId)?.desktopNotifications;
  expect(own()).toBeNull();
  const setting = 'desktopNotifications';
  const done = client.pendingChanges.perform({kind: 'subscription', channelId, setting, value: true});
  expect(own()).toBe(true);
  await fixture.syncAll();
  done?.undo();
  await fixture.syncAll();
  // No request can set null.
  expect(own()).toBe(client.state.settings.enableStreamDesktopNotifications);
  await expectInSync(fixture);
});
