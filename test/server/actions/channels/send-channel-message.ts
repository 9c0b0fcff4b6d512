import {sendMessage} from '#server/actions/messages/send-message.ts';
import {findChannel} from '#server/db/channels.ts';
import {findUser} from '#server/db/users.ts';
import type {Person} from '#test/support/people.ts';
import type {TestServer} from '#test/support/server.ts';

/** Sends a message to a channel and returns its id. */
export function sendChannelMessage({context}: TestServer, person: Person, channelId: number, topic: string): number {
  return context.runAction((act) => {
    const sender = findUser(act.db, person.id);
    const channel = findChannel(act.db, channelId);
    if (sender === undefined || channel === undefined) throw new Error('No such sender or channel');
    const destination = {kind: 'channel', channel, topic} as const;
    return sendMessage(act, sender, {destination, content: 'hello', client: 'ParleyTest'}).row.id;
  });
}
