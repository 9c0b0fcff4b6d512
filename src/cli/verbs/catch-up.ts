import {type StateContext, withFetchedUsers} from '#cli/account-access/with-state.ts';
import {outputColumns} from '#cli/io.ts';
import {fetchMessages} from '#cli/messages/fetch-messages.ts';
import {conversationJson, messageExcerpt, type OutputStyle, outputStyle} from '#cli/messages/message-text.ts';
import {pastMomentOf} from '#cli/name-arguments.ts';
import {truncateToColumns} from '#content/styled-text/truncate-to-columns.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {narrowIs} from '#state/model/narrow.ts';
import {type CatchUpCard, catchUpCards} from '#state/selectors/catch-up.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {composed, withoutIsolates} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun, unreadCountText} from '#wording/counted-noun.ts';
import {catchUpReasonText} from '#wording/moment-text.ts';
import {stateVerb} from './account-verb.ts';
import {inboxNeeds} from './inbox.ts';
import type {VerbRunner} from './verb-table.ts';

const defaultSince = '1w';

/** More unread messages are not looked at. */
const maxMessages = 5000;

export const catchUp: VerbRunner<'catch-up'> = stateVerb(
  ({values}, io) => ({...inboxNeeds, since: pastMomentOf(values.since ?? defaultSince, io.clock.now())}),
  async (context, {since}) => {
    const {io, values, api} = context;
    const range = {kind: 'from', count: maxMessages, since} as const;
    const {messages: listed, hasMore} = await fetchMessages(api, context.state.self.userId, narrowIs('unread'), range);
    const fetched = listed.map(({message}) => message);
    const users = fetched.flatMap((message) => [
      message.senderId,
      ...(message.kind === 'direct' ? message.userIds : []),
    ]);
    const {state: named}: StateContext = await withFetchedUsers(context, users);
    const state: AccountState = {...named, messages: withMessages(named.messages, fetched)};
    const cards = catchUpCards(state, {since: since / 1000, upTo: Number.POSITIVE_INFINITY});
    const style = outputStyle(io, values.color);
    const lines = cards.map((card) => cardLines(state, card, style, outputColumns(io)).join('\n'));
    return {
      json: {
        since: new Date(since).toISOString(),
        isComplete: !hasMore,
        conversations: cards.map((card) => cardJson(state, card)),
      },
      text: cards.length === 0 ? 'Nothing to catch up on.' : lines.join('\n\n'),
      isStyled: true,
      notice: hasMore ? `These are the first ${maxMessages} unread messages since then. There are more.` : undefined,
    };
  },
);

function cardLines(state: AccountState, card: CatchUpCard, style: OutputStyle, columns: number): readonly string[] {
  const title = style.heading(printableLine(conversationTitle(state, card.conversation)));
  const why = style.faint(`(${catchUpReasonText(card)})`);
  const quotes = card.messages.map(({senderId, senderName, content, facts}) => {
    const said = composed`${userName(state, senderId, senderName)}: ${messageExcerpt(state, content, facts)}`;
    return `  ${truncateToColumns(printableLine(said), columns - 2)}`;
  });
  const more = card.count - card.messages.length;
  const rest = more > 0 ? [style.faint(`  and ${countedNoun(more, 'more unread message')}`)] : [];
  return [composed`${unreadCountText(card)}  ${title} ${why}`, ...quotes, ...rest];
}

function cardJson(state: AccountState, card: CatchUpCard) {
  const {conversation, reasons, count, mentions, reactions, newestAt, messages} = card;
  return {
    conversation: conversationJson(state, conversation),
    reasons,
    count,
    mentions,
    reactions,
    newestAt,
    messages: messages.map(({id, senderId, senderName, timestamp, content}) => ({
      id,
      sender: withoutIsolates(userName(state, senderId, senderName)),
      timestamp,
      content,
    })),
  };
}
