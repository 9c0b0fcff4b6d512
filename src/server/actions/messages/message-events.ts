import {userSettings} from '#server/accounts/user-settings.ts';
import type {ActionContext} from '#server/context.ts';
import type {ChannelRow, MessageRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {EventBody, EventQueue, NarrowedMessage} from '#server/event-queues/event-queue.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {canAccessUser, isUserAccessLimited} from '#server/permissions/user-access.ts';
import {flagNames, messageViews, unknownSender} from '#server/views/message.ts';
import {apiEmail, avatarUrl, canSeeEmail} from '#server/views/user.ts';
import {flagBitsFor, type PersonalFlags} from './flag-events.ts';

export interface MessageDelivery {
  readonly sender: UserRow;
  readonly row: MessageRow;
  readonly channel: ChannelRow | undefined;
  readonly recipients: ReadonlySet<number>;
  readonly flags: PersonalFlags;
  readonly hasWidget: boolean;
  readonly echo: {readonly queueId: string; readonly localId: string} | undefined;
}

/** Emits a new message to its recipients and to queues that are registered for all public channels or with a narrow. */
export function emitMessage(act: ActionContext, delivery: MessageDelivery): void {
  const {channel, recipients} = delivery;
  const extraReaders = channel?.invite_only === 0 ? allPublicReaders(act, channel, recipients) : new Set<number>();
  const bodies = new MessageEventBodies(act, delivery);
  act.emit({
    type: 'message',
    to: extraReaders.size === 0 ? recipients : recipients.union(extraReaders),
    body: (reader) => {
      const isExtraReader = !recipients.has(reader.userId);
      if (isExtraReader && !act.server.queues.allPublicChannelQueues().has(reader)) return undefined;
      return bodies.for(reader, isExtraReader);
    },
  });
}

/** Returns the other users with such a queue who may read this channel. */
function allPublicReaders(act: ActionContext, channel: ChannelRow, recipients: ReadonlySet<number>): Set<number> {
  const ids = new Set<number>();
  for (const {userId} of act.server.queues.allPublicChannelQueues()) {
    const user = recipients.has(userId) ? undefined : findUser(act.db, userId);
    if (user !== undefined && canReadChannel(act, user, channel)) ids.add(userId);
  }
  return ids;
}

/** Stands for the flags of a reader who did not receive the message. */
const notReceived = -1;

function flagsShown(bits: number): string[] {
  return bits === notReceived ? [] : flagNames(bits);
}

/** The event bodies of one message. Readers with equal bodies get the same object, so its JSON is built once. */
class MessageEventBodies {
  readonly #act: ActionContext;
  readonly #delivery: MessageDelivery;
  readonly #messages = new Map<number, EventBody>();
  readonly #bodies = new Map<number, EventBody>();
  #plain: EventBody | undefined;

  constructor(act: ActionContext, delivery: MessageDelivery) {
    this.#act = act;
    this.#delivery = delivery;
  }

  for(reader: EventQueue, isExtraReader: boolean): EventBody | undefined {
    const {echo, flags} = this.#delivery;
    const bits = isExtraReader ? notReceived : flagBitsFor(flags, reader.userId);
    if (reader.options.accepts?.(this.#subject(flagsShown(bits))) === false) return undefined;
    const variant = this.#variant(reader);
    if (echo?.queueId === reader.id) {
      return {message: this.#message(variant), flags: flagsShown(bits), local_message_id: echo.localId};
    }
    const key = bits * 32 + variant;
    let body = this.#bodies.get(key);
    if (body === undefined) {
      body = {message: this.#message(variant), flags: flagsShown(bits)};
      this.#bodies.set(key, body);
    }
    return body;
  }

  /** Returns one bit for each option that readers may have chosen differently. */
  #variant({options, userId}: EventQueue): number {
    const {row} = this.#delivery;
    const html = options.applyMarkdown ? 1 : 0;
    const avatar = !this.#computesAvatar(userId) ? 0 : options.clientGravatar ? 2 : 16;
    const namesTopic = row.topic === '' && options.capabilities.empty_topic_name !== true ? 4 : 0;
    const hidesSender = this.#isHiddenFrom(userId) ? 8 : 0;
    return html | avatar | namesTopic | hidesSender;
  }

  /** A sender may post in a channel without being subscribed, so the channel's limited viewers may not see them. */
  #isHiddenFrom(readerId: number): boolean {
    if (!isUserAccessLimited(this.#act)) return false;
    const reader = findUser(this.#act.db, readerId);
    return reader === undefined || !canAccessUser(this.#act, reader, this.#delivery.sender);
  }

  #computesAvatar(readerId: number): boolean {
    const {sender} = this.#delivery;
    if (sender.avatar_source === 'U') return false;
    if (sender.is_bot === 1 || userSettings(sender).email_address_visibility === 1) return true;
    const reader = findUser(this.#act.db, readerId);
    return reader !== undefined && canSeeEmail(reader, sender);
  }

  #message(variant: number): EventBody {
    let message = this.#messages.get(variant);
    if (message === undefined) {
      message = this.#make(variant);
      this.#messages.set(variant, message);
    }
    return message;
  }

  #make(variant: number): EventBody {
    const {row, sender, channel, hasWidget} = this.#delivery;
    this.#plain ??= messageViews(this.#act, sender, [row], {
      applyMarkdown: false,
      clientGravatar: true,
      emptyTopicName: true,
      fresh: hasWidget ? undefined : {channel},
    })[0];
    return {
      ...this.#plain,
      ...(variant & 1 ? {content: this.#act.server.renderer.messageHtml(row), content_type: 'text/html'} : {}),
      ...(variant & 2 ? {} : {avatar_url: avatarUrl(sender, {clientGravatar: false, seesEmail: (variant & 16) !== 0})}),
      ...(variant & 8 ? unknownSender(this.#act, sender.id) : {}),
      ...(variant & 4 && row.channel_id !== null ? {subject: organization(this.#act).empty_topic_display_name} : {}),
    };
  }

  #subject(flags: readonly string[]): NarrowedMessage {
    const {row, sender, channel} = this.#delivery;
    return {
      channelName: channel?.name,
      channelId: channel?.id,
      topic: row.topic,
      senderEmail: apiEmail(this.#act.server, sender),
      senderId: sender.id,
      flags,
      isDirect: row.channel_id === null,
    };
  }
}
