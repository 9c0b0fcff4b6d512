import {type CompiledLinkifier, compileLinkifier} from './linkifier.ts';
import type {MentionedUser, ParseContext} from './parse-context.ts';

/**
 * What the Markdown of a message does not say: whom and what its names meant when it was written, and what the server
 * added to it. Names are the ones in the text.
 */
export interface MessageFacts {
  /** Whether the server's rendering was read. Otherwise only names were looked up, when the message arrived. */
  readonly isRendered?: boolean;
  /** The ids of mentioned users by name in lower case. */
  readonly users?: Readonly<Record<string, number>>;
  /** The users whose mentions are silent although the text does not say so: they were deactivated before. */
  readonly silentUserIds?: readonly number[];
  readonly groups?: Readonly<Record<string, number>>;
  readonly channels?: Readonly<Record<string, number>>;
  /** The id of a message in each linked topic, by `topicFactKey`: the link survives a rename of the topic. */
  readonly topics?: Readonly<Record<string, number>>;
  /** Uploaded images by path. */
  readonly images?: Readonly<Record<string, ImageFacts>>;
  /** The URLs that linkifiers gave to parts of the text. */
  readonly links?: Readonly<Record<string, string>>;
  readonly previews?: readonly LinkPreview[];
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
  const {users, silentUserIds, groups, channels, topics, images, links} = facts;
  const user = (id: number, name: string): MentionedUser => {
    const known = context.userById?.(id) ?? {id, fullName: name, isActive: true};
    return silentUserIds?.includes(id) ? {...known, isActive: false} : known;
  };
  return {
    ...context,
    userByName: (name) => {
      const id = own(users, name.toLowerCase());
      return id === undefined ? context.userByName?.(name) : user(id, name);
    },
    userById: (id, name = '') => {
      // The id in a text is a mention only if the server made it one, or if there is such a user.
      return own(users, name.toLowerCase()) === id ? user(id, name) : context.userById?.(id, name);
    },
    groupByName: (name) => {
      const id = own(groups, name);
      if (id === undefined) return context.groupByName?.(name);
      return context.groupById?.(id) ?? {id, name, isSystem: false, isActive: true};
    },
    channelByName: (name) => {
      const id = own(channels, name);
      return id === undefined ? context.channelByName?.(name) : {id, name: context.channelById?.(id)?.name ?? name};
    },
    topicAnchor: (channelId, topic) => own(topics, topicFactKey(channelId, topic)),
    imageFacts: (path) => own(images, path),
    ...(facts.isRendered === true && {linkifiers: literalLinkifiers(links)}),
  };
}

/** Records come from disk and from servers: a name such as `constructor` must not be found in the prototype. */
function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Returns linkifiers that link exactly what was linked when the message was sent. */
function literalLinkifiers(links: MessageFacts['links']): readonly CompiledLinkifier[] {
  return Object.entries(links ?? {}).flatMap(([text, url]) => {
    const pattern = text.replaceAll(/[^\p{L}\p{N}\s]/gu, '\\$&');
    const urlTemplate = url.replaceAll('{', '%7B').replaceAll('}', '%7D');
    return compileLinkifier({pattern, urlTemplate}) ?? [];
  });
}
