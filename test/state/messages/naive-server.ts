import type {Narrow} from '#state/model/narrow.ts';
import {wireSubscription} from '#test/support/state-builders.ts';
import type {ServerEvent} from '#wire/events.ts';
import {flagsOf, type Post, wireOf} from './naive-server-posts.ts';
import {
  buildAddFlagEvent,
  buildDeleteDirectEvent,
  buildDeleteMessageEvent,
  buildMessageEvent,
  buildReactionEvent,
  buildRemoveFlagEvent,
  buildUpdateMessageEvent,
  markAllReadEvent,
} from './wire-events.ts';

export type ServerAction =
  | {kind: 'send'; to: number; topic: string; flags: readonly string[]; isUnread: boolean; content: string}
  | {kind: 'edit'; which: number; content: string; flags: readonly string[]}
  | {
      kind: 'move';
      which: number;
      mode: 'change_one' | 'change_later' | 'change_all';
      channelId: number;
      topic: string;
    }
  | {kind: 'delete' | 'read' | 'unread' | 'star' | 'unstar'; which: readonly number[]}
  | {kind: 'react'; which: number; by: number}
  | {kind: 'readAll'}
  | {kind: 'subscribe' | 'unsubscribe' | 'muteChannel' | 'unmuteChannel'; channelId: number}
  | {kind: 'policy'; channelId: number; topic: string; policy: number};

const mentionFlags = ['mentioned', 'topic_wildcard_mentioned', 'stream_wildcard_mentioned'];

/** The message moved to a channel without a subscription: the server deletes the user's flags. */
function leaveOwn(post: Post): void {
  post.isOwn = false;
  post.flags.clear();
  post.flags.add('historical');
}

/** The simplest possible server: lists, and recounting everything each time. It shares no code with the client. */
export class NaiveServer {
  posts: Post[] = [];
  readonly subscribed = new Set([1, 2]);
  readonly muted = new Set<number>();
  readonly policies = new Map<string, number>();
  readonly #events: ServerEvent[] = [];
  #nextId = 1;
  #firstHeard = 1;
  #now = 1_767_229_200;

  /** Returns queued events that were not delivered yet. */
  drain(count = this.#events.length): ServerEvent[] {
    return this.#events.splice(0, count);
  }

  get pending(): number {
    return this.#events.length;
  }

  do(wish: ServerAction): void {
    this.#now += 1;
    switch (wish.kind) {
      case 'send':
        this.#send(wish);
        break;
      case 'edit':
        this.#edit(wish);
        break;
      case 'move':
        this.#move(wish);
        break;
      case 'react':
        this.#react(wish);
        break;
      case 'readAll':
        for (const post of this.posts) post.isUnread = false;
        this.#events.push(markAllReadEvent);
        break;
      case 'policy':
        this.#setPolicy(wish);
        break;
      case 'subscribe':
      case 'unsubscribe':
      case 'muteChannel':
      case 'unmuteChannel':
        this.#setChannel(wish.kind, wish.channelId);
        break;
      default:
        this.#change(wish);
    }
  }

  /** Starts queueing events for the client. */
  start(): void {
    this.drain();
    this.#firstHeard = this.#nextId;
    for (const {flags} of this.posts) flags.delete('topic_wildcard_mentioned');
  }

  /** Messages that the client never had contain no wildcard mentions, because it could not know them. */
  #mayBeWildcard({id}: Post): boolean {
    return id >= this.#firstHeard;
  }

  #pick(which: number): Post | undefined {
    return this.posts.length === 0 ? undefined : this.posts[which % this.posts.length];
  }

  /** Sends only to subscribed channels, because no events arrive from others. */
  #send({to, topic, flags, isUnread, content}: Extract<ServerAction, {kind: 'send'}>): void {
    const others = [[], [11], [11, 12]][to - 4];
    if (others === undefined && !this.subscribed.has(to)) return;
    const post: Post = {
      id: this.#nextId++,
      conversation: others === undefined ? {channelId: to, topic} : {userIds: others},
      senderId: 11,
      content,
      flags: new Set(flags),
      isUnread,
      reactors: new Set(),
      editedAt: undefined,
      isOwn: true,
    };
    this.posts.push(post);
    this.#events.push(buildMessageEvent(wireOf(post), ...flagsOf(post)));
  }

  #edit({which, content, flags}: Extract<ServerAction, {kind: 'edit'}>): void {
    const post = this.#pick(which);
    if (post === undefined) return;
    post.content = content;
    post.editedAt = this.#now;
    for (const flag of mentionFlags) post.flags.delete(flag);
    // An edit mentions nobody who did not receive the message.
    for (const flag of post.flags.has('historical') ? [] : flags) {
      if (this.#mayBeWildcard(post) || !flag.includes('wildcard')) post.flags.add(flag);
    }
    this.#events.push(
      buildUpdateMessageEvent({
        message_id: post.id,
        content,
        flags: flagsOf(post),
        edit_timestamp: this.#now,
      }),
    );
  }

  #move({which, mode, channelId, topic}: Extract<ServerAction, {kind: 'move'}>): void {
    const post = this.#pick(which);
    if (post === undefined || !('topic' in post.conversation)) return;
    const from = post.conversation;
    if (from.channelId === channelId && from.topic === topic) return;
    const moved = this.posts.filter(
      (other) =>
        'topic' in other.conversation &&
        other.conversation.channelId === from.channelId &&
        other.conversation.topic.toLowerCase() === from.topic.toLowerCase() &&
        (mode === 'change_one' ? other === post : mode === 'change_all' || other.id >= post.id),
    );
    for (const other of moved) {
      other.conversation = {channelId, topic};
      if (!this.subscribed.has(channelId)) other.isUnread = false;
      if (!this.subscribed.has(channelId) && channelId !== from.channelId) leaveOwn(other);
    }
    this.#events.push(
      buildUpdateMessageEvent({
        message_id: post.id,
        message_ids: moved.map(({id}) => id),
        flags: flagsOf(post).filter((flag) => flag !== 'historical'),
        edit_timestamp: this.#now,
        stream_id: from.channelId,
        orig_subject: from.topic,
        propagate_mode: mode,
        subject: topic,
        ...(channelId !== from.channelId && {new_stream_id: channelId}),
      }),
    );
  }

  #react({which, by}: Extract<ServerAction, {kind: 'react'}>): void {
    const post = this.#pick(which);
    if (post === undefined) return;
    const op = post.reactors.has(by) ? 'remove' : 'add';
    if (op === 'add') post.reactors.add(by);
    else post.reactors.delete(by);
    this.#events.push(buildReactionEvent({op, message_id: post.id, user_id: by}));
  }

  #change({kind, which}: Extract<ServerAction, {which: readonly number[]}>): void {
    const posts = [...new Set(which.flatMap((index) => this.#pick(index) ?? []))];
    if (posts.length === 0) return;
    if (kind === 'delete') this.#delete(posts);
    else if (kind === 'unread') this.#markUnread(posts.filter(({conversation}) => this.#canBeUnread(conversation)));
    else this.#flag(kind, posts);
  }

  #flag(kind: 'read' | 'star' | 'unstar', posts: readonly Post[]): void {
    const ids = posts.map(({id}) => id);
    for (const post of posts) {
      if (kind === 'read') post.isUnread = false;
      if (kind === 'star') post.flags.add('starred');
      if (kind === 'star') post.isOwn = true;
      if (kind === 'unstar') post.flags.delete('starred');
    }
    const flag = kind === 'read' ? 'read' : 'starred';
    this.#events.push(kind === 'unstar' ? buildRemoveFlagEvent(flag, ids) : buildAddFlagEvent(flag, ...ids));
  }

  #delete(posts: readonly Post[]): void {
    this.posts = this.posts.filter((post) => !posts.includes(post));
    // One event for each topic, and one for all direct messages.
    const byPlace = Map.groupBy(posts, ({conversation}) =>
      'topic' in conversation ? `${conversation.channelId} ${conversation.topic}` : '',
    );
    for (const deleted of byPlace.values()) {
      const ids = deleted.map(({id}) => id);
      const conversation = deleted[0]?.conversation;
      this.#events.push(
        conversation !== undefined && 'topic' in conversation
          ? {...buildDeleteMessageEvent(...ids), stream_id: conversation.channelId, topic: conversation.topic}
          : buildDeleteDirectEvent(...ids),
      );
    }
  }

  #markUnread(posts: readonly Post[]): void {
    const details = Object.fromEntries(
      posts.map((post) => {
        post.isUnread = true;
        post.isOwn = true;
        const mentioned = this.isMention(post) ? {mentioned: true} : {};
        return [
          post.id,
          'topic' in post.conversation
            ? {
                type: 'stream' as const,
                stream_id: post.conversation.channelId,
                topic: post.conversation.topic,
                ...mentioned,
              }
            : {type: 'private' as const, user_ids: [...post.conversation.userIds], ...mentioned},
        ];
      }),
    );
    const ids = posts.map(({id}) => id);
    if (ids.length > 0) this.#events.push(buildRemoveFlagEvent('read', ids, details));
  }

  #canBeUnread(conversation: Post['conversation']): boolean {
    return !('topic' in conversation) || this.subscribed.has(conversation.channelId);
  }

  #setPolicy({channelId, topic, policy}: Extract<ServerAction, {kind: 'policy'}>): void {
    this.policies.set(`${channelId}:${topic.toLowerCase()}`, policy);
    this.#events.push({
      type: 'user_topic',
      id: 0,
      stream_id: channelId,
      topic_name: topic,
      last_updated: this.#now,
      visibility_policy: policy,
    });
  }

  #setChannel(kind: string, channelId: number): void {
    const isMuted = this.muted.has(channelId);
    if (kind === 'subscribe' && !this.subscribed.has(channelId)) {
      this.subscribed.add(channelId);
      const subscription = wireSubscription({stream_id: channelId, is_muted: isMuted});
      this.#events.push({type: 'subscription', id: 0, op: 'add', subscriptions: [subscription]});
    } else if (kind === 'unsubscribe' && this.subscribed.has(channelId)) {
      this.subscribed.delete(channelId);
      for (const post of this.posts) {
        if ('topic' in post.conversation && post.conversation.channelId === channelId) post.isUnread = false;
      }
      const record = {stream_id: channelId, name: `channel ${channelId}`};
      this.#events.push({type: 'subscription', id: 0, op: 'remove', subscriptions: [record]});
    } else if (kind.endsWith('uteChannel') && this.subscribed.has(channelId)) {
      const value = kind === 'muteChannel';
      if (value) this.muted.add(channelId);
      else this.muted.delete(channelId);
      this.#events.push({
        type: 'subscription',
        id: 0,
        op: 'update',
        stream_id: channelId,
        property: 'is_muted',
        value,
      });
    }
  }

  isMuted(conversation: Post['conversation']): boolean {
    if (!('topic' in conversation)) return false;
    const policy = this.policies.get(`${conversation.channelId}:${conversation.topic.toLowerCase()}`) ?? 0;
    if (policy !== 0) return policy === 1;
    return this.subscribed.has(conversation.channelId) && this.muted.has(conversation.channelId);
  }

  isMention({flags, conversation}: Post): boolean {
    if (flags.has('mentioned')) return true;
    return mentionFlags.some((flag) => flags.has(flag)) && !this.isMuted(conversation);
  }

  /** Returns the messages of a view, oldest first. */
  select(narrow: Narrow): Post[] {
    return this.posts
      .filter((post) => post.isOwn || narrow.some(({operator}) => operator === 'channel'))
      .filter((post) => narrow.every((term) => this.#holds(post, term) !== (term.negated === true)))
      .sort((a, b) => a.id - b.id);
  }

  #holds(post: Post, {operator, operand}: Narrow[number]): boolean {
    const {conversation} = post;
    switch (`${operator}:${operator === 'is' || operator === 'in' ? operand : ''}`) {
      case 'channel:':
        return 'topic' in conversation && conversation.channelId === operand;
      case 'topic:':
        return 'topic' in conversation && conversation.topic.toLowerCase() === String(operand).toLowerCase();
      case 'dm:':
        return !('topic' in conversation) && String(conversation.userIds) === String(operand);
      case 'search:':
        return post.content.includes(String(operand));
      case 'has:':
        return post.reactors.size > 0;
      case 'is:dm':
        return !('topic' in conversation);
      case 'is:starred':
        return post.flags.has('starred');
      case 'is:unread':
        return post.isUnread;
      case 'is:mentioned':
        return mentionFlags.some((flag) => post.flags.has(flag));
      case 'is:resolved':
        return 'topic' in conversation && conversation.topic.startsWith('✔ ');
      case 'in:home':
        // Like the client, which fetches mentions in addition to unmuted messages.
        return !this.isMuted(conversation) || post.flags.has('mentioned');
      default:
        throw new Error(`No rule for ${operator}`);
    }
  }
}
