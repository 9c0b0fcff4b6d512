import {cleanContent, cleanTopic, resolveEmoji} from '#server/actions/inputs.ts';
import {flagBitsFor, flagsFromText} from '#server/actions/messages/change-flags.ts';
import {insertMentions, messageTraits, widgetSubmessage} from '#server/actions/messages/post-message.ts';
import {linkUploads} from '#server/actions/uploads/attachments.ts';
import type {ActionContext, ServerContext} from '#server/context.ts';
import {findOrCreateDirectConversation, nextMessageId} from '#server/db/messages.ts';
import {type ChannelRow, Flag, fold, type UserRow} from '#server/db/rows.ts';
import {subscribersOf} from '#server/permissions/channel.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import {
  type DemoData,
  isWidgetAnnotation,
  type LocatedAnnotation,
  readDemoData,
  type ScriptConversation,
  type ScriptMessage,
  type WidgetAnnotation,
} from '#server/seed/demo-world/chat-script.ts';
import {
  emojiPath,
  fillMessageBounds,
  insertOrganization,
  insertYourItems,
} from '#server/seed/demo-world/insert-organization.ts';
import {
  demoUploadPath,
  otherPeople,
  PlaceholderFiller,
  type PlannedMessage,
  parseDuration,
  planMessages,
  planUnreadMessages,
  type UnreadByUser,
} from '#server/seed/demo-world/plan-messages.ts';
import {DemoDataError, DemoRows, withSourcePosition} from '#server/seed/demo-world/world-file.ts';
import type {StoredEdit} from '#server/views/message-details.ts';
import {imageSize} from '#std/image-size.ts';
import {botTypes} from '#wire/objects/user.ts';

/** Fills an empty organization with the demo's people and ten weeks of their messages, with times relative to now. */
export async function seedDemoWorld(server: ServerContext): Promise<void> {
  const data = readDemoData();
  await storeFiles(server, data);
  server.runAction((act) => insertAll(act, data));
  // Facts derived during the seeding are out of date.
  server.derivedFacts.invalidateAll();
}

/** Stores the demo's files. Runs before the rows are written, so that no row refers to a missing file. */
async function storeFiles({files}: ServerContext, data: DemoData): Promise<void> {
  const emoji = new Set(data.world.custom_emoji.map(({file}) => file));
  for (const {name, pathId, bytes} of data.files.values()) {
    await files.put(emoji.has(name) ? emojiPath(name) : pathId, bytes);
  }
}

function insertAll(act: ActionContext, data: DemoData): void {
  const {world} = data;
  const rows = new DemoRows(world);
  insertOrganization(act, world, rows);
  act.server.derivedFacts.invalidateAll();
  const filler = insertMessages(act, data, rows);
  fillMessageBounds(act);
  insertYourItems(act, world, rows, filler);
  storeDemoAccounts(act, rows);
}

function insertMessages(act: ActionContext, data: DemoData, rows: DemoRows): PlaceholderFiller {
  const now = act.server.clock.now();
  const planned = planMessages(data.conversations, now, nextMessageId(act.db));
  const filler = new PlaceholderFiller(rows, data.files, planned, now);
  const audiences = new Map(data.conversations.map((each) => [each, audienceOf(act, rows, each)]));
  const unread = planUnreadMessages(planned, rows, new Set(data.world.muted_users), audiences);
  const insertMessage = messageInserter(act, rows, filler, unread);
  for (const entry of planned) insertMessage(entry);
  return filler;
}

/** Returns the ids of the users who can have unread messages in a conversation; none in an archived channel. */
function audienceOf(act: ActionContext, rows: DemoRows, {destination, source}: ScriptConversation): Set<number> {
  if (destination.kind === 'direct') return new Set(rows.userIds(destination.people, source));
  const {id, is_archived} = rows.channel(destination.channel, source);
  const sql = 'SELECT user_id FROM subscription WHERE channel_id = ? AND active = 1';
  return new Set(is_archived === 1 ? [] : act.db.pluck(sql, id));
}

/** Stores the accounts that a client may sign in as, `you` first, and the user ids by key, which the bots need. */
function storeDemoAccounts(act: ActionContext, rows: DemoRows): void {
  // Incoming webhooks only post: no client signs in as one.
  const bots = rows.users
    .values()
    .filter((user) => user.is_bot === 1 && user.is_system_bot === 0 && user.bot_type !== botTypes.incomingWebhook);
  const accounts = [rows.you, ...otherPeople(rows).map(([, user]) => user), ...bots].map(({id}) => id);
  const ids = Object.fromEntries(rows.users.entries().map(([key, {id}]) => [key, id]));
  act.db.insertRow('meta', {key: 'world', value: 'demo-small'});
  act.db.insertRow('meta', {key: 'accounts', value: JSON.stringify(accounts)});
  act.db.insertRow('meta', {key: 'cast', value: JSON.stringify(ids)});
}

type AnnotationOfKind<K extends LocatedAnnotation['kind']> = Extract<LocatedAnnotation, {kind: K}>;

/** The channel or direct conversation of a script conversation, and its recipients. */
interface ConversationTarget {
  readonly channel: ChannelRow | undefined;
  readonly dmId: number | null;
  readonly topic: string;
  readonly recipients: ReadonlySet<number>;
}

/** Returns a function that inserts a message with its flags, reactions, widgets and uploads. Call it in the order of time. */
function messageInserter(act: ActionContext, rows: DemoRows, filler: PlaceholderFiller, unread: UnreadByUser) {
  const targets = new Map<ScriptConversation, ConversationTarget>();

  function insertMessage(planned: PlannedMessage): void {
    const {id, message, conversation} = planned;
    const sender = rows.user(message.sender, message.source);
    const target = targetOf(conversation);
    checkCanSend(sender, target, message);
    const [original, final] = contentsOf(planned);
    insertUploads(planned, sender, final);
    const analysis = act.server.renderer.analyse(final, sender);
    writeMessage(planned, sender, target, {original, final, traits: messageTraits(final, analysis)});
    act.server.renderer.saveHtml({id, content: final, sender_id: sender.id});
    insertFlags(planned, target, analysis);
    insertMentions(act, id, analysis.mentions.userIds, target.recipients);
    insertReactions(id, message);
    insertWidget(planned, sender, final);
    linkUploads(act, sender, id, analysis.uploads);
  }

  function targetOf(conversation: ScriptConversation): ConversationTarget {
    const target = targets.get(conversation) ?? findTarget(conversation);
    targets.set(conversation, target);
    return target;
  }

  function findTarget({destination, source}: ScriptConversation): ConversationTarget {
    if (destination.kind === 'direct') {
      const {id, members} = findOrCreateDirectConversation(act.db, rows.userIds(destination.people, source));
      return {channel: undefined, dmId: id, topic: '', recipients: new Set(members)};
    }
    const {topic} = destination;
    const channel = rows.channel(destination.channel, source);
    if (withSourcePosition(source, () => cleanTopic(act, topic)) !== topic) {
      throw new DemoDataError(source, `the server would change the topic “${topic}”`);
    }
    const recipients = subscribersOf(act, channel.id);
    return {channel, dmId: null, topic, recipients};
  }

  /** Returns the original content of a message and its content after edits. */
  function contentsOf({id, message}: PlannedMessage): [string, string] {
    const {source, annotations} = message;
    const files = annotations
      .filter((annotation): annotation is AnnotationOfKind<'file'> => annotation.kind === 'file')
      .map(({name}) => `\n[${name}](${demoUploadPath(filler.file(name, source))})`)
      .join('');
    const filled = (text: string) =>
      withSourcePosition(source, () => cleanContent(filler.fill(text, source, id) + files));
    const original = filled(message.text);
    const edit = annotations.find((annotation): annotation is AnnotationOfKind<'edit'> => annotation.kind === 'edit');
    return [original, edit === undefined ? original : filled(edit.lines.join('\n'))];
  }

  function writeMessage(
    planned: PlannedMessage,
    sender: UserRow,
    target: ConversationTarget,
    text: {original: string; final: string; traits: number},
  ): void {
    const {id, sentAt, message} = planned;
    const edits = historyOf(planned, sender, target, text.original);
    const latest = (matches: (edit: StoredEdit) => boolean) => edits.find(matches)?.timestamp ?? null;
    act.db.insertRow('message', {
      id,
      sender_id: sender.id,
      channel_id: target.channel?.id ?? null,
      dm_id: target.dmId,
      topic: target.topic,
      topic_key: fold(target.topic),
      content: text.final,
      sent_at: sentAt,
      client: sender.is_system_bot === 1 ? 'Internal' : 'Parley',
      traits: text.traits,
      edit_history: edits.length === 0 ? null : JSON.stringify(edits),
      last_edit_at: latest((edit) => edit.prev_content !== undefined),
      last_moved_at: latest((edit) => edit.prev_topic !== undefined || edit.prev_stream !== undefined),
    });
    if (message.annotations.some(({kind}) => kind === 'moved-from') && target.channel === undefined) {
      throw new DemoDataError(message.source, 'direct messages do not move');
    }
  }

  /** Returns the edit history, newest first, with no time later than now. */
  function historyOf(
    {sentAt, message}: PlannedMessage,
    sender: UserRow,
    target: ConversationTarget,
    original: string,
  ): StoredEdit[] {
    const timestamp = (after: string) => Math.min(sentAt + parseDuration(after) / 1000, act.now);
    const edits = message.annotations.flatMap((annotation): StoredEdit[] => {
      if (annotation.kind === 'edit') {
        return [{timestamp: timestamp(annotation.after), user_id: sender.id, prev_content: original}];
      }
      return annotation.kind === 'moved-from' ? [moveOf(annotation, target, timestamp)] : [];
    });
    return edits.sort((a, b) => b.timestamp - a.timestamp);
  }

  function moveOf(
    move: AnnotationOfKind<'moved-from'>,
    target: ConversationTarget,
    timestamp: (after: string) => number,
  ): StoredEdit {
    const from = move.channel === undefined ? undefined : rows.channel(move.channel, move.source);
    return {
      timestamp: timestamp(move.after),
      user_id: rows.user(move.by, move.source).id,
      prev_topic: move.topic,
      topic: target.topic,
      ...(from === undefined || target.channel === undefined ? {} : {prev_stream: from.id, stream: target.channel.id}),
    };
  }

  /** Inserts the flags of users whose state is not "received and read". */
  function insertFlags({id, message}: PlannedMessage, target: ConversationTarget, analysis: MessageAnalysis): void {
    const topic =
      target.channel === undefined ? undefined : {channelId: target.channel.id, topicKey: fold(target.topic)};
    const fromText = flagsFromText(act, target.recipients, analysis, topic);
    const isStarred = message.annotations.some(({kind}) => kind === 'star');
    const readers = isStarred ? new Set(target.recipients).add(rows.you.id) : target.recipients;
    for (const userId of readers) {
      const bits =
        (target.recipients.has(userId) ? flagBitsFor(fromText, userId) : 0) |
        (unread.get(userId)?.has(id) ? Flag.unread : 0) |
        (isStarred && userId === rows.you.id ? Flag.starred : 0);
      if (bits === 0) continue;
      act.db.insertRow('user_message', {user_id: userId, message_id: id, flags: bits});
    }
  }

  function insertReactions(id: number, {annotations}: ScriptMessage): void {
    for (const annotation of annotations) {
      if (annotation.kind !== 'react') continue;
      const {emoji, people, source} = annotation;
      withSourcePosition(source, () => {
        const resolved = resolveEmoji(act, {emoji_name: emoji});
        // Nobody reacts twice with an emoji: the table refuses it.
        for (const user_id of rows.userIds(people, source)) {
          act.db.insertRow('reaction', {message_id: id, user_id, ...resolved});
        }
      });
    }
  }

  function insertWidget({id, message}: PlannedMessage, sender: UserRow, content: string): void {
    const annotations = message.annotations.filter(isWidgetAnnotation);
    const widget = widgetSubmessage(content);
    if (widget === undefined) {
      if (annotations.length > 0)
        throw new DemoDataError(message.source, 'the message is neither a poll nor a to-do list');
      return;
    }
    const {widget_type, extra_data} = JSON.parse(widget);
    const initial = (extra_data.options ?? extra_data.tasks).length;
    const idOf = (person: string) => rows.user(person, message.source).id;
    insertSubmessage(id, sender.id, widget);
    for (const event of widgetEvents(widget_type, initial, annotations, idOf)) {
      insertSubmessage(id, idOf(event.person), event.content);
    }
  }

  function insertSubmessage(messageId: number, senderId: number, content: string): void {
    act.db.insertRow('submessage', {message_id: messageId, sender_id: senderId, msg_type: 'widget', content});
  }

  /** Inserts the files of a message before it is rendered, because only existing uploads are images. The first sender owns a file. */
  function insertUploads({sentAt, message}: PlannedMessage, sender: UserRow, content: string): void {
    for (const [, pathId = ''] of content.matchAll(/\/user_uploads\/([^\s)]+)/g)) {
      const file = filler.fileByPath(pathId, message.source);
      const size = imageSize(file.bytes);
      act.db.insertNewRow('attachment', {
        owner_id: sender.id,
        name: file.name,
        path_id: file.pathId,
        size: file.bytes.length,
        content_type: file.contentType,
        created_at: sentAt,
        width: size?.width ?? null,
        height: size?.height ?? null,
      });
    }
  }

  return insertMessage;
}

/** Throws when the sender could not have sent the message. */
function checkCanSend(sender: UserRow, {channel, recipients}: ConversationTarget, {source}: ScriptMessage): void {
  if (recipients.has(sender.id)) return;
  if (channel === undefined) throw new DemoDataError(source, `${sender.full_name} is not in this conversation`);
  const needsNoSubscription = sender.is_bot === 1 || (channel.invite_only === 0 && sender.is_active === 0);
  if (!needsNoSubscription) throw new DemoDataError(source, `${sender.full_name} is not in #${channel.name}`);
}

/**
 * Returns the submessages that clients would have sent for the widget annotations of a message. `initial` is the number
 * of options or tasks in the message itself; added ones are numbered after them.
 */
export function widgetEvents(
  type: 'poll' | 'todo',
  initial: number,
  annotations: readonly WidgetAnnotation[],
  idOf: (person: string) => number,
): {person: string; content: string}[] {
  const keys = Array.from({length: initial}, (_, index) => (type === 'poll' ? `canned,${index}` : `${index},canned`));
  const added = new Map<string, number>();
  return annotations.map((annotation) => {
    if (annotation.kind.startsWith('todo') !== (type === 'todo')) {
      throw new DemoDataError(annotation.source, `%${annotation.kind} does not go with a /${type} message`);
    }
    if ('index' in annotation) {
      const key = keys[annotation.index];
      if (key === undefined) throw new DemoDataError(annotation.source, `there is no number ${annotation.index}`);
      const event = annotation.kind === 'poll-vote' ? {type: 'vote', key, vote: 1} : {type: 'strike', key};
      return {person: annotation.person, content: JSON.stringify(event)};
    }
    const number = (added.get(annotation.person) ?? 0) + 1;
    added.set(annotation.person, number);
    const id = idOf(annotation.person);
    keys.push(type === 'poll' ? `${id},${number}` : `${number},${id}`);
    return {person: annotation.person, content: JSON.stringify(addition(annotation, number))};
  });
}

function addition(annotation: Extract<WidgetAnnotation, {kind: 'vote-option' | 'todo-add'}>, number: number): object {
  return annotation.kind === 'vote-option'
    ? {type: 'new_option', idx: number, option: annotation.option}
    : {type: 'new_task', key: number, task: annotation.task, desc: annotation.description, completed: false};
}
