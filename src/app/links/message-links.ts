import {type FileKind, fileChipName, fileKind, fileName, isUpload} from '#content/file-chip.ts';
import {withFacts} from '#content/message-facts.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {isPlainMessage, parseMessage} from '#content/parse-message.ts';
import {type RenderedMessage, renderMessage} from '#content/render/render-message.ts';
import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {memoByInputs} from '#std/memo.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {everyInline} from '#ui/warnings/message-references.ts';

/** The target of a link in a message. */
type LinkTarget =
  | {readonly kind: 'web'; readonly url: string}
  /** A conversation, a message or a search of this organization. */
  | {readonly kind: 'narrow'; readonly url: string}
  | {readonly kind: 'file'; readonly url: string; readonly fileKind: FileKind}
  | {readonly kind: 'person'; readonly userId: number};

export interface LinkChoice {
  /** The number shown in brackets in the message; people are numbered after the links. */
  readonly number: number;
  readonly text: string;
  readonly target: LinkTarget;
}

/** Wide enough that nothing is truncated; the rendered lines themselves are not used. */
const anyWidth = 200;

/**
 * Returns the message's links by number, then its topic's links, then the people it mentions. Memoized, because the hint line
 * asks for every frame whether there are any, also when the user goes back and forth between messages.
 */
export const linksOf = memoByInputs(
  ({self}: AccountState) => self,
  (account: AccountState, message: Message, isExpanded: boolean) => [
    messageContext(account),
    account.users,
    account.mutedUsers,
    message,
    isExpanded,
  ],
  findLinks,
  4,
);

function findLinks(account: AccountState, message: Message, isExpanded: boolean): readonly LinkChoice[] {
  const links = isPlainMessage(message.content, withFacts(messageContext(account), message.facts))
    ? []
    : linksInText(account, message, isExpanded);
  const topicLinks = message.kind === 'channel' ? message.topicLinks : [];
  const found = [...links, ...topicLinks].map(({text, url}) => ({
    text: text === '' ? url : text,
    target: targetOf(url, text),
  }));
  return [...found, ...peopleIn(account, message)].map((choice, at) => ({number: at + 1, ...choice}));
}

/** Links inside a closed spoiler are left out here too, so that the numbers match the screen. */
function linksInText(account: AccountState, message: Message, expanded: boolean): RenderedMessage['links'] {
  const {content, senderId, senderName, submessages, facts} = message;
  const source = {source: content, senderName: userName(account, senderId, senderName), senderId, submessages, facts};
  return renderMessage(source, messageContext(account), {width: anyWidth, expanded, linkNumbers: false}).links;
}

function targetOf(url: string, text: string): LinkTarget {
  if (isUpload(url)) {
    return {kind: 'file', url: `/${url.replace(/^\//, '')}`, fileKind: fileKind(fileName(url) ?? text)};
  }
  const isHere = url.startsWith('#') || url.startsWith('/#');
  // The channel of a link without its id is looked up when it is opened.
  if (isHere && parseNarrowLink(url, () => 0) !== undefined) return {kind: 'narrow', url: url.replace(/^\//, '')};
  return {kind: 'web', url};
}

function peopleIn(account: AccountState, {content, facts}: Message): readonly Omit<LinkChoice, 'number'>[] {
  if (!content.includes('@')) return [];
  const ids = new Set<number>();
  for (const token of everyInline(parseMessage(content, withFacts(messageContext(account), facts)))) {
    if (token.type === 'user_mention') ids.add(token.userId);
  }
  return [...ids].map((userId) => ({text: userName(account, userId), target: {kind: 'person', userId}}));
}

/** An uploaded file, or an image or audio file from elsewhere. */
export interface AttachedFile {
  readonly name: string;
  readonly kind: FileKind;
  readonly url: string;
}

/** Returns the message's files in order of appearance, without duplicates. */
export function filesOf(account: AccountState, message: Message): readonly AttachedFile[] {
  const files = new Map<string, AttachedFile>();
  const add = (url: string, name: string, kind?: FileKind) => {
    if (files.has(url)) return;
    const label = fileChipName({name, href: url});
    files.set(url, {url, name: label, kind: kind ?? fileKind(fileName(url) ?? label)});
  };
  for (const {text, target} of linksOf(account, message, true)) {
    if (target.kind === 'file') add(target.url, text, target.fileKind);
  }
  for (const token of everyInline(parseMessage(message.content, withFacts(messageContext(account), message.facts)))) {
    if (token.type === 'image' || token.type === 'audio') add(token.href, token.alt, token.type);
    else if (token.type === 'link' && fileKind(fileName(token.href) ?? '') === 'image') add(token.href, '', 'image');
  }
  return [...files.values()];
}
