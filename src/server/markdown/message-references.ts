import {uploadPath} from '#content/file-chip.ts';
import type {InlineToken, MessageToken} from '#content/tokens.ts';

export type Mentions = {
  userIds: Set<number>;
  groupIds: Set<number>;
  channelWildcard: boolean;
  topicWildcard: boolean;
};

/** The mentions, links and uploads in a message. */
export type MessageReferences = {
  mentions: Mentions;
  hasLink: boolean;
  hasInlineImage: boolean;
  hasAttachment: boolean;
  /** Paths under `/user_uploads/`, each once. */
  uploads: string[];
};

/** Returns the mentions, links and uploads of a message. Silent mentions are left out, because they do not notify. */
export function collectReferences(tokens: readonly MessageToken[]): MessageReferences {
  const references: MessageReferences = {
    mentions: {userIds: new Set(), groupIds: new Set(), channelWildcard: false, topicWildcard: false},
    hasLink: false,
    hasInlineImage: false,
    hasAttachment: false,
    uploads: [],
  };
  for (const token of tokens) visitBlock(token, references);
  references.hasAttachment = references.uploads.length > 0;
  return references;
}

function visitBlock(token: MessageToken, references: MessageReferences): void {
  switch (token.type) {
    case 'paragraph':
    case 'tight_text':
    case 'heading':
      for (const child of token.children) visitInline(child, references);
      break;
    case 'quote':
      for (const child of token.children) visitBlock(child, references);
      break;
    case 'spoiler':
      for (const child of [...token.header, ...token.children]) visitBlock(child, references);
      break;
    case 'list':
      for (const item of token.items) for (const child of item.children) visitBlock(child, references);
      break;
    case 'table':
      for (const cell of [token.header, ...token.rows].flat()) for (const child of cell) visitInline(child, references);
      break;
  }
}

function visitInline(token: InlineToken, references: MessageReferences): void {
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
      for (const child of token.children) visitInline(child, references);
      break;
    case 'channel_link':
      references.hasLink = true;
      break;
    case 'image':
    case 'audio':
      if (token.type === 'image') references.hasInlineImage = true;
      addUpload(token.href, references);
      break;
    case 'strong':
    case 'emphasis':
    case 'strike':
      for (const child of token.children) visitInline(child, references);
      break;
  }
}

function addUpload(href: string, references: MessageReferences): void {
  const path = uploadPath(href);
  if (path !== undefined && !references.uploads.includes(path)) references.uploads.push(path);
}
