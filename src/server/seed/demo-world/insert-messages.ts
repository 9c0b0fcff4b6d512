import {cleanContent, cleanTopic} from '#server/actions/inputs/message-text.ts';
import {resolveEmoji} from '#server/actions/inputs/resolve-emoji.ts';
import {flagBitsFor, flagsFromText} from '#server/actions/messages/personal-flags.ts';
import {insertMentions, messageTraits} from '#server/actions/messages/post-message.ts';
import {widgetSubmessage} from '#server/actions/messages/submessages.ts';
import {linkUploads} from '#server/actions/uploads/link-uploads.ts';
import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import {findOrCreateDirectConversation} from '#server/db/direct-conversations.ts';
import {type ChannelRow, Flag, fold, type UserRow} from '#server/db/rows.ts';
import type {MessageAnalysis} from '#server/renderer.ts';
import type {StoredEdit} from '#server/views/edit-history.ts';
import {isWidgetMark, type LocatedAnnotation} from './annotations.ts';
import type {ScriptConversation, ScriptMessage} from './chat-script.ts';
import {DemoDataError, withSourcePosition} from './demo-data-error.ts';
import type {DemoRows} from './demo-rows.ts';
import {demoUploadPath, type PlaceholderFiller} from './placeholders.ts';
import type {PlannedMessage} from './planned-messages.ts';
import {parseDuration} from './relative-times.ts';
import type {UnreadByUser} from './unread-messages.ts';
import {widgetEvents} from './widget-events.ts';

type AnnotationOfKind<K extends LocatedAnnotation['kind']> = Extract<LocatedAnnotation, {kind: K}>;

/** Where a conversation is held, found in the database. */
interface ConversationTarget {
  readonly channel: ChannelRow | undefined;
  readonly dmId: number | null;
  readonly topic: string;
  readonly recipients: ReadonlySet<number>;
}

/** Writes messages with everything that hangs on them, in the order of time. */
export class MessageInserter {
  readonly #act: ActionContext;
  readonly #cast: DemoRows;
  readonly #texts: PlaceholderFiller;
  readonly #unread: UnreadByUser;
  readonly #places = new Map<ScriptConversation, ConversationTarget>();

  constructor(act: ActionContext, cast: DemoRows, texts: PlaceholderFiller, unread: UnreadByUser) {
    this.#act = act;
    this.#cast = cast;
    this.#texts = texts;
    this.#unread = unread;
  }

  insertMessage(planned: PlannedMessage): void {
    const {id, message, conversation} = planned;
    const sender = this.#cast.user(message.sender, message.source);
    const place = this.#place(conversation);
    checkSpeaks(sender, place, message);
    const [original, final] = this.#contents(planned);
    const analysis = this.#act.server.renderer.analyse(final, sender);
    this.#insert(planned, sender, place, {original, final, traits: messageTraits(final, analysis)});
    this.#flags(planned, place, analysis);
    insertMentions(this.#act, id, analysis.mentions.userIds);
    this.#reactions(id, message);
    this.#widget(planned, sender, final);
    this.#uploads(planned, sender, analysis);
  }

  #place(conversation: ScriptConversation): ConversationTarget {
    const known = this.#places.get(conversation);
    if (known !== undefined) return known;
    const place = this.#find(conversation);
    this.#places.set(conversation, place);
    return place;
  }

  #find({place, source}: ScriptConversation): ConversationTarget {
    if (place.kind === 'direct') {
      const ids = place.people.map((key) => this.#cast.user(key, source).id);
      const {id, members} = findOrCreateDirectConversation(this.#act.db, ids);
      return {channel: undefined, dmId: id, topic: '', recipients: new Set(members)};
    }
    const channel = this.#cast.channel(place.channel, source);
    if (withSourcePosition(source, () => cleanTopic(this.#act, place.topic)) !== place.topic) {
      throw new DemoDataError(source, `“${place.topic}” is not a topic as the server would keep it`);
    }
    const recipients = this.#act.server.derivedFacts.get(channelSubscribers(channel.id));
    return {channel, dmId: null, topic: place.topic, recipients};
  }

  /** What was first sent, and what the message says now. */
  #contents({id, message}: PlannedMessage): [string, string] {
    const {source, annotations} = message;
    const files = annotations
      .filter((annotation): annotation is AnnotationOfKind<'file'> => annotation.kind === 'file')
      .map(({name}) => `\n[${name}](${demoUploadPath(this.#texts.file(name, source))})`)
      .join('');
    const filled = (text: string) =>
      withSourcePosition(source, () => cleanContent(this.#texts.fill(text, source, id) + files));
    const original = filled(message.text);
    const edit = annotations.find(
      (annotation): annotation is AnnotationOfKind<'edit'> => annotation.kind === 'edit',
    );
    return [original, edit === undefined ? original : filled(edit.lines.join('\n'))];
  }

  #insert(
    planned: PlannedMessage,
    sender: UserRow,
    place: ConversationTarget,
    text: {original: string; final: string; traits: number},
  ): void {
    const {id, sentAt, message} = planned;
    const edits = this.#history(planned, sender, place, text.original);
    const latest = (matches: (edit: StoredEdit) => boolean) => edits.find(matches)?.timestamp ?? null;
    this.#act.db.run(
      `INSERT INTO message (id, sender_id, channel_id, dm_id, topic, topic_key, content, sent_at, client, traits,
         edit_history, last_edit_at, last_moved_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      sender.id,
      place.channel?.id ?? null,
      place.dmId,
      place.topic,
      fold(place.topic),
      text.final,
      sentAt,
      sender.is_system_bot === 1 ? 'Internal' : 'Parley',
      text.traits,
      edits.length === 0 ? null : JSON.stringify(edits),
      latest((edit) => edit.prev_content !== undefined),
      latest((edit) => edit.prev_topic !== undefined || edit.prev_stream !== undefined),
    );
    if (message.annotations.some(({kind}) => kind === 'moved-from') && place.channel === undefined) {
      throw new DemoDataError(message.source, 'direct messages do not move');
    }
  }

  /** Newest first. Nothing was changed later than now. */
  #history(
    {sentAt, message}: PlannedMessage,
    sender: UserRow,
    place: ConversationTarget,
    original: string,
  ): StoredEdit[] {
    const timestamp = (after: string) => Math.min(sentAt + parseDuration(after) / 1000, this.#act.now);
    const edits = message.annotations.flatMap((annotation): StoredEdit[] => {
      if (annotation.kind === 'edit') {
        return [{timestamp: timestamp(annotation.after), user_id: sender.id, prev_content: original}];
      }
      return annotation.kind === 'moved-from' ? [this.#move(annotation, place, timestamp)] : [];
    });
    return edits.sort((a, b) => b.timestamp - a.timestamp);
  }

  #move(
    move: AnnotationOfKind<'moved-from'>,
    place: ConversationTarget,
    timestamp: (after: string) => number,
  ): StoredEdit {
    const from = move.channel === undefined ? undefined : this.#cast.channel(move.channel, move.source);
    return {
      timestamp: timestamp(move.after),
      user_id: this.#cast.user(move.by, move.source).id,
      prev_topic: move.topic,
      topic: place.topic,
      ...(from === undefined || place.channel === undefined
        ? {}
        : {prev_stream: from.id, stream: place.channel.id}),
    };
  }

  /** A row only where somebody's state is not "received and read". */
  #flags({id, message}: PlannedMessage, place: ConversationTarget, analysis: MessageAnalysis): void {
    const topic =
      place.channel === undefined ? undefined : {channelId: place.channel.id, topicKey: fold(place.topic)};
    const fromText = flagsFromText(this.#act, place.recipients, analysis, topic);
    const isStarred = message.annotations.some(({kind}) => kind === 'star');
    const readers = isStarred ? new Set(place.recipients).add(this.#cast.you.id) : place.recipients;
    for (const userId of readers) {
      const bits =
        (place.recipients.has(userId) ? flagBitsFor(fromText, userId) : 0) |
        (this.#unread.get(userId)?.has(id) ? Flag.unread : 0) |
        (isStarred && userId === this.#cast.you.id ? Flag.starred : 0);
      if (bits === 0) continue;
      this.#act.db.run(
        'INSERT INTO user_message (user_id, message_id, flags) VALUES (?, ?, ?)',
        userId,
        id,
        bits,
      );
    }
  }

  #reactions(id: number, {annotations}: ScriptMessage): void {
    for (const annotation of annotations) {
      if (annotation.kind !== 'react') continue;
      const {emoji, people, source} = annotation;
      const {emoji_name, emoji_code, reaction_type} = withSourcePosition(source, () =>
        resolveEmoji(this.#act, {emoji_name: emoji}),
      );
      for (const person of people) {
        const userId = this.#cast.user(person, source).id;
        const sql = `INSERT OR IGNORE INTO reaction (message_id, user_id, emoji_name, emoji_code, reaction_type)
          VALUES (?, ?, ?, ?, ?)`;
        if (this.#act.db.run(sql, id, userId, emoji_name, emoji_code, reaction_type) === 0) {
          throw new DemoDataError(source, `${person} has reacted with ${emoji} already`);
        }
      }
    }
  }

  #widget({id, message}: PlannedMessage, sender: UserRow, content: string): void {
    const marks = message.annotations.filter(isWidgetMark);
    const widget = widgetSubmessage(content);
    if (widget === undefined) {
      if (marks.length > 0)
        throw new DemoDataError(message.source, 'the message is neither a poll nor a to-do list');
      return;
    }
    const {widget_type, extra_data} = JSON.parse(widget);
    const initial = (extra_data.options ?? extra_data.tasks).length;
    const idOf = (person: string) => this.#cast.user(person, message.source).id;
    this.#submessage(id, sender.id, widget);
    for (const event of widgetEvents(widget_type, initial, marks, idOf)) {
      this.#submessage(id, idOf(event.person), event.content);
    }
  }

  #submessage(messageId: number, senderId: number, content: string): void {
    this.#act.db.run(
      `INSERT INTO submessage (message_id, sender_id, msg_type, content) VALUES (?, ?, 'widget', ?)`,
      messageId,
      senderId,
      content,
    );
  }

  /** Whoever shows a file first has uploaded it. */
  #uploads({id, sentAt, message}: PlannedMessage, sender: UserRow, {uploads}: MessageAnalysis): void {
    for (const pathId of uploads) {
      const file = this.#texts.fileByPath(pathId, message.source);
      this.#act.db.run(
        `INSERT OR IGNORE INTO attachment (owner_id, name, path_id, size, content_type, created_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
        sender.id,
        file.name,
        file.pathId,
        file.bytes.length,
        file.contentType,
        sentAt,
      );
    }
    linkUploads(this.#act, sender, id, uploads);
  }
}

/** The scripts hold no message that could not have been sent. */
function checkSpeaks(
  sender: UserRow,
  {channel, recipients}: ConversationTarget,
  {source}: ScriptMessage,
): void {
  if (recipients.has(sender.id)) return;
  if (channel === undefined)
    throw new DemoDataError(source, `${sender.full_name} is not in this conversation`);
  const mayBeOutside = sender.is_bot === 1 || (channel.invite_only === 0 && sender.is_active === 0);
  if (!mayBeOutside) throw new DemoDataError(source, `${sender.full_name} is not in #${channel.name}`);
}
