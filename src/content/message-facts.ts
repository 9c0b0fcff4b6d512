import {ownValue} from '#std/own-value.ts';
import {type CompiledLinkifier, compileLinkifier} from './linkifier.ts';
import type {MentionedUser, ParseContext} from './parse-context.ts';

/**
 * What the Markdown of a message does not say: whom and what its names meant when it was written, and what the server
 * added to it. Names are the ones in the text.
 */
export interface MessageFacts {
  /** Whether the server's rendering was read. Otherwise only names were looked up, when the message arrived. */
  readonly isRendered?: boolean;
  /** The ids of mentioned users by name in lower case; also by `name|id` where the text has an id, which may be another. */
  readonly users?: Readonly<Record<string, number>>;
  /** The users whose mentions are silent although the text does not say so: they were deactivated before. */
  readonly silentUserIds?: readonly number[];
  readonly groups?: Readonly<Record<string, number>>;
  readonly channels?: Readonly<Record<string, number>>;
  /** The id of a message in each linked topic, by `topicFactKey`: the link survives a rename of the topic. */
  readonly topics?: Readonly<Record<string, number>>;
  /** Uploaded images by path. */
  readonly images?: Readonly<Record<string, ImageFacts>>;
  /** The paths under which the server passes images of other sites on, by their addresses. */
  readonly proxies?: Readonly<Record<string, string>>;
  /** The URLs that linkifiers gave to parts of the text. */
  readonly links?: Readonly<Record<string, string>>;
  readonly previews?: readonly LinkPreview[];
  /** Whether emoticons are shown as emoji: a setting of the sender at the time of sending. */
  readonly emoticons?: true;
}

export interface ImageFacts {
  readonly width: number;
  readonly height: number;
  /** Such as `image/png`. */
  readonly contentType?: string;
}

/** What the server found at a linked address. */
export interface LinkPreview {
  readonly url: string;
  readonly title: string;
  readonly description?: string;
}

export function topicFactKey(channelId: number, topic: string): string {
  return `${channelId}>${topic.toLowerCase()}`;
}

/**
 * Returns the context in which a message with these facts is parsed and rendered: its names mean the users, groups and
 * channels of the facts, whatever they are called today.
 */
export function withFacts<T extends ParseContext>(context: T, facts: MessageFacts | undefined): T {
  if (facts === undefined) return context;
  const {isRendered = false, users, silentUserIds, groups, channels, topics, images, links, emoticons} = facts;
  const user = (id: number, name: string): MentionedUser => {
    const known = context.userById?.(id) ?? {id, fullName: name, isActive: true};
    return {...known, writtenName: name, ...(silentUserIds?.includes(id) && {isActive: false})};
  };
  return {
    ...context,
    // What the server rendered as text is no mention, even if somebody has that name today.
    userByName: (name) => {
      const id = ownValue(users, name.toLowerCase());
      if (id === undefined) return isRendered ? undefined : context.userByName?.(name);
      return user(id, name);
    },
    userById: (typedId, name = '') => {
      const key = name.toLowerCase();
      const id = ownValue(users, `${key}|${typedId}`) ?? (isRendered ? ownValue(users, key) : undefined);
      if (id === undefined) return isRendered && name !== '' ? undefined : context.userById?.(typedId, name);
      return user(id, name);
    },
    groupByName: (name) => {
      const id = ownValue(groups, name);
      if (id === undefined) return isRendered ? undefined : context.groupByName?.(name);
      return {...(context.groupById?.(id) ?? {id, name, isSystem: false, isActive: true}), writtenName: name};
    },
    channelByName: (name) => {
      const id = ownValue(channels, name);
      if (id === undefined) return isRendered ? undefined : context.channelByName?.(name);
      return {id, name: context.channelById?.(id)?.name ?? name};
    },
    topicAnchor: (channelId, topic) => ownValue(topics, topicFactKey(channelId, topic)),
    imageFacts: (path) => ownValue(images, path),
    ...(isRendered && {linkifiers: literalLinkifiers(links)}),
    translateEmoticons: emoticons === true,
  };
}

/** Returns linkifiers that link exactly what was linked when the message was sent. */
function literalLinkifiers(links: MessageFacts['links']): readonly CompiledLinkifier[] {
  return Object.entries(links ?? {}).flatMap(([text, url]) => {
    const pattern = text.replaceAll(/[^\p{L}\p{N}\s]/gu, '\\$&');
    const urlTemplate = url.replaceAll('{', '%7B').replaceAll('}', '%7D');
    return compileLinkifier({pattern, urlTemplate}) ?? [];
  });
}
