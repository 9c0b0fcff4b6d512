import type {ReactionAction} from '#state/actions/message-flags.ts';
import {deleteMessage, editMessage, moveMessages} from '#state/actions/messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {channelNarrow, conversationNarrow, everythingNarrow, narrowIs} from '#state/model/narrow.ts';
import type {Random} from '#std/random.ts';
import {markNarrowRead} from '#test/support/mark-narrow-read.ts';
import type {FaultClient} from './fault-client.ts';
import type {FaultFixture} from './fault-fixture.ts';

/** A random user action; failures are ignored. */
type SoakAction = (client: FaultClient, random: Random, fixture: FaultFixture) => unknown;

const topics = ['Talk', 'Tea', 'talk', 'Later', ''] as const;

function randomConversation(random: Random, fixture: FaultFixture, client: FaultClient): Conversation {
  if (random.below(4) === 0) {
    return {kind: 'direct', userIds: client.person === fixture.meg ? [fixture.otto.id] : [fixture.meg.id]};
  }
  // Older servers have no empty topic.
  const topic = random.pick(topics);
  return {
    kind: 'topic',
    channelId: fixture.channelId,
    topic: topic === '' && fixture.level < 334 ? 'Talk' : topic,
  };
}

function someMessage({state}: FaultClient, random: Random, isOwn = false) {
  const {userId} = state.self;
  const all = [...state.messages.byId.values()].slice(-40);
  return random.pick(isOwn ? all.filter(({senderId}) => senderId === userId) : all);
}

/** The prefix of messages that may be deleted: all others must stay countable. */
const deletablePrefix = 'Not for long';

function send(client: FaultClient, random: Random, fixture: FaultFixture): void {
  client.send(randomConversation(random, fixture, client), `Soaked ${client.nextSerial()}`);
}

type Emoji = Pick<ReactionAction, 'emojiName' | 'emojiCode' | 'reactionType'>;

const reactions: readonly [Emoji, Emoji] = [
  {emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji'},
  {emojiName: 'heart', emojiCode: '2764', reactionType: 'unicode_emoji'},
];

const modes = ['change_one', 'change_later', 'change_all'] as const;
const ops = ['add', 'remove'] as const;
const flags = ['starred', 'read', 'collapsed'] as const;

export const soakActions: readonly SoakAction[] = [
  send,
  send,
  send,
  send,
  (client, random, fixture) => {
    client.session.outbox.send({
      conversation: randomConversation(random, fixture, client),
      content: deletablePrefix,
    });
  },
  (client, random) => {
    const message = someMessage(client, random, true);
    // A sent text must stay countable: only its end changes.
    if (message === undefined || !message.content.startsWith('Soaked')) return;
    const [firstPart] = message.content.split(', ');
    const edit = {before: message.content, after: `${firstPart}, edited ${random.below(1000)}`};
    return editMessage(client.session.context, message.id, edit);
  },
  (client, random) => {
    const message = someMessage(client, random, true);
    if (message === undefined || message.content !== deletablePrefix) return;
    return deleteMessage(client.session.context, message.id);
  },
  (client, random) => {
    const message = someMessage(client, random);
    const topic = random.pick(topics);
    if (message?.kind !== 'channel' || topic === '') return;
    const mode = random.pick(modes);
    return moveMessages(client.session.context, {messageId: message.id, topic, mode, notifyNewTopic: false});
  },
  (client, random) => {
    const message = someMessage(client, random);
    if (message === undefined) return;
    const op = random.pick(ops);
    client.session.pendingChanges.perform({
      kind: 'reaction',
      op,
      messageId: message.id,
      ...random.pick(reactions),
    });
  },
  (client, random) => {
    const message = someMessage(client, random);
    if (message === undefined) return;
    const flag = random.pick(flags);
    const done = client.session.pendingChanges.perform({
      kind: 'flags',
      op: random.pick(ops),
      flag,
      ids: [message.id],
    });
    if (random.below(3) === 0) done?.undo();
  },
  (client, random, fixture) => {
    const narrows = [
      everythingNarrow,
      channelNarrow(fixture.channelId),
      narrowIs('dm'),
      conversationNarrow(fixture.talk),
    ] as const;
    markNarrowRead(client.session, random.pick(narrows));
  },
  (client, random, fixture) => {
    const id = random.below(2) === 0 ? undefined : random.pick([...client.written.keys()]);
    client.write(randomConversation(random, fixture, client), `Drafted ${client.nextSerial()}`, id);
  },
  (client, random) => {
    const id = random.pick([...client.written.keys()]);
    if (id !== undefined) client.discard(id);
  },
  (client, random) => {
    const id = random.pick([...client.written.keys()]);
    if (id !== undefined) client.sendDraft(id);
  },
  (client, random, fixture) => {
    const narrow = random.pick(fixture.narrows());
    if (narrow === undefined) return;
    if (random.below(3) === 0) return client.closeView(narrow);
    return client.open(narrow, random.pick(['newest', 'oldest', 'firstUnread']));
  },
];
