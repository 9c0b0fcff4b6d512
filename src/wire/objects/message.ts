import {type Infer, int, nullableInt, nullableText, object, openEnum, s, timestamp} from '#wire/schema.ts';

/** The kind of emoji. Zulip's name of the third is `zulip_extra_emoji`; both are in use. */
export const reactionType = openEnum('unicode_emoji', 'realm_emoji', 'extra_emoji', 'zulip_extra_emoji');
type ReactionType = Infer<typeof reactionType>;

const reactor = object({}, {user_id: int, id: int, email: s.string(), full_name: s.string()});

const emojiIdentity = {
  emoji_name: s.string(),
  emoji_code: s.string(),
  reaction_type: reactionType,
};

export const reaction = object({...emojiIdentity, user_id: int}, {user: reactor});
type WireReaction = Infer<typeof reaction>;

/** Returns the type with a single name for the built-in extra emoji. */
export function normalizedReactionType(type: ReactionType): ReactionType {
  return type === 'zulip_extra_emoji' ? 'extra_emoji' : type;
}

export function sameReactionType(a: ReactionType, b: ReactionType): boolean {
  return normalizedReactionType(a) === normalizedReactionType(b);
}

type EmojiIdentity = Pick<WireReaction, 'reaction_type' | 'emoji_code'>;

/** Compares two emoji without their names, because an emoji has many names. */
export function sameEmoji(a: EmojiIdentity, b: EmojiIdentity): boolean {
  return a.emoji_code === b.emoji_code && sameReactionType(a.reaction_type, b.reaction_type);
}

/** An entry of a message's `edit_history`, which is sorted newest first. */
const editHistoryEntry = object(
  {timestamp},
  {
    user_id: nullableInt,
    prev_content: s.string(),
    prev_rendered_content: s.string(),
    prev_rendered_content_version: int,
    content_html_diff: s.string(),
    prev_topic: s.string(),
    prev_subject: s.string(),
    topic: s.string(),
    prev_stream: int,
    stream: int,
  },
);
export type EditHistoryEntry = Infer<typeof editHistoryEntry>;

/** Returns the topic before this edit; the field is `prev_subject` below level 118. */
export function previousTopic(entry: EditHistoryEntry): string | undefined {
  return entry.prev_topic ?? entry.prev_subject;
}

/** An element of `message_history`, which is sorted oldest first and contains the values after each edit. */
export const messageSnapshot = object(
  {
    topic: s.string(),
    content: s.string(),
    rendered_content: s.string(),
    timestamp,
    user_id: nullableInt,
  },
  {
    prev_topic: s.string(),
    stream: int,
    prev_stream: int,
    prev_content: s.string(),
    prev_rendered_content: s.string(),
    content_html_diff: s.string(),
  },
);
export type MessageSnapshot = Infer<typeof messageSnapshot>;

export const submessage = object({
  id: int,
  message_id: int,
  sender_id: int,
  msg_type: openEnum('widget'),
  content: s.string(),
});

export const topicLink = object({text: s.string(), url: s.string()});

/** A participant of a direct message, including the user. Only the id is required: it identifies the conversation. */
const directRecipient = object({id: int}, {email: s.string(), full_name: s.string(), is_mirror_dummy: s.boolean()});

export const messageFlag = openEnum(
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
);
/** The flags that a client may set; only the server sets the others. */
export const editableFlags = ['read', 'starred', 'collapsed'] as const;

const required = {
  id: int,
  sender_id: int,
  sender_email: s.string(),
  sender_full_name: s.string(),
  content: s.string(),
  timestamp,
  subject: s.string(),
  reactions: s.array(reaction),
};

const optional = {
  sender_realm_str: s.string(),
  avatar_url: nullableText,
  client: s.string(),
  content_type: openEnum('text/html', 'text/x-markdown'),
  topic_links: s.array(topicLink),
  recipient_id: int,
  is_me_message: s.boolean(),
  submessages: s.array(submessage),
  edit_history: s.array(editHistoryEntry),
  last_edit_timestamp: timestamp,
  last_moved_timestamp: timestamp,
  match_content: s.string(),
  match_subject: s.string(),
};

const channelFields = {type: s.literal('stream'), stream_id: int, display_recipient: s.string()};
const directFields = {type: s.literal('private'), display_recipient: s.array(directRecipient)};

export const message = s.variant('type', [
  object({...required, ...channelFields}, {...optional, flags: s.array(messageFlag)}),
  object({...required, ...directFields}, {...optional, flags: s.array(messageFlag)}),
]);
export type WireMessage = Infer<typeof message>;

/** A message of the GET endpoints, which contains its flags; in an event they are beside the message. */
export const fetchedMessage = s.variant('type', [
  object({...required, ...channelFields, flags: s.array(messageFlag)}, optional),
  object({...required, ...directFields, flags: s.array(messageFlag)}, optional),
]);
export type FetchedMessage = Infer<typeof fetchedMessage>;

/** The `anchor` that `GET /messages` returns for `newest` in an empty view; never a message id. */
export const noAnchor = 10_000_000_000_000_000;

export const narrowMatches = s.record(s.string(), object({match_content: s.string(), match_subject: s.string()}));

export const propagateMode = s.picklist(['change_one', 'change_later', 'change_all']);
export type PropagateMode = Infer<typeof propagateMode>;
