import {alias, endpoint, fallback, flag, ids, json, loose, number, optional, raw, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {narrow} from '#wire/narrow.ts';
import {topic, visibilityPolicy} from '#wire/objects/channel.ts';
import {fetchedMessage, messageFlag, messageSnapshot, narrowMatches, propagateMode} from '#wire/objects/message.ts';
import {attachment} from '#wire/objects/personal.ts';
import {int, ints, nat, nullableInt, object, openEnum, type Schema, s} from '#wire/schema.ts';

const count = json(nat);
const allowEmptyTopicName = since(levels.emptyTopic, fallback(flag, false));
const anchorWord = s.picklist(['newest', 'oldest', 'first_unread']);
/** An id as text; clients send 10^16, which is not a safe integer, for the newest message. */
const anchorId = s.pipe(s.string(), s.regex(/^\s*[+-]?\d+\s*$/), s.transform(Number));
/** JSON null is the same as no value. */
const orNull = <T>(schema: Schema<T>) =>
  json(
    s.pipe(
      s.nullable(schema),
      s.transform((value) => value ?? undefined),
    ),
  );
/** Ids, names or addresses. Any value is accepted, because the error for a wrong one depends on the type of message. */
const addressee = s.custom<number | string | readonly (number | string)[]>(() => true);
const flagOp = raw(openEnum('add', 'remove'));
const typingOp = raw(s.picklist(['start', 'stop']));

export const sendMessage = endpoint('message.send', 'POST /messages', {
  params: {
    type: raw(s.picklist(['direct', 'channel', 'stream', 'private'])),
    to: optional(loose(addressee)),
    content: text,
    /** The name of the sending client, instead of the user agent's. */
    client: optional(text),
    topic: alias(optional(text), 'subject'),
    /** JSON of a form that a bot shows below the message. */
    widget_content: optional(text),
    /** Accepted and ignored: the time of a message that comes from another service. */
    time: optional(json(s.unknown())),
    /** Refused: they are for the mirrors of other services. */
    sender: optional(text),
    forged: optional(text),
    queue_id: optional(text),
    local_id: optional(text),
    read_by_sender: since(levels.readBySender, optional(flag)),
  },
  result: object(
    {id: int},
    {
      automatic_new_visibility_policy: visibilityPolicy,
      message_url: s.string(),
      message_link: s.string(),
    },
  ),
});

export const getMessages = endpoint('message.list', 'GET /messages', {
  auth: 'optional',
  params: {
    anchor: optional(raw(s.union([anchorWord, s.literal('date'), anchorId]))),
    anchor_date: since(levels.anchorDate, optional(text)),
    include_anchor: since(levels.narrowFlags, fallback(flag, true)),
    num_before: fallback(count, 0),
    num_after: fallback(count, 0),
    narrow: fallback(json(narrow), []),
    message_ids: since(levels.messageIds, optional(orNull(s.array(nat)))),
    client_gravatar: fallback(flag, true),
    apply_markdown: fallback(flag, true),
    allow_empty_topic_name: allowEmptyTopicName,
    use_first_unread_anchor: fallback(flag, false),
  },
  result: object(
    {messages: s.array(fetchedMessage)},
    {
      anchor: s.number(),
      found_anchor: s.boolean(),
      found_oldest: s.boolean(),
      found_newest: s.boolean(),
      history_limited: s.boolean(),
    },
  ),
});

export const getMessage = endpoint('message.get', 'GET /messages/{message_id}', {
  auth: 'optional',
  params: {
    apply_markdown: fallback(flag, true),
    allow_empty_topic_name: allowEmptyTopicName,
  },
  result: object({message: fetchedMessage}, {raw_content: s.string()}),
});

export const editMessage = endpoint('message.edit', 'PATCH /messages/{message_id}', {
  params: {
    content: optional(text),
    topic: alias(optional(text), 'subject'),
    stream_id: optional(count),
    propagate_mode: fallback(raw(propagateMode), 'change_one'),
    /** The default is false, and true below level 152. */
    send_notification_to_old_thread: optional(flag),
    send_notification_to_new_thread: fallback(flag, true),
    prev_content_sha256: since(levels.editLocking, optional(text)),
  },
  result: object({}, {detached_uploads: s.array(attachment)}),
});

export const deleteMessage = endpoint('message.delete', 'DELETE /messages/{message_id}');

export const getMessageHistory = endpoint('message.history', 'GET /messages/{message_id}/history', {
  params: {allow_empty_topic_name: allowEmptyTopicName},
  result: object({message_history: s.array(messageSnapshot)}),
});

export const renderMessage = endpoint('message.render', 'POST /messages/render', {
  params: {content: text},
  result: object({rendered: s.string()}),
});

export const updateFlags = endpoint('flag.update', 'POST /messages/flags', {
  params: {messages: ids, op: flagOp, flag: raw(messageFlag)},
  result: object({messages: ints}, {ignored_because_not_subscribed_channels: ints}),
});

export const updateFlagsForNarrow = endpoint('flag.update-narrow', 'POST /messages/flags/narrow', {
  since: levels.narrowFlags,
  params: {
    anchor: raw(s.union([anchorWord, anchorId])),
    include_anchor: fallback(flag, true),
    num_before: count,
    num_after: count,
    narrow: json(narrow),
    op: flagOp,
    flag: raw(messageFlag),
  },
  result: object(
    {
      processed_count: nat,
      updated_count: nat,
      first_processed_id: nullableInt,
      last_processed_id: nullableInt,
      found_oldest: s.boolean(),
      found_newest: s.boolean(),
    },
    {ignored_because_not_subscribed_channels: ints},
  ),
});

/** Marks all as read. Between levels 153 and 210 `complete` is absent; an unfinished run returns `partially_completed`. */
export const markAllAsRead = endpoint('flag.mark-all-read', 'POST /mark_all_as_read', {
  result: object({}, {complete: s.boolean()}),
});

/** Deprecated. */
export const markChannelAsRead = endpoint('flag.mark-channel-read', 'POST /mark_stream_as_read', {
  params: {stream_id: number},
});

/** Deprecated. */
export const markTopicAsRead = endpoint('flag.mark-topic-read', 'POST /mark_topic_as_read', {
  params: {stream_id: number, topic_name: text},
});

export const addReaction = endpoint('reaction.add', 'POST /messages/{message_id}/reactions', {
  params: {
    emoji_name: text,
    emoji_code: optional(text),
    reaction_type: optional(text),
  },
});

export const removeReaction = endpoint('reaction.remove', 'DELETE /messages/{message_id}/reactions', {
  params: {
    emoji_name: optional(text),
    emoji_code: optional(text),
    reaction_type: optional(text),
  },
});

export const getReadReceipts = endpoint('message.read-receipts', 'GET /messages/{message_id}/read_receipts', {
  since: levels.readReceipts,
  result: object({user_ids: ints}),
});

export const matchNarrow = endpoint('message.match-narrow', 'GET /messages/matches_narrow', {
  params: {msg_ids: ids, narrow: json(narrow)},
  result: object({messages: narrowMatches}),
});

export const sendTyping = endpoint('typing.send', 'POST /typing', {
  params: {
    // `private` is the older name of `direct`.
    type: optional(raw(s.picklist(['direct', 'stream', 'channel', 'private']))),
    op: typingOp,
    to: optional(orNull(s.array(int))),
    stream_id: since(levels.typingChannelId, optional(orNull(int))),
    topic: alias(optional(text), 'subject'),
  },
});

export const sendEditTyping = endpoint('typing.send-edit', 'POST /messages/{message_id}/typing', {
  since: levels.editTypingPath,
  params: {op: typingOp},
});

export const reportMessage = endpoint('message.report', 'POST /messages/{message_id}/report', {
  since: levels.reportMessage,
  params: {report_type: text, description: optional(text)},
});

export const sendSubmessage = endpoint('submessage.send', 'POST /submessage', {
  params: {message_id: number, msg_type: text, content: text},
});

export const runSlashCommand = endpoint('command.run', 'POST /zcommand', {
  params: {command: text},
  result: object({}, {msg: s.string()}),
});

/** Lists a channel's topics, newest first. */
export const getTopics = endpoint('topic.list', 'GET /users/me/{stream_id}/topics', {
  auth: 'optional',
  params: {
    allow_empty_topic_name: since(levels.emptyTopic, fallback(flag, false)),
  },
  result: object({topics: s.array(topic)}),
});

export const setUserTopic = endpoint('user-topic.set', 'POST /user_topics', {
  since: levels.setUserTopic,
  params: {stream_id: number, topic: text, visibility_policy: json(visibilityPolicy)},
});

/** Mutes a topic. Deprecated. The channel is given by either its id or its name. */
export const muteTopic = endpoint('user-topic.mute', 'PATCH /users/me/subscriptions/muted_topics', {
  params: {
    stream_id: optional(number),
    stream: optional(text),
    topic: text,
    op: raw(s.picklist(['add', 'remove'])),
  },
});

/** Deletes a topic. Repeat until `complete`; between levels 154 and 210 an unfinished run returns `partially_completed`. */
export const deleteTopic = endpoint('topic.delete', 'POST /streams/{stream_id}/delete_topic', {
  params: {topic_name: text},
  result: object({}, {complete: s.boolean()}),
});

const call = object({url: s.string()});

/** Creates a video call. The segment is the provider; `is_video_call` is for Zoom, `room_name` for Nextcloud Talk. */
export const createCall = endpoint('call.create', 'POST /calls/{segment}/create', {
  params: {is_video_call: optional(flag), room_name: optional(text)},
  result: call,
});

/** Creates a BigBlueButton call, the only one with GET; the returned URL is relative. */
export const createBigBlueButtonCall = endpoint('call.create-bigbluebutton', 'GET /calls/bigbluebutton/create', {
  params: {meeting_name: text, voice_only: fallback(flag, false)},
  result: call,
});
