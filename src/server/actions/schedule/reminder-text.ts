import {type NarrowLinkTerm, narrowLink} from '#content/narrow-link.ts';
import {maxContentLength, truncateText} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationMembers} from '#server/db/direct-conversations.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';

const ellipsis = '\n[message truncated]';

/** Returns the text of a reminder: the note, a link to the message, its sender and its text. */
export function reminderText(act: ActionContext, reader: UserRow, message: MessageRow, note: string): string {
  const sender = findUser(act.db, message.sender_id);
  const who = sender === undefined ? 'Somebody' : `@_**${sender.full_name}|${sender.id}**`;
  const fence = fenceFor(message.content);
  const before = `${notePart(note)}You asked to be reminded of [this message](${messageLink(act, reader, message)}).

${who} said:
${fence}quote
`;
  const after = `\n${fence}`;
  const room = maxContentLength - before.length - after.length;
  return before + truncateText(message.content, room, ellipsis) + after;
}

/** Returns the text of a reminder whose message was deleted or is no longer readable. */
export function reminderTextWithoutMessage(note: string): string {
  return `${notePart(note)}You asked to be reminded of a message that is no longer available to you.`;
}

function notePart(note: string): string {
  return note === '' ? '' : `${note}\n\n`;
}

/** Returns a fence that is longer than all runs of backticks in the content, so that the quote ends where it should. */
function fenceFor(content: string): string {
  const longest = (content.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  return '`'.repeat(longest + 1);
}

function messageLink(act: ActionContext, reader: UserRow, message: MessageRow): string {
  const term = (operator: string, operand: NarrowLinkTerm['operand']) => ({
    operator,
    operand,
    negated: false,
  });
  const near = term('near', message.id);
  if (message.channel_id === null) {
    const others = directConversationMembers(act.db, message.dm_id ?? 0).filter((id) => id !== reader.id);
    const [only = reader.id] = others;
    return narrowLink([term('dm', others.length > 1 ? others : only), near]);
  }
  const terms = [term('channel', message.channel_id), term('topic', message.topic), near];
  return narrowLink(terms, (id) => findChannel(act.db, id)?.name);
}
