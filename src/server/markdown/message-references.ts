import type {InlineToken, MessageToken} from '#content/tokens.ts';
import {uploadPath} from './inline-html.ts';

export type Mentions = {
  userIds: Set<number>;
  groupIds: Set<number>;
  channelWildcard: boolean;
  topicWildcard: boolean;
};

export type MessageReferences = {
  mentions: Mentions;
  hasLink: boolean;
  hasInlineImage: boolean;
  hasAttachment: boolean;
  /** Paths under `/user_uploads/`, each once. */
  uploads: string[];
};

/** What a message does to others: whom it notifies and which uploads it shares. Silent mentions notify nobody. */
export function collectReferences(tokens: readonly MessageToken[]): MessageReferences {
  const facts: MessageReferences = {
    mentions: {userIds: new Set(), groupIds: new Set(), channelWildcard: false, topicWildcard: false},
    hasLink: false,
    hasInlineImage: false,
    hasAttachment: false,
    uploads: [],
  };
  for (const token of tokens) visitBlock(token, facts);
  facts.hasAttachment = facts.uploads.length > 0;
  return facts;
}

function visitBlock(token: MessageToken, facts: MessageReferences): void {
  switch (token.type) {
    case 'paragraph':
    case 'tight_text':
    case 'heading':
      for (const child of token.children) visitInline(child, facts);
      break;
    case 'quote':
      for (const child of token.children) visitBlock(child, facts);
      break;
    case 'spoiler':
      for (const child of [...token.header, ...token.children]) visitBlock(child, facts);
      break;
    case 'list':
      for (const item of token.items) for (const child of item.children) visitBlock(child, facts);
      break;
    case 'table':
      for (const cell of [token.header, ...token.rows].flat())
        for (const child of cell) visitInline(child, facts);
      break;
  }
}

function visitInline(token: InlineToken, facts: MessageReferences): void {
  const {mentions} = facts;
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
      facts.hasLink = true;
      addUpload(token.href, facts);
      for (const child of token.children) visitInline(child, facts);
      break;
    case 'channel_link':
      facts.hasLink = true;
      break;
    case 'image':
    case 'audio':
      if (token.type === 'image') facts.hasInlineImage = true;
      addUpload(token.href, facts);
      break;
    case 'strong':
    case 'emphasis':
    case 'strike':
      for (const child of token.children) visitInline(child, facts);
      break;
  }
}

function addUpload(href: string, facts: MessageReferences): void {
  const path = uploadPath(href);
  if (path !== undefined && !facts.uploads.includes(path)) facts.uploads.push(path);
}
