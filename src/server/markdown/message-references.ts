import {uploadPath} from '#content/file-chip.ts';
import type {InlineToken, MessageToken} from '#content/tokens.ts';

/** The mentions, links and uploads in a message. */
export type MessageReferences = ReturnType<typeof collectReferences>;

/** Returns the mentions, links and uploads of a message. Silent mentions are left out, because they do not notify. */
export function collectReferences(tokens: readonly MessageToken[]) {
  const references = {
    mentions: {
      userIds: new Set<number>(),
      groupIds: new Set<number>(),
      channelWildcard: false,
      topicWildcard: false,
    },
    hasLink: false,
    hasInlineImage: false,
    hasAttachment: false,
    /** Paths under `/user_uploads/`, each once. */
    uploads: [] as string[],
  };
  visit(tokens, references);
  references.hasAttachment = references.uploads.length > 0;
  return references;
}

/** Returns the lists of tokens in a token. */
export function childLists(token: MessageToken | InlineToken): readonly (readonly (MessageToken | InlineToken)[])[] {
  if ('children' in token) return 'header' in token ? [token.header, token.children] : [token.children];
  if (token.type === 'list') return token.items.map(({children}) => children);
  return token.type === 'table' ? [token.header, ...token.rows].flat() : [];
}

function visit(tokens: readonly (MessageToken | InlineToken)[], references: MessageReferences): void {
  for (const token of tokens) {
    note(token, references);
    for (const list of childLists(token)) visit(list, references);
  }
}

function note(token: MessageToken | InlineToken, references: MessageReferences): void {
  const {mentions} = references;
  switch (token.type) {
    case 'user_mention':
      if (!token.silent) mentions.userIds.add(token.userId);
      break;
    case 'group_mention':
      if (!token.silent) mentions.groupIds.add(token.groupId);
      break;
    case 'wildcard_mention':
      if (token.silent) break;
      if (token.scope === 'channel') mentions.channelWildcard = true;
      else mentions.topicWildcard = true;
      break;
    case 'link':
      references.hasLink = true;
      addUpload(token.href, references);
      break;
    case 'channel_link':
      references.hasLink = true;
      break;
    case 'image':
    case 'audio':
      if (token.type === 'image') references.hasInlineImage = true;
      addUpload(token.href, references);
      break;
  }
}

function addUpload(href: string, references: MessageReferences): void {
  const path = uploadPath(href);
  if (path !== undefined && !references.uploads.includes(path)) references.uploads.push(path);
}
