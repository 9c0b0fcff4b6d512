import {type CliIo, print} from '#cli/io.ts';
import {localClock, localDay} from '#cli/local-time.ts';
import type {CommonOptions} from '#cli/verbs/verb.ts';
import type {MessageFacts} from '#content/message-facts.ts';
import {type Glyphs, unicodeGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderContext, RenderOptions} from '#content/render/render-options.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import type {MessageLink} from '#content/styled-text/line.ts';
import type {TimeOptions} from '#content/time-text.ts';
import {pollState} from '#content/widgets/widgets.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {channelName, conversationTitle, distinctUserName, userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {composed, withoutIsolates} from '#std/composed-text.ts';
import {printable, printableJson, printableLine} from '#std/printable.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {usesHour12} from '#wording/moment-text.ts';
import {destinationText} from './destination-arguments.ts';

/** How messages are printed. */
export interface MessageTextOptions {
  readonly time: TimeOptions;
  readonly glyphs?: Glyphs;
  /** Shows the content of spoilers. */
  readonly showsSpoilers?: boolean | undefined;
  /** Whether any name in a mention counts as a user's: for states without the list of users. */
  readonly trustsNames?: boolean | undefined;
}

/** Wide enough that only the author's line breaks remain. */
const unwrappedWidth = 2000;

/** Returns the options for messages that are printed now, with times in the account's format. */
export function messageTextOptions(state: AccountState, now: number, trustsNames = false): MessageTextOptions {
  return {time: {now, hour12: usesHour12(state)}, trustsNames};
}

/** Renders a message as lines of text with the URLs of links below. `/me` is left out. */
export function messageLines(state: AccountState, message: Message, options: MessageTextOptions): readonly string[] {
  const expanded = options.showsSpoilers === true;
  const numbered = {linkNumbers: 'unshown', footLinks: true, footLinkBase: organizationUrl(state), expanded} as const;
  return rendered(state, message, options, numbered).lines;
}

/** Returns the text of a message without link numbers and with its spoilers open, for programs, and its links with absolute URLs. */
function messageTextAndLinks(
  state: AccountState,
  message: Message,
  options: MessageTextOptions,
): {readonly text: string; readonly links: readonly MessageLink[]} {
  const {lines, links} = rendered(state, message, options, {linkNumbers: false, expanded: true});
  const base = organizationUrl(state);
  return {
    text: lines.join('\n'),
    links: links.map(({text, url}) => ({text, url: URL.parse(url, base)?.href ?? url})),
  };
}

/** Returns Markdown as text on one line, for states without the list of users. */
export function messageExcerpt(state: AccountState, content: string, facts: MessageFacts | undefined): string {
  return excerpt(content, trusting(messageContext(state)), facts);
}

/** Returns the address of the organization. */
export function organizationUrl({realm, server}: AccountState): string {
  return realm.url ?? realm.uri ?? server.url;
}

function rendered(
  state: AccountState,
  {content, isMe, senderId, submessages, facts}: Message,
  {time, glyphs = unicodeGlyphs, trustsNames = false}: MessageTextOptions,
  options: Partial<RenderOptions>,
): {readonly lines: readonly string[]; readonly links: readonly MessageLink[]} {
  const source = sourceOf({isMe, content});
  const context = messageContext(state);
  const resolved = trustsNames ? trusting(context) : context;
  const {lines, links} = renderMessage({source, senderId, submessages, facts}, resolved, {
    ...time,
    hour12: time.hour12 === true,
    width: unwrappedWidth,
    glyphs,
    ...options,
  });
  const texts = lines.map((line) =>
    lineToText(line)
      .trimEnd()
      .replace(/^([-─])\1{3,}$/u, '$1$1$1'),
  );
  return {lines: texts, links};
}

/** Takes every name in a mention for that of a user or group, which it nearly always is. */
function trusting(context: RenderContext): RenderContext {
  return {
    ...context,
    userByName: (fullName) => context.userByName?.(fullName) ?? {id: -1, fullName, isActive: true},
    groupByName: (name) => context.groupByName?.(name) ?? {id: -1, name, isSystem: false, isActive: true},
  };
}

/** Returns the users whose names a message needs and does not contain: voters, and those mentioned with an id. */
export function usersNamedById({content, senderId, submessages}: Message): readonly number[] {
  const poll = submessages.length === 0 ? undefined : pollState(submessages, senderId);
  const voters = poll?.options.flatMap(({voters: ids}) => ids) ?? [];
  const mentioned = content.matchAll(/@_?\*\*[^*\n]*\|(\d+)\*\*/g);
  return [...voters, ...Array.from(mentioned, ([, id]) => Number(id))];
}

const mutedUserText = '(hidden: you muted this user)';
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const continuation = ' '.repeat(6);

interface MessageLayout {
  /** Whether several conversations are mixed. */
  readonly showsConversations: boolean;
  /** False for other programs: each message then has its day and conversation on its own line. */
  readonly hasHeadings: boolean;
}

/**
 * Returns a function that formats messages as lines: `09:12 Name: text`, below a line for each new day and, if several
 * conversations are mixed, for each change of conversation. It remembers the last one, so that a stream of messages reads as
 * one list. Without headings: `2026-05-12 09:12 #channel › topic  Name: text`.
 */
export function messageFormatter(
  {heading, faint, name}: OutputStyle,
  {showsConversations, hasHeadings}: MessageLayout,
  /** Returns how texts are rendered now; undefined prints the Markdown source. */
  text: ((state: AccountState) => MessageTextOptions) | undefined,
): (state: AccountState, message: Message) => string[] {
  let [lastDay, lastKey] = ['', ''];
  const contentLines = (state: AccountState, message: Message): readonly string[] => {
    if (state.mutedUsers.has(message.senderId)) return [mutedUserText];
    if (text !== undefined) return messageLines(state, message, text(state));
    return printable(sourceOf(message)).split('\n');
  };
  return (state, message) => {
    const at = new Date(message.timestamp * 1000);
    const day = `${localDay(at)} ${days[at.getDay()]}`;
    const isNewDay = day !== lastDay;
    const isNewConversation = showsConversations && (message.conversationKey !== lastKey || isNewDay);
    lastDay = day;
    lastKey = message.conversationKey;
    const [first = '', ...rest] = contentLines(state, message);
    const sender = printableLine(distinctUserName(state, message.senderId, message.senderName));
    const start = message.isMe
      ? composed`* ${name(sender)} ${first}`
      : composed`${name(composed`${sender}:`)} ${first}`;
    const title = showsConversations
      ? heading(printableLine(composed`${conversationTitle(state, conversationOf(message))}`))
      : '';
    const indented = rest.map((line) => (line === '' ? '' : continuation + line));
    const clock = faint(localClock(at));
    if (!hasHeadings) {
      const place = title === '' ? '' : composed`${title}  `;
      return [`${faint(localDay(at))} ${clock} ${place}${start}`.trimEnd(), ...indented];
    }
    return [
      ...(isNewDay ? [faint(day)] : []),
      ...(isNewConversation ? [title] : []),
      `${clock} ${start}`.trimEnd(),
      ...indented,
    ];
  };
}

/** Returns the Markdown of a message, without the `/me` of its sender. */
function sourceOf({isMe, content}: Pick<Message, 'isMe' | 'content'>): string {
  return isMe ? content.replace(/^\/me\s+/, '') : content;
}

/** Functions that emphasise text on a terminal. */
export interface OutputStyle {
  readonly name: (text: string) => string;
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
}

const painted = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
const plain = (text: string) => text;

export const plainStyle: OutputStyle = {name: plain, heading: plain, faint: plain};

/** Returns colours when the output is a terminal or the user asks for them. https://no-color.org */
export function outputStyle({env, outputIsTty}: CliIo, color: CommonOptions['color']): OutputStyle {
  const isDisabled = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  const isEnabled = color === 'always' || (color !== 'never' && outputIsTty && !isDisabled);
  return isEnabled ? {name: painted(1), heading: painted(36), faint: painted(2)} : plainStyle;
}

/** Returns a conversation for JSON output: its kind, its title, and the value that `--to` takes for it. */
export function conversationJson(
  state: AccountState,
  conversation: Conversation,
  knownNames: Readonly<Record<number, string>> = {},
) {
  const common = {
    to: destinationText(state, conversation),
    title: withoutIsolates(conversationTitle(state, conversation)),
    kind: conversation.kind,
  };
  if (conversation.kind === 'direct') {
    const names = conversation.userIds.map((id) => withoutIsolates(userName(state, id, knownNames[id])));
    return {...common, userIds: conversation.userIds, names};
  }
  const {channelId, topic} = conversation;
  return {...common, channelId, channel: channelName(state, channelId), topic};
}

/** Returns a message for JSON output, in the format that the manual describes. */
export function messageJson(state: AccountState, message: Message, isUnread: boolean, options: MessageTextOptions) {
  return {
    id: message.id,
    timestamp: message.timestamp,
    time: new Date(message.timestamp * 1000).toISOString(),
    senderId: message.senderId,
    senderName: state.users.get(message.senderId)?.fullName ?? message.senderName,
    conversation: conversationJson(state, conversationOf(message), message.kind === 'direct' ? message.names : {}),
    content: message.content,
    ...messageTextAndLinks(state, message, options),
    isUnread,
    flags: message.flags,
    reactions: message.reactions,
    editedAt: message.editedAt ?? null,
  };
}

export function printJsonLine(io: CliIo, value: unknown): void {
  print(io, printableJson(value));
}
