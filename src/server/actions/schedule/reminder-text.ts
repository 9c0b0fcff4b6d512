import {narrowLink} from '#content/narrow-link.ts';
import {maxContentLength, truncateText} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {MessageRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {messageLinks} from '#server/views/message-link.ts';

const ellipsis = '\n[message truncated]';

/** Returns the text of a reminder: the note, and who wrote the message where, with its text. */
export function reminderText(act: ActionContext, message: MessageRow, note: string): string {
  const sender = findUser(act.db, message.sender_id);
  const who = sender === undefined ? 'Somebody' : `@_**${sender.full_name}|${sender.id}**`;
  const fence = fenceFor(message.content);
  const said = `[said](${messageLinks(act.server, message).message_url})${placeOf(act, message)}`;
  const kind = message.channel_id === null ? 'direct message' : 'message';
  const before = `You requested a reminder for the following ${kind}.${notePart(note)}\n\n${who} ${said}:\n${fence}quote\n`;
  const after = `\n${fence}`;
  const room = maxContentLength - before.length - after.length;
  return before + truncateText(message.content, room, ellipsis) + after;
}

/** Returns the text of a reminder whose message was deleted or is no longer readable. */
export function reminderTextWithoutMessage(note: string): string {
  return `You requested a reminder for a message that is no longer available to you.${notePart(note)}`;
}

function notePart(note: string): string {
  return note === '' ? '' : ` Note:\n > ${note}`;
}

/** Returns a fence that is longer than all runs of backticks in the content, so that the quote ends where it should. */
function fenceFor(content: string): string {
  const longest = (content.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  return '`'.repeat(longest + 1);
}

/** Returns a link to the topic of a channel message. */
function placeOf(act: ActionContext, {id, channel_id, topic}: MessageRow): string {
  if (channel_id === null) return '';
  const name = findChannel(act.db, channel_id)?.name ?? '';
  const shownTopic = topic === '' ? organization(act).empty_topic_display_name : topic;
  const term = (operator: string, operand: number | string) => ({operator, operand, negated: false});
  const link = narrowLink([term('channel', channel_id), term('topic', topic), term('with', id)], () => name);
  return ` in [#${name} > ${shownTopic}](${link})`;
}
