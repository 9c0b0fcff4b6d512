import {messageContext} from '#app/format/message-context.ts';
import {everyInline} from '#app/warnings/references.ts';
import {type FileKind, fileChipName, fileKind, fileName, isUpload} from '#content/file-chip.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import {parseMessage} from '#content/parse-message.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';

/** Something in a message that leads somewhere. */
export type LinkTarget =
  | {readonly kind: 'web'; readonly url: string}
  /** A conversation, a message or a search of this organization. */
  | {readonly kind: 'place'; readonly url: string}
  | {readonly kind: 'file'; readonly url: string; readonly fileKind: FileKind}
  | {readonly kind: 'person'; readonly userId: number};

export interface LinkChoice {
  /** As it stands in the message, in brackets; people go on from there. */
  readonly number: number;
  readonly text: string;
  readonly target: LinkTarget;
}

/** Wide enough that nothing is cut; the lines themselves are not looked at. */
const anyWidth = 200;

/** The links of a message by their numbers, then those of its topic, then the people it names. */
export function linksOf(account: AccountState, message: Message, isExpanded: boolean): readonly LinkChoice[] {
  const context = messageContext(account);
  const source = {
    source: message.content,
    senderName: message.senderName,
    senderId: message.senderId,
    submessages: message.submessages,
  };
  // A closed spoiler keeps what is in it, here too: the numbers are those on the screen.
  const {links} = renderMessage(source, context, {width: anyWidth, expanded: isExpanded, linkNumbers: false});
  const topicLinks = message.kind === 'channel' ? message.topicLinks : [];
  const found = [...links, ...topicLinks].map(({text, url}) => ({
    text: text === '' ? url : text,
    target: targetOf(url, text),
  }));
  return [...found, ...peopleIn(account, message)].map((choice, at) => ({number: at + 1, ...choice}));
}

function targetOf(url: string, text: string): LinkTarget {
  if (isUpload(url)) {
    return {kind: 'file', url: `/${url.replace(/^\//, '')}`, fileKind: fileKind(fileName(url) ?? text)};
  }
  const isHere = url.startsWith('#') || url.startsWith('/#');
  if (isHere && parseNarrowLink(url) !== undefined) return {kind: 'place', url: url.replace(/^\//, '')};
  return {kind: 'web', url};
}

function peopleIn(account: AccountState, {content}: Message): readonly Omit<LinkChoice, 'number'>[] {
  if (!content.includes('@')) return [];
  const ids = new Set<number>();
  for (const token of everyInline(parseMessage(content, messageContext(account)))) {
    if (token.type === 'user_mention') ids.add(token.userId);
  }
  return [...ids].map((userId) => ({text: userName(account, userId), target: {kind: 'person', userId}}));
}

/** What is uploaded here, and pictures and sound from elsewhere. */
export interface AttachedFile {
  readonly name: string;
  readonly kind: FileKind;
  readonly url: string;
}

/** In the order in which they stand in the message, each once. */
export function filesOf(account: AccountState, message: Message): readonly AttachedFile[] {
  const files = new Map<string, AttachedFile>();
  const add = (url: string, name: string, kind?: FileKind) => {
    if (files.has(url)) return;
    const shown = fileChipName({name, href: url});
    files.set(url, {url, name: shown, kind: kind ?? fileKind(fileName(url) ?? shown)});
  };
  for (const {text, target} of linksOf(account, message, true)) {
    if (target.kind === 'file') add(target.url, text, target.fileKind);
  }
  for (const token of everyInline(parseMessage(message.content, messageContext(account)))) {
    if (token.type === 'image' || token.type === 'audio') add(token.href, token.alt, token.type);
    else if (token.type === 'link' && fileKind(fileName(token.href) ?? '') === 'image')
      add(token.href, '', 'image');
  }
  return [...files.values()];
}
