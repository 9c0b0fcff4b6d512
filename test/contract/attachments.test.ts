import {expect, test} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import {initialState} from '#state/initial-state.ts';
import {attachmentFromWire} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import {decodeEvent} from '#wire/events.ts';
import {attachment} from '#wire/objects/attachment.ts';
import {decode} from '#wire/schema.ts';
import {contractFixture} from './contract-fixture.ts';

/** No registration tells of files, so they have a law of their own: what events tell is what the list says. */
test('files come, are linked to, unlinked, and go', async () => {
  const {server, meg, send: say} = await contractFixture();
  const client = server.as(meg);
  const queue = await client.listen({event_types: ['attachment']});
  let state: AccountState = initialState;
  const expectLaw = async () => {
    const events = await queue.events();
    expect(events.length).toBeGreaterThan(0);
    for (const raw of events) {
      const event = decodeEvent(raw);
      if (event.type === 'unknown') throw new Error(`Not understood: ${JSON.stringify(event)}`);
      state = applyEvent(state, event);
    }
    const {attachments} = await client.get('/attachments');
    const listed = attachments.map((raw: unknown) => {
      const told = decode(attachment, raw);
      if (!told.ok) throw new Error(told.reason);
      return attachmentFromWire(told.value);
    });
    expect([...state.attachments.values()]).toEqual(listed);
  };

  const {body} = await client.upload(
    '/user_uploads',
    'note.txt',
    new TextEncoder().encode('hi'),
    'text/plain',
  );
  await expectLaw();
  const id = await say(meg, `[note](${body.uri ?? body.url})`);
  await expectLaw();
  await client.patch(`/messages/${id}`, {content: 'no note'});
  await expectLaw();
  await client.delete(`/attachments/${[...state.attachments.keys()][0]}`);
  await expectLaw();
});
