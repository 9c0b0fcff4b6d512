import {settingSql} from '#server/accounts/user-settings.ts';
import {fold} from '#server/db/rows.ts';
import {ApiError} from '#server/errors.ts';
import {checkedFieldData} from '#server/organization/profile-field-data.ts';
import {
  type NewIds,
  rewriteProfileValue,
  rewriteSubmessage,
  rewriteText,
  rewriteView,
} from '#server/transfer/references.ts';
import {isRecord, parsedJson, parseJson} from '#std/parse-json.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';
import {clientName, IdMap, type ImportContext, importedRows, type Row} from './import-context.ts';
import {topicOf} from './import-messages.ts';
import {conversationOf} from './import-people.ts';

/** Imports the profile fields of the organization and what people wrote in them. */
export function importProfiles(context: ImportContext, ids: NewIds): void {
  const {db, users, report} = context;
  const fields = new IdMap('profile field');
  const types = new Map<number | null, number>();
  for (const row of context.realm.rows('zerver_customprofilefield')) {
    const type = row.number('field_type');
    const data = fieldData(row, type);
    if (data === undefined) {
      report.leaveOut('profile fields of a kind that this server does not have');
      continue;
    }
    const id = db.insertRow('profile_field', {
      name: row.name('name', 40),
      hint: row.optionalText('hint', 80) ?? '',
      type,
      field_data: data,
      sort_order: row.optionalNumber('order') ?? row.number('id'),
      required: row.bit('required'),
      editable_by_user: row.bit('editable_by_user', true),
      display_in_profile_summary: row.bit('display_in_profile_summary'),
      use_for_user_matching: row.bit('use_for_user_matching'),
    });
    fields.add(row, id);
    types.set(id, type);
    report.count('customprofilefield');
  }
  for (const row of context.realm.rows('zerver_customprofilefieldvalue')) {
    const field = fields.optional(row, 'field');
    const text = row.text('value', 10_000);
    const type = types.get(field);
    const value = type === profileFieldTypes.user ? newPeople(text, ids) : rewriteProfileValue(text, type, ids);
    if (field === null || value === undefined) report.leaveOut('profile values of unknown fields or people');
    else {
      db.insertNewRow('profile_value', {user_id: users.of(row, 'user_profile'), field_id: field, value});
      report.count('customprofilefieldvalue');
    }
  }
}

/** Returns a list of people as stored; undefined if it is none. */
function newPeople(text: string, ids: NewIds): string | undefined {
  const old = parsedJson(text);
  const isList = Array.isArray(old) && old.every(Number.isSafeInteger);
  return isList ? JSON.stringify(old.flatMap((id) => ids.user(id) ?? [])) : undefined;
}

/** Returns the extra data of a field as stored; undefined if it is not valid here. */
function fieldData(row: Row, type: number): string | undefined {
  if (!Object.values<number>(profileFieldTypes).includes(type)) return undefined;
  try {
    const data: unknown = parseJson(row.optionalText('field_data', 100_000) || '{}');
    return checkedFieldData(type, isRecord(data) ? data : {});
  } catch (error) {
    if (error instanceof ApiError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Imports what each person has for themselves: policies of topics, muted people, alert words, snippets, views; and what bots stored. */
export function importPersonalItems(context: ImportContext, ids: NewIds): void {
  const {db, users, channels, report} = context;
  for (const row of importedRows(context, 'usertopic')) {
    const topic = topicOf(context, row, 'topic_name');
    const policy = row.optionalNumber('visibility_policy') ?? 1;
    if (policy < 1 || policy > 3) continue;
    db.insertNewRow('user_topic', {
      user_id: users.of(row, 'user_profile'),
      channel_id: channels.of(row, 'stream'),
      topic_key: fold(topic),
      topic_name: topic,
      policy,
      updated_at: row.optionalTime('last_updated') ?? context.now,
    });
  }
  for (const row of importedRows(context, 'muteduser')) {
    db.insertNewRow('muted_user', {
      user_id: users.of(row, 'user_profile'),
      muted_id: users.of(row, 'muted_user'),
      muted_at: row.time('date_muted'),
    });
  }
  for (const row of importedRows(context, 'alertword')) {
    const word = row.text('word', 100).trim();
    if (word !== '')
      db.insertNewRow('alert_word', {user_id: users.of(row, 'user_profile'), word_key: fold(word), word});
  }
  for (const row of importedRows(context, 'savedsnippet')) {
    db.insertRow('saved_snippet', {
      user_id: users.of(row, 'user_profile'),
      title: row.text('title', 60),
      content: rewriteText(row.text('content', 10_000), ids),
      created_at: row.time('date_created'),
    });
  }
  for (const row of importedRows(context, 'onboardingstep')) {
    db.insertNewRow('onboarding_step', {user_id: users.of(row, 'user'), name: row.text('onboarding_step', 100)});
  }
  for (const row of importedRows(context, 'botstoragedata')) {
    db.insertNewRow('bot_storage', {
      user_id: users.of(row, 'bot_profile'),
      key: row.text('key', 10_000),
      value: row.text('value', 10_000_000),
    });
  }
  for (const row of importedRows(context, 'navigationview')) {
    const fragment = rewriteView(row.text('fragment', 1000), ids);
    if (fragment === undefined) report.leaveOut('views in sidebars of channels or people that are not in the export');
    else
      db.insertNewRow('navigation_view', {
        user_id: users.of(row, 'user'),
        fragment,
        is_pinned: row.bit('is_pinned'),
        name: row.optionalText('name', 100) ?? null,
      });
  }
}

/** Imports statuses and when people were last seen. */
export function importPresence(context: ImportContext): void {
  const {db, users} = context;
  for (const row of importedRows(context, 'userstatus')) {
    const status_text = row.optionalText('status_text', 255) ?? '';
    db.replaceRow('user_status', {user_id: users.of(row, 'user_profile'), status_text, ...newEmoji(context, row)});
  }
  // Somebody who does not share the presence is away.
  db.exec(`INSERT INTO user_status (user_id, away) SELECT id, 1 FROM user WHERE NOT ${settingSql('presence_enabled')}
    ON CONFLICT DO UPDATE SET away = 1`);
  let update = 0;
  for (const row of importedRows(context, 'userpresence')) {
    // Before Zulip 7 there was a row for each client, with another shape.
    if (!row.has('last_connected_time') && !row.has('last_active_time')) continue;
    db.replaceRow('presence', {
      user_id: users.of(row, 'user_profile'),
      active_at: row.optionalTime('last_active_time') ?? null,
      idle_at: row.optionalTime('last_connected_time') ?? null,
      update_id: ++update,
    });
  }
}

/** Returns the columns of the row's emoji as stored; undefined if it has none that exists here. */
function newEmoji({emoji}: ImportContext, row: Row) {
  const emoji_name = row.optionalText('emoji_name', 100) ?? '';
  // Zulip's converters write it as a number.
  const emoji_code = String(
    typeof row.value('emoji_code') === 'number'
      ? row.number('emoji_code')
      : (row.optionalText('emoji_code', 100) ?? ''),
  );
  const reaction_type = (row.optionalText('reaction_type', 30) ?? 'unicode_emoji').replace(/^zulip_extra/, 'extra');
  if (emoji_name === '' || emoji_code === '') return undefined;
  if (reaction_type === 'unicode_emoji' || reaction_type === 'extra_emoji')
    return {emoji_name, emoji_code, reaction_type};
  const id = reaction_type === 'realm_emoji' ? emoji.get(Number(emoji_code)) : undefined;
  return id === undefined ? undefined : {emoji_name, emoji_code: String(id), reaction_type};
}

const reminderDelivery = 2;

/** Imports scheduled messages and reminders. What should have been sent before now is kept, but not sent any more. */
export function importScheduled(context: ImportContext, ids: NewIds): void {
  const {db, users, report, now} = context;
  for (const row of context.realm.rows('zerver_scheduledmessage')) {
    if (row.flag('delivered')) {
      report.leaveOut('scheduled messages that were sent already');
      continue;
    }
    const sender = users.of(row, 'sender');
    const {channelId, members} = conversationOf(context, row, sender);
    const isReminder = row.optionalNumber('delivery_type') === reminderDelivery;
    const target = isReminder ? ids.message(row.optionalNumber('reminder_target_message_id') ?? -1) : undefined;
    if (isReminder && target === undefined) {
      report.leaveOut('reminders of messages that are not in the export');
      continue;
    }
    const deliverAt = row.time('scheduled_timestamp');
    const others = members.filter((id) => id !== sender || members.length === 1);
    db.insertRow('scheduled_message', {
      user_id: sender,
      type: channelId === undefined ? 'private' : 'stream',
      recipients: JSON.stringify(channelId === undefined ? others : [channelId]),
      topic: channelId === undefined ? '' : topicOf(context, row, 'subject'),
      content: isReminder ? '' : rewriteText(row.text('content', 100_000), ids),
      deliver_at: deliverAt,
      failed: row.flag('failed') || deliverAt <= now ? 1 : 0,
      read_by_sender: row.bit('read_by_sender', true),
      client: clientName(context, row),
      target_message_id: target ?? null,
      note: row.optionalText('reminder_note', 1000) ?? '',
    });
    report.count('scheduledmessage');
  }
}

/** Imports the reactions and the answers in polls and to-do lists; the messages must exist. */
export function importReactions(context: ImportContext, ids: NewIds): void {
  const {db, users, report} = context;
  for (const row of context.realm.rows('zerver_reaction')) {
    const emoji = newEmoji(context, row);
    if (emoji === undefined) {
      report.leaveOut('reactions with an emoji that is not imported');
      continue;
    }
    db.insertNewRow('reaction', {
      message_id: messageOf(context, row),
      user_id: users.of(row, 'user_profile'),
      ...emoji,
    });
    report.count('reaction');
  }
  for (const row of importedRows(context, 'submessage')) {
    const content = rewriteSubmessage(row.text('content', 1_000_000), ids);
    if (content === undefined) {
      report.leaveOut('votes and marks in polls and to-do lists for what somebody added who is not in the export');
      continue;
    }
    const msg_type = row.optionalText('msg_type', 100) ?? 'widget';
    db.insertRow('submessage', {
      message_id: messageOf(context, row),
      sender_id: users.of(row, 'sender'),
      msg_type,
      content,
    });
  }
}

function messageOf({db}: ImportContext, row: Row): number {
  const old = row.number('message');
  const id = db.value('SELECT new FROM work.message WHERE old = ?', old);
  return id ?? row.fail(`“message” names ${old}, which is not in the export.`);
}
