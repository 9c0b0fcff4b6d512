import {expect} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import {initialState} from '#state/initial-state.ts';
import {attachmentFromWire} from '#state/slices/attachments.ts';
import type {AccountState} from '#state/state.ts';
import {decodeEvent} from '#wire/events.ts';
import {attachment} from '#wire/objects/personal.ts';
import {decode} from '#wire/schema.ts';
import {contractFixture, test} from './contract-fixture.ts';

/** Registrations do not contain attachments, so the events are compared with `GET /attachments`. */
test('events match the attachment list when a file is uploaded, linked and deleted', async () => {
  const {server, meg, send} = await contractFixture();
  const client = server.as(meg);
  const queue = await client.listen({event_types: ['attachment']});
  let state: AccountState = initialState;
  const expectEventsMatchList = async () => {
    const events = await queue.events();
    expect(events.length).toBeGreaterThan(0);
    for (const raw of events) {
      const event = decodeEvent(raw);
      if (event.type === 'unknown') throw new Error(`Unknown event: ${JSON.stringify(event)}`);
      state = applyEvent(state, event);
    }
    const {attachments} = await client.get('/attachments');
    const listed = attachments.map((raw: unknown) => {
      const result = decode(attachment, raw);
      if (!result.ok) throw new Error(result.reason);
      return attachmentFromWire(result.value);
    });
    expect([...state.attachments.values()]).toEqual(listed);
  };

  const {body} = await client.upload('/user_uploads', 'note.txt', new TextEncoder().encode('hi'), 'text/plain');
  await expectEventsMatchList();
  const id = await send(meg, `[note](${body.uri ?? body.url})`);
  await expectEventsMatchList();
  // No event tells that the link is gone; the list is fetched each time it is opened.
  await client.patch(`/messages/${id}`, {content: 'no note'});
  await client.delete(`/attachments/${[...state.attachments.keys()][0]}`);
  await expectEventsMatchList();
});
