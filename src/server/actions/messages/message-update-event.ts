import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {type ChannelRow, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {flagsSql} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import type {EventBody, EventQueue} from '#server/event-queues/event-queue.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {flagNames} from '#server/views/message.ts';
import type {ContentEdit} from './edit-message.ts';
import {channelMessageReaders, messageAudience} from './message-audience.ts';
import type {CompletedMove} from './move-messages.ts';

export interface MessageUpdate {
  readonly actor: UserRow;
  /** The row before the edit. */
  readonly message: MessageRow;
  readonly edit: ContentEdit | undefined;
  readonly moved: CompletedMove | undefined;
}

/** Emits an edit or move to all readers, each with their own flags. Readers with equal bodies share one. */
export function emitMessageUpdate(act: ActionContext, update: MessageUpdate): void {
  const {message, moved} = update;
  const readers =
    moved?.readers ?? new Map([...messageAudience(act, message)].map((id) => [id, [message.id] as const]));
  const channel = message.channel_id === null ? undefined : findChannel(act.db, message.channel_id);
  const bodies = new Map<string, EventBody>();
  act.emit({
    type: 'update_message',
    to: new Set(readers.keys()),
    body: (reader) => {
      const ids = readers.get(reader.userId) ?? [];
      const anchor = ids.includes(message.id) ? message.id : ids[0];
      if (anchor === undefined) return undefined;
      const flags = personalFlags(act, reader.userId, anchor);
      const view = {anchor, ids, flags, ...readerView(act, reader, channel, moved)};
      const key = JSON.stringify([flags, view.namesEmpty, view.knowsOrigin, ids === moved?.ids ? 0 : ids]);
      const body = bodies.get(key) ?? updateBody(act, update, channel, view);
      bodies.set(key, body);
      return body;
    },
  });
}

/**
 * Returns the flags, without the common name of both wildcards. A message that is not among the user's own is just read
 * here, not historical.
 */
function personalFlags({db}: ActionContext, userId: number, messageId: number): string[] {
  const sql = `SELECT ${flagsSql('?1')} FROM message AS m WHERE m.id = ?2`;
  return flagNames(db.value<number>(sql, userId, messageId) ?? 0).filter((name) => name !== 'wildcard_mentioned');
}

interface ReaderUpdateView {
  readonly anchor: number;
  readonly ids: readonly number[];
  readonly flags: readonly string[];
  readonly namesEmpty: boolean;
  /** False for readers of the destination who could not read the messages at their origin. */
  readonly knowsOrigin: boolean;
}

function readerView(
  act: ActionContext,
  {options, userId}: EventQueue,
  channel: ChannelRow | undefined,
  moved: CompletedMove | undefined,
): Pick<ReaderUpdateView, 'namesEmpty' | 'knowsOrigin'> {
  const namesEmpty = options.capabilities.empty_topic_name !== true;
  if (channel === undefined || moved === undefined || moved.from.id === moved.to.id) {
    return {namesEmpty, knowsOrigin: true};
  }
  return {namesEmpty, knowsOrigin: readsOrigin(act, userId, channel, moved)};
}

function readsOrigin(act: ActionContext, userId: number, channel: ChannelRow, moved: CompletedMove): boolean {
  if (channel.history_public_to_subscribers === 0) return channelMessageReaders(act, channel, moved.ids).has(userId);
  const reader = findUser(act.db, userId);
  return reader !== undefined && canReadChannel(act, reader, channel);
}

function updateBody(
  act: ActionContext,
  update: MessageUpdate,
  channel: ChannelRow | undefined,
  view: ReaderUpdateView,
): EventBody {
  const {actor, message, edit, moved} = update;
  return {
    user_id: actor.id,
    rendering_only: false,
    message_id: view.anchor,
    message_ids: view.ids,
    flags: view.flags,
    edit_timestamp: act.now,
    ...(channel === undefined ? {} : {stream_id: channel.id}),
    ...(channel === undefined || !view.knowsOrigin ? {} : {stream_name: channel.name}),
    ...(edit === undefined || view.anchor !== message.id ? {} : contentFields(act, message, edit)),
    ...(moved === undefined ? {} : moveFields(act, moved, view)),
  };
}

function contentFields({server}: ActionContext, message: MessageRow, edit: ContentEdit): EventBody {
  return {
    orig_content: message.content,
    orig_rendered_content: server.renderer.messageHtml(message),
    content: edit.content,
    rendered_content: server.renderer.messageHtml({...message, content: edit.content}),
    is_me_message: (edit.traits & Trait.me) !== 0,
  };
}

function moveFields(act: ActionContext, moved: CompletedMove, view: ReaderUpdateView): EventBody {
  const shown = (topic: string) =>
    topic === '' && view.namesEmpty ? organization(act).empty_topic_display_name : topic;
  const retitled = moved.topic !== moved.oldTopic || !view.knowsOrigin;
  return {
    propagate_mode: moved.mode,
    ...(view.knowsOrigin ? {orig_subject: shown(moved.oldTopic)} : {}),
    ...(retitled ? {subject: shown(moved.topic), topic_links: act.server.renderer.topicLinks(moved.topic)} : {}),
    ...(moved.to.id === moved.from.id ? {} : {new_stream_id: moved.to.id}),
  };
}
