import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest, notListed} from '#server/http/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {messageLinks} from '#server/views/message-link.ts';
import {sendNotice} from './send-message.ts';

/** The reasons for a report; the keys are part of the API. */
export const reportTypes = [
  {key: 'spam', name: 'Spam'},
  {key: 'harassment', name: 'Harassment'},
  {key: 'inappropriate', name: 'Inappropriate content'},
  {key: 'norms', name: 'Violates community norms'},
  {key: 'other', name: 'Other reason'},
] as const;

const maxDescriptionLength = 1000;

export interface ReportInput {
  readonly type: string;
  readonly description: string;
}

/** Reports a message in the organization's channel for moderation requests. */
export function reportMessage(act: ActionContext, actor: UserRow, message: MessageRow, input: ReportInput): void {
  const {type, description} = input;
  const reason = reportTypes.find(({key}) => key === type);
  if (reason === undefined) throw notListed('report_type');
  if (Array.from(description).length > maxDescriptionLength) {
    throw badRequest(`description is too long (limit: ${maxDescriptionLength} characters)`);
  }
  if (type === 'other' && description.trim() === '') {
    throw badRequest('An explanation is required.');
  }
  const channel = findChannel(act.db, organization(act).moderation_request_channel_id);
  if (channel === undefined || channel.is_archived === 1) {
    throw badRequest('Moderation request channel must be specified to enable message reporting.');
  }
  act.db.run(
    `INSERT INTO report (message_id, reporter_id, report_type, description, reported_at) VALUES (?, ?, ?, ?, ?)`,
    message.id,
    actor.id,
    type,
    description,
    act.now,
  );
  const sender = findUser(act.db, message.sender_id);
  const topic = `${sender?.full_name ?? 'Unknown user'}'s moderation requests`;
  sendNotice(act, {kind: 'channel', channel, topic}, reportText(act, actor, sender, message, {reason, description}));
}

function reportText(
  act: ActionContext,
  actor: UserRow,
  sender: UserRow | undefined,
  message: MessageRow,
  {reason, description}: {reason: (typeof reportTypes)[number]; description: string},
): string {
  const author = sender === undefined ? 'an unknown user' : `@_**${sender.full_name}|${sender.id}**`;
  const {message_link} = messageLinks(act.server, message);
  const fence = fenceFor(message.content);
  const lines = [
    `@_**${actor.full_name}|${actor.id}** reported ${message_link} by ${author}.`,
    `- Reason: **${reason.name}**`,
    ...(description.trim() === '' ? [] : [`- Notes:\n${quoted(description)}`]),
    `${fence}spoiler **Message**\n${message.content}\n${fence}`,
  ];
  return lines.join('\n');
}

function quoted(text: string): string {
  const fence = fenceFor(text);
  return `${fence}quote\n${text}\n${fence}`;
}

/** Returns a fence that is longer than all fences in the text. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^`{3,}/gm)].map(([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
}
